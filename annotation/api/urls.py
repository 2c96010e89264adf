"""Addresses of the JSON API."""

urlpatterns: list = []
