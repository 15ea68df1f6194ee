"""Addresses of the lesson side. Every POST works as a plain form and as an htmx request."""

from django.urls import path

from courses import views

LESSON = "courses/<slug:course>/<slug:lesson>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("theme/", views.theme, name="theme"),
    path("courses/<slug:slug>/", views.course, name="course"),
    path(LESSON, views.lesson, name="lesson"),
    path(LESSON + "sections/<slug:section>/", views.section, name="section_mark"),
    path(LESSON + "quizzes/<slug:item>/", views.answer, {"kind": "quiz"}, name="quiz_answer"),
    path(LESSON + "myths/<slug:item>/", views.answer, {"kind": "myth"}, name="myth_guess"),
    path(LESSON + "paper/<slug:item>/", views.answer, {"kind": "paper"}, name="paper_check"),
    path(LESSON + "questions/<slug:item>/", views.answer, {"kind": "question"}, name="question_answer"),
    path(LESSON + "cards/<slug:card>/", views.card, name="card_review"),
]
