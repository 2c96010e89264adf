"""Addresses of translations: the post-editors' pages, and the coordinators' matrix and report."""

from django.urls import URLPattern, path

from writing.views import translate

urlpatterns: list[URLPattern] = [
    path("p/<slug:slug>/translations/", translate.translations, name="translations"),
    path("p/<slug:slug>/translations/next/", translate.translation_next, name="translation_next"),
    path("p/<slug:slug>/translations/<id:pk>/", translate.translate, name="translate"),
    path(
        "p/<slug:slug>/translations/<id:pk>/<slug:change>/",
        translate.translation_change,
        name="translation_change",
    ),
    path(
        "p/<slug:slug>/samples/translations/",
        translate.translation_matrix,
        name="translation_matrix",
    ),
    path(
        "p/<slug:slug>/samples/translations.csv",
        translate.translation_report,
        name="translation_report",
    ),
]
