"""Addresses of the writers' pages, and of samples and balance in the API."""

from django.urls import URLPattern, path

from writing.api import BalanceView, SampleView
from writing.views import desk

urlpatterns: list[URLPattern] = [
    path("p/<slug:slug>/writing/", desk.writing, name="writing"),
    path("p/<slug:slug>/writing/<id:pk>/", desk.write, name="write"),
    path("p/<slug:slug>/briefs/<id:pk>/start/", desk.brief_start, name="brief_start"),
    path("briefs/<id:pk>/picture/", desk.brief_picture, name="brief_picture"),
    path("api/v1/samples/<id:pk>/", SampleView.as_view(), name="api_sample"),
    path("api/v1/projects/<slug:slug>/balance/", BalanceView.as_view(), name="api_balance"),
]
