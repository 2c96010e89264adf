"""The app of the numbers: pure statistics, then reports and pages."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgreementConfig(AppConfig):
    name = "agreement"
    verbose_name = "Agreement"

    def ready(self) -> None:
        from annotation.templatetags.navigation import add_tab

        add_tab("agreement", _("Agreement"), after="aside")
