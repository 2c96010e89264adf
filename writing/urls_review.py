"""Addresses of the coordinator's pages: samples, briefs and the policy."""

from __future__ import annotations

from django.urls import URLPattern, path

from writing.views import briefs, policy, review, review_bulk, review_csv

urlpatterns: list[URLPattern] = [
    path("p/<slug:slug>/samples/", review.samples, name="samples"),
    path("p/<slug:slug>/samples/together/", review_bulk.together, name="samples_together"),
    path("p/<slug:slug>/samples/policy/", policy.writing_policy, name="writing_policy"),
    path("p/<slug:slug>/samples/<slug:name>.csv", review_csv.samples_csv, name="samples_csv"),
    path("p/<slug:slug>/samples/<id:pk>/", review.sample, name="sample"),
    path(
        "p/<slug:slug>/samples/<id:pk>/<slug:decision>/",
        review.sample_decision,
        name="sample_decision",
    ),
    path("p/<slug:slug>/briefs/", briefs.briefs, name="briefs"),
]
