"""Signing in and signing up keep what a visitor did."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from courses.services.learners import learner_claim


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """django-allauth calls `login` for a sign-in and for a sign-up alike, once every stage before it has passed."""

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        super().login(request, user)
        learner_claim(request, user)
