"""Where visitors come from: which requests count as from one place, and that no address is kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import RequestFactory

from grader.origins import origin_of


def origin(address: str, forwarded: str = "") -> str:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return origin_of(RequestFactory(REMOTE_ADDR=address).post("/", headers=headers))


def test_an_origin_is_a_digest_that_only_this_site_can_make(settings: Any) -> None:
    made = origin("192.0.2.7")
    assert re.fullmatch("[0-9a-f]{32}", made)
    assert origin("192.0.2.7") == made
    settings.SECRET_KEY = "another"
    assert origin("192.0.2.7") != made


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.7", "192.0.2.8", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", True),  # one /64
        ("2001:db8:0:1::1", "2001:0DB8:0000:0001:0::1", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", False),  # though of one /64
        ("fe80::1%eth0", "fe80::1%eth1", True),
        ("", "no address", True),
        ("", "192.0.2.7", False),
    ],
)
def test_what_counts_as_one_place(one: str, other: str, same: bool) -> None:
    assert (origin(one) == origin(other)) is same


def test_what_a_visitor_says_of_the_address_counts_for_nothing() -> None:
    assert origin("192.0.2.7", forwarded="198.51.100.1") == origin("192.0.2.7")


def test_behind_a_proxy_it_is_the_visitors_address(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    through_proxy = origin("10.0.0.1", forwarded="198.51.100.9, 192.0.2.7")  # the proxy added the last
    assert through_proxy == origin("192.0.2.7")
    assert through_proxy != origin("10.0.0.1", forwarded="198.51.100.9, 192.0.2.8")
