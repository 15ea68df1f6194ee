"""Addresses of the lesson side. Every POST works as a plain form and as an htmx request."""

from django.urls import path

from courses import progress_views, review_page, views

LESSON = "courses/<slug:course>/<slug:lesson>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("theme/", views.theme, name="theme"),
    path("review/", review_page.review, name="review"),
    path("review/undo/", review_page.undo, name="review_undo"),
    path("progress/", progress_views.progress, name="progress"),
    path("progress/data/", progress_views.data, name="progress_data"),
    path("progress/delete/", progress_views.delete, name="progress_delete"),
    path("progress/deleted/", progress_views.deleted, name="progress_deleted"),
    path("courses/<slug:slug>/", views.course, name="course"),
    path(LESSON, views.lesson, name="lesson"),
    path(LESSON + "sections/<slug:section>/", views.section, name="section_mark"),
    path(LESSON + "reading/", progress_views.reading, name="reading_record"),
    path(LESSON + "items/<slug:anchor>/", views.item, name="item"),
    path(LESSON + "quizzes/<slug:item>/", views.answer, {"kind": "quiz"}, name="quiz_answer"),
    path(LESSON + "myths/<slug:item>/", views.answer, {"kind": "myth"}, name="myth_guess"),
    path(LESSON + "paper/<slug:item>/", views.answer, {"kind": "paper"}, name="paper_check"),
    path(LESSON + "questions/<slug:item>/", views.answer, {"kind": "question"}, name="question_answer"),
    path(LESSON + "cards/<slug:card>/", views.card, name="card_review"),
]
