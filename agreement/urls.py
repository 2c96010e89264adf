"""Addresses of the agreement pages and of their part of the API."""

from django.urls import path

from agreement import views
from agreement.api import AgreementView

urlpatterns = [
    path("p/<slug:slug>/agreement/", views.agreement, name="agreement"),
    path("p/<slug:slug>/agreement/compare/", views.compare, name="agreement_compare"),
    path(
        "p/<slug:slug>/agreement/figures/<slug:name>.<slug:kind>",
        views.figure,
        name="agreement_figure",
    ),
    path(
        "p/<slug:slug>/agreement/<slug:name>.<slug:kind>",
        views.download,
        name="agreement_download",
    ),
    path("api/v1/projects/<slug:slug>/agreement/", AgreementView.as_view(), name="api_agreement"),
]
