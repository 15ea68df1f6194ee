"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("livez", health.livez, name="livez"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("", include("courses.urls")),
    path("", include("grader.urls")),
]
