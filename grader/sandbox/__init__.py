"""Sessions that run learners' code: bytes in, bytes out, limits kept from outside. Knows no tensors and no verdicts."""

from grader.sandbox.audit import Finding, audit
from grader.sandbox.faults import SandboxFault, SandboxUnavailable
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.session import Session

__all__ = ["Finding", "Sandbox", "SandboxFault", "SandboxUnavailable", "Session", "audit"]
