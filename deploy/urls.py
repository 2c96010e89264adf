"""Every address of the site. Of allauth only the pages that a closed site needs."""

from allauth.account import views as account
from django.urls import include, path
from django.views.generic import TemplateView

urlpatterns = [
    path("accounts/login/", account.login, name="account_login"),
    path("accounts/logout/", account.logout, name="account_logout"),
    path("accounts/signup/", account.signup, name="account_signup"),
    path("accounts/inactive/", account.account_inactive, name="account_inactive"),
    path("accounts/password/", account.password_change, name="account_change_password"),
    path("accounts/password/set/", account.password_set, name="account_set_password"),
    path(
        "accounts/password/forgotten/",
        TemplateView.as_view(template_name="account/password_reset.html"),
        name="account_reset_password",
    ),
    path("api/v1/", include("annotation.api.urls")),
    path("", include("agreement.urls")),
    path("", include("writing.urls")),
    path("", include("annotation.urls")),
]
