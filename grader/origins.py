"""Where a visitor's submissions come from: enough to count those that wait, and no address kept.

A visitor who sends no cookie back is a new learner each time, so visitors are limited by address as well.
"""

from __future__ import annotations

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64  # bits; whoever has one address of such a network has them all


def origin_of(request: HttpRequest) -> str:
    """A keyed digest, 32 hexadecimal digits, of the address that a request came from. Of IPv6 a /64 counts as one.

    The address is found as for failed sign-ins: behind a proxy that is told of in the settings it is the visitor's.
    Requests whose address cannot be told count as from one.
    """
    try:
        address = _network(get_adapter().get_client_ip(request))
    except PermissionDenied:
        address = "unknown"
    return salted_hmac("grader.origins", address, algorithm="sha256").hexdigest()[:32]


def _network(text: str) -> str:
    address = ipaddress.ip_address(text)
    if address.version == 4:
        return str(address)
    mapped = address.ipv4_mapped
    return str(mapped or ipaddress.ip_network((int(address), IPV6_PREFIX), strict=False))
