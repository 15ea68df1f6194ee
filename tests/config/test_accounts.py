"""Guessing passwords: counted in one place, whichever process and whichever form it is tried through."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-password"
TOO_MANY = "Too many failed login attempts"


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ada", password=PASSWORD, is_staff=True)


def sign_in(client: Client, password: str) -> str:
    response = client.post(reverse("account_login"), {"login": "ada", "password": password}, follow=True)
    return response.content.decode()


def test_after_some_wrong_passwords_not_even_the_right_one_is_tried(client: Client, user: User) -> None:
    for guess in range(5):
        assert TOO_MANY not in sign_in(client, f"guess {guess}")
    assert TOO_MANY in sign_in(Client(), PASSWORD)


def test_wrong_passwords_are_counted_in_the_database(client: Client, user: User) -> None:
    """Not in the memory of one process, of which a site has several."""
    sign_in(client, "a guess")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM site_cache WHERE cache_key LIKE '%login_failed%'")
        assert cursor.fetchone()[0] > 0


def test_the_admin_is_entered_through_the_sites_own_form(client: Client, user: User) -> None:
    response = client.post(reverse("admin:login"), {"username": "ada", "password": PASSWORD})
    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_login"))
    sign_in(client, PASSWORD)
    assert client.get(reverse("admin:index")).status_code == 200


def test_the_admin_is_not_open_to_learners(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    sign_in(client, PASSWORD)
    assert client.get(reverse("admin:index"), follow=True).status_code == 403
