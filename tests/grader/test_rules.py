"""Source rules: what is refused and what is not, and that a refused source is never run."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import get_args

import pytest

from courses.package.schema import ExerciseFile
from grader.checks.kind import CheckSpecError
from grader.judging import judge
from grader.rules import NO_FUSED_ATTENTION, RULES, refusal
from grader.specs import SpecError, exercise_spec
from grader.verdicts import Job, Status
from tests.grader.judged import ScriptedSandbox
from tests.verdicts.exercise import exercise

RULE = (NO_FUSED_ATTENTION,)

REFUSED = {
    "attribute": ("import torch\ntorch.nn.functional.scaled_dot_product_attention(q, k, v)", 2),
    "module under another name": ("import torch.nn.functional as F\n\nF.scaled_dot_product_attention(q, k, v)", 3),
    "imported": ("from torch.nn.functional import scaled_dot_product_attention", 1),
    "imported under another name": ("from torch.nn.functional import softmax, scaled_dot_product_attention as s", 1),
    "all names imported": ("from torch.nn.functional import *\nscaled_dot_product_attention(q, k, v)", 2),
    "assigned": ("import torch\nf = torch._C._nn.scaled_dot_product_attention", 2),
    "getattr": ("import torch\nf = getattr(torch.nn.functional, 'scaled_dot_product_attention')", 2),
    "getattr, added": ("f = getattr(F, 'scaled_dot' + '_product' + '_attention')", 1),
    "getattr, joined": ("f = getattr(F, '_'.join(['scaled', 'dot', 'product', 'attention']))", 1),
    "getattr, adjacent": ("f = getattr(F, 'scaled_dot_'\n 'product_attention')", 1),
    "getattr, formatted": ("f = getattr(F, f\"scaled_dot_{'product'}_attention\")", 1),
    "getattr, escaped": ("f = getattr(F, '\\x73caled_dot_product_attention')", 1),
    "a name kept first": ("NAME = 'scaled_dot_product_attention'\n", 1),
    "bytes": ("NAME = b'scaled_dot_product_attention'.decode()", 1),
    "attrgetter": ("import operator\nf = operator.attrgetter('scaled_dot_product_attention')(F)", 2),
    "subscript": ("f = vars(F)['scaled_dot_product_attention']", 1),
    "aten": ("import torch\ntorch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v)", 2),
    "aten, the mathematical one": ("import torch\ntorch._scaled_dot_product_attention_math(q, k, v)", 2),
    "aten, a kernel": ("import torch\ntorch.ops.aten._flash_attention_forward(q, k, v)", 2),
    "safe softmax": ("import torch\ntorch._safe_softmax(q, -1)", 2),
    "private module": ("from torch._C import _nn", 1),
    "private module's other functions": ("import torch\ntorch._C._nn.gelu(q)", 2),
    "module": ("import torch.nn as nn\nm = nn.MultiheadAttention(8, 2)", 2),
    "module, imported": ("from torch.nn import MultiheadAttention as M", 1),
    "encoder layer": ("from torch import nn\nm = nn.TransformerEncoderLayer(8, 2)", 2),
    "decoder layer": ("from torch import nn\nm = nn.TransformerDecoderLayer(8, 2)", 2),
    "transformer": ("from torch import nn\nm = nn.Transformer(8, 2)", 2),
    "functional of the module": ("import torch\ntorch.nn.functional.multi_head_attention_forward(q)", 2),
    "flex": ("from torch.nn.attention.flex_attention import flex_attention", 1),
    "torch.nn.attention": ("import torch.nn.attention", 1),
    "torch.nn.attention, from": ("from torch.nn import attention", 1),
    "importlib": ("import importlib\nm = importlib.import_module('torch.nn.attention')", 2),
    "__import__": ("m = __import__('torch').nn.functional.scaled_dot_product_attention", 1),
    "eval": ("f = eval('torch.nn.functional.scaled_dot_product_attention')", 1),
    "exec": ("exec('from torch.nn.functional import scaled_dot_product_attention as s')", 1),
    "exec of a template": ("exec('f = F.scaled_dot_product_attention(q, is_causal={})'.format(flag))", 1),
    "exec of several lines": ("SOURCE = '''\nimport torch\nm = torch.nn.MultiheadAttention(8, 2)\n'''", 1),
    "an operator's name": ("import torch\nf = torch._C._jit_get_operation('aten::scaled_dot_product_attention')", 2),
    "in a function's default": ("def attention(q, k, v, f=F.scaled_dot_product_attention): pass", 1),
    "a method of the same name beside it": (
        "import torch.nn.functional as F\nclass A:\n  def scaled_dot_product_attention(self): pass\n"
        "F.scaled_dot_product_attention(q, k, v)",
        4,
    ),
    "letters of another alphabet": ("F.\U0001d42ccaled_dot_product_attention(q, k, v)", 1),
}
ACCEPTED = {
    "written out": "import torch\ndef attention(q, k, v):\n  return torch.softmax(q @ k.mT / 2, -1) @ v",
    "comment": "# not F.scaled_dot_product_attention(q, k, v)\nx = 1",
    "docstring of a module": '"""Like F.scaled_dot_product_attention."""\nx = 1',
    "docstring of a function": 'def f():\n  """As scaled_dot_product_attention does."""\n  return 1',
    "text alone": "x = 1\n'scaled_dot_product_attention, in other words'\n",
    "an error message": "raise ValueError('unlike scaled_dot_product_attention, this wants equal widths')",
    "a note": "NOTE = 'written out; no call of F.scaled_dot_product_attention'",
    "a formatted message": "print(f'{x} and not nn.MultiheadAttention, which is torch.nn.attention of {y}')",
    "a docstring that is assigned": "def f(): pass\nf.__doc__ = 'As F.scaled_dot_product_attention(q, k, v) does.'",
    "a function of one's own": "def scaled_dot_product_attention(q):\n  return q\nscaled_dot_product_attention(1)",
    "a private one": "def _scaled_dot_product_attention(q):\n  return q\nf = _scaled_dot_product_attention",
    "a method of one's own": (
        "import torch\nclass Attention(torch.nn.Module):\n  def scaled_dot_product_attention(self, q):\n    return q\n"
        "  def forward(self, q):\n    return self.scaled_dot_product_attention(q)\n"
        "Attention().scaled_dot_product_attention(1)"
    ),
    "an attribute of one's own": "class A:\n  def __init__(self):\n    self.flex_attention = 1\nA().flex_attention",
    "an attribute of one's own class": "class A:\n  flex_attention = 1\n  def f(self): return self.flex_attention",
    "a field": "@dataclass\nclass A:\n  flex_attention: bool = True\nA().flex_attention",
    "a class of one's own": "class MultiheadAttention: pass\nMultiheadAttention()",
    "a parameter": "def f(flex_attention):\n  return flex_attention",
    "other modules": "from torch import nn\nimport torch.nn.functional as F\nnn.Softmax(-1), F.softmax, nn.Linear",
    "compile": "import torch\nf = torch.compile(g)",
    "attention in other names": "from mine import self_attention\nx.attention.attention_weights = 'attention'",
    "no Python": "def attention(q, k v):\n  return F.scaled_dot_product_attention(q, k, v)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_fused_call_by_any_name_is_refused_with_its_line(name: str) -> None:
    source, line = REFUSED[name]
    told = refusal(source, RULE)
    assert told.startswith(f"Line {line} uses "), told
    assert told.endswith(RULES[NO_FUSED_ATTENTION].remedy)
    assert refusal(source, ()) == ""


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_not_the_fused_call_is_not_refused(name: str) -> None:
    assert refusal(ACCEPTED[name], RULE) == ""


def test_the_first_line_is_told_and_what_stands_there() -> None:
    source = "import torch.nn.functional as F\nf = getattr(F, 'flex_attention')\ng = F.scaled_dot_product_attention\n"
    assert refusal(source, RULE) == (
        "Line 2 uses the text 'flex_attention' (in a comment it may stand), which this exercise does not allow. "
        "Here attention is to be written out: make the scores, the mask, the softmax and the blend yourself."
    )
    told = refusal(source.replace("getattr(F, 'flex_attention')", "1"), RULE)
    assert told.startswith("Line 3 uses torch.nn.functional.scaled_dot_product_attention, which")


@pytest.mark.parametrize(
    "source",
    ["a" + ".b" * 30_000, "a" + "()" * 30_000, "'a'" + "+'b'" * 15_000, "'a'" + "+'b'" * 2_000, "-" * 60_000 + "1"],
    ids=["attributes", "calls", "sum", "shorter sum", "minus"],
)
def test_a_source_too_deep_to_look_at_is_refused(source: str) -> None:
    assert refusal(source, RULE) == "The source is nested too deeply to be read."


def test_what_is_refused_is_not_run() -> None:
    sandbox = ScriptedSandbox()
    source, _ = REFUSED["attribute"]
    report = judge(Job(replace(exercise(), rules=RULE), source.encode(), 5), sandbox)
    assert report.status is Status.REFUSED
    assert report.message == refusal(source, RULE)
    assert [one.message for one in report.checks[1:]] == ["Not run."] * (len(report.checks) - 1)
    assert sandbox.sources == []


def test_what_python_cannot_read_goes_on_to_be_loaded() -> None:
    sandbox = ScriptedSandbox()
    judge(Job(replace(exercise(), rules=RULE), ACCEPTED["no Python"].encode(), 5), sandbox)
    assert sandbox.sources == [ACCEPTED["no Python"]]


def test_a_rule_that_is_not_known_is_a_fault_of_the_package() -> None:
    spec = replace(exercise(), rules=("no-loops",))
    with pytest.raises(CheckSpecError, match="there is no rule 'no-loops'"):
        judge(Job(spec, b"x = 1\n", 5), ScriptedSandbox())
    with pytest.raises(SpecError, match="no-loops"):
        exercise_spec({"slug": "a", "entry": "a", "operation": "a", "checks": [], "rules": ["no-loops"]}, revision=1)


def test_the_package_format_knows_the_same_rules() -> None:
    (of_list,) = get_args(ExerciseFile.model_fields["rules"].annotation)
    assert set(get_args(of_list)) == set(RULES)


def test_a_text_that_multiplies_takes_neither_time_nor_memory() -> None:
    """Ten kilobytes of source, which joined are ten gigabytes of text."""
    text = "'aaaaaaaaaa'"
    for _ in range(3):
        text = f"{text}.join([{','.join(['chr(0)'] * 1000)}])"
    tracemalloc.start()
    try:
        assert refusal(f"x = lambda: {text}\n", RULE) == ""
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_attributes_without_end_are_refused() -> None:
    assert "nested too deeply" in refusal(f"x = a{'.b' * 101}\n", RULE)
    assert refusal(f"x = a{'.b' * 100}\n", RULE) == ""


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nx = torch.nn.functional.scaled_dot_product_attention.__call__.__self__\n",
        "import torch\nx = torch.nn.attention.something.of.it\n",
        "x = 'of the ' + ' and '.join(['scaled_dot_product_attention', 'others'])\n",
    ],
)
def test_what_is_in_the_middle_of_a_path_or_a_text_is_found(source: str) -> None:
    assert "does not allow" in refusal(source, RULE)
