"""Addresses of exercises and submissions. Every POST works as a plain form and as an htmx request."""

from django.urls import path

from grader import views

urlpatterns = [
    path("exercises/<slug:slug>/", views.exercise, name="exercise"),
    path("exercises/<slug:slug>/submit/", views.submit, name="submit"),
    path("exercises/<slug:slug>/precheck/", views.precheck, name="precheck"),
    path("exercises/<slug:slug>/draft/", views.draft, name="draft"),
    path("submissions/<uuid:submission_id>/", views.submission, name="submission"),
    path("submissions/<uuid:submission_id>/difference/", views.difference, name="difference"),
    path("submissions/<uuid:submission_id>/gpu/", views.submission_gpu, name="submission_gpu"),
]
