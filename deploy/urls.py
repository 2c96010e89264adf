"""Every address of the site."""

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("", include("annotation.urls")),
]
