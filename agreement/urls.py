"""Addresses of the agreement pages and of their part of the API."""

from django.urls import path

from agreement.api import AgreementView
from agreement.views import reports

urlpatterns = [
    path("p/<slug:slug>/agreement/", reports.agreement, name="agreement"),
    path("p/<slug:slug>/agreement/compare/", reports.compare, name="agreement_compare"),
    path(
        "p/<slug:slug>/agreement/figures/<slug:name>.<slug:kind>",
        reports.figure,
        name="agreement_figure",
    ),
    path(
        "p/<slug:slug>/agreement/<slug:name>.<slug:kind>",
        reports.download,
        name="agreement_download",
    ),
    path("api/v1/projects/<slug:slug>/agreement/", AgreementView.as_view(), name="api_agreement"),
]
