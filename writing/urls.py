"""Addresses of the writing pages and of their part of the API."""

from django.urls import include, path

urlpatterns = [
    path("", include("writing.urls_desk")),
    path("", include("writing.urls_translate")),
    path("", include("writing.urls_review")),
]
