"""The app of the authors: briefs and samples that become items."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WritingConfig(AppConfig):
    name = "writing"
    verbose_name = "Writing"

    def ready(self) -> None:
        from annotation.actions.demo import add_part
        from annotation.actions.leaving import add_leaving
        from annotation.actions.recoding import add_recoding
        from annotation.actions.resting import add_resting
        from annotation.formats import add_format
        from annotation.templatetags.navigation import add_role_page, add_tab
        from writing.actions.demo import PART
        from writing.actions.holding import leave
        from writing.actions.resting import keep_share, pictures_written_about
        from writing.selectors.exports import FORMAT

        add_role_page("writer", "writing", _("Write"))
        add_role_page("writer", "translations", _("Translate"))
        add_tab("translation_matrix", _("Translations"), after="items")
        add_tab("samples", _("Samples"), after="items")
        add_format(FORMAT)
        add_part(PART)
        add_leaving(leave)
        add_recoding(keep_share)
        add_resting(pictures_written_about)
