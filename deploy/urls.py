"""Every address of the site. Of allauth only the pages that a closed site needs."""

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import include, path, re_path

handler400 = "annotation.views.hosts.bad_request"
handler404 = "annotation.views.failures.not_found"
handler500 = "annotation.views.failures.server_error"

urlpatterns = [
    path("accounts/login/", account.login, name="account_login"),
    path("accounts/logout/", account.logout, name="account_logout"),
    path("accounts/signup/", account.signup, name="account_signup"),
    path("accounts/inactive/", account.account_inactive, name="account_inactive"),
    path("accounts/password/", account.password_change, name="account_change_password"),
    path("accounts/password/set/", account.password_set, name="account_set_password"),
    path(
        "accounts/password/forgotten/sent/",
        account.password_reset_done,
        name="account_reset_password_done",
    ),
    re_path(
        r"^accounts/password/new/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/new/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("accounts/again/", account.reauthenticate, name="account_reauthenticate"),
    path("accounts/2fa/", second_factor.index, name="mfa_index"),
    path("accounts/2fa/code/", second_factor.authenticate, name="mfa_authenticate"),
    path("accounts/2fa/again/", second_factor.reauthenticate, name="mfa_reauthenticate"),
    path("accounts/2fa/app/", totp.activate_totp, name="mfa_activate_totp"),
    path("accounts/2fa/app/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path(
        "accounts/2fa/recovery/",
        recovery_codes.view_recovery_codes,
        name="mfa_view_recovery_codes",
    ),
    path(
        "accounts/2fa/recovery/new/",
        recovery_codes.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "accounts/2fa/recovery/codes.txt",
        recovery_codes.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path("api/v1/", include("annotation.api.urls")),
    path("", include("agreement.urls")),
    path("", include("writing.urls")),
    path("", include("annotation.urls")),
]
