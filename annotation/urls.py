"""Addresses of the pages."""

from django.urls import path

from annotation.views import (
    accounts,
    audit,
    home,
    imports,
    invitations,
    items,
    label,
    labels,
    members,
    pictures,
    progress,
    settings,
    welcome,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("new/", home.project_new, name="project_new"),
    path("welcome/<str:secret>/", welcome.password_link, name="password_link"),
    path("join/<str:secret>/", invitations.join, name="join"),
    # One's own account
    path("accounts/", accounts.account, name="account"),
    path("accounts/sessions/", accounts.sessions, name="account_sessions"),
    path("accounts/tokens/", accounts.tokens, name="account_tokens"),
    path("accounts/email/", accounts.email, name="account_email"),
    path("accounts/erase/", accounts.erase, name="account_erase"),
    path(
        "accounts/password/forgotten/",
        accounts.password_forgotten,
        name="account_reset_password",
    ),
    path("p/<slug:slug>/members/", members.members, name="members"),
    path("p/<slug:slug>/members/<id:pk>/", members.member, name="member"),
    path("p/<slug:slug>/invitations/", invitations.invite, name="invite"),
    path(
        "p/<slug:slug>/invitations/<id:pk>/revoke/",
        invitations.invitation_revoke,
        name="invitation_revoke",
    ),
    path("p/<slug:slug>/log/", audit.audit, name="audit"),
    path("p/<slug:slug>/log/log.<slug:kind>", audit.audit_download, name="audit_download"),
    path("p/<slug:slug>/members/<id:pk>/link/", members.member_link, name="member_link"),
    path("p/<slug:slug>/members/<id:pk>/tokens/", members.member_tokens, name="member_tokens"),
    path("p/<slug:slug>/members/<id:pk>/remove/", members.member_remove, name="member_remove"),
    path("p/<slug:slug>/", progress.project, name="project"),
    path("p/<slug:slug>/progress.csv", progress.progress_csv, name="progress_csv"),
    path("p/<slug:slug>/places/<id:pk>/release/", progress.release, name="release"),
    path(
        "p/<slug:slug>/people/<id:pk>/withdraw/", progress.person_withdraw, name="person_withdraw"
    ),
    path("p/<slug:slug>/items/", items.items, name="items"),
    path("p/<slug:slug>/items/<id:pk>/", items.item, name="item"),
    path("p/<slug:slug>/items/<id:pk>/<slug:decision>/", items.item_decision, name="item_decision"),
    path(
        "p/<slug:slug>/answers/<id:pk>/<slug:decision>/",
        items.answer_decision,
        name="answer_decision",
    ),
    path("p/<slug:slug>/aside/", items.aside, name="aside"),
    path("p/<slug:slug>/reported/", items.reported, name="reported"),
    path("p/<slug:slug>/settings/", settings.project_settings, name="project_settings"),
    path("p/<slug:slug>/labels/", labels.labels, name="labels"),
    path("p/<slug:slug>/labels/<id:pk>/", labels.label, name="label_edit"),
    path("p/<slug:slug>/labels/<id:pk>/<slug:change>/", labels.label_change, name="label_change"),
    # The labelling page
    path("p/<slug:slug>/label/", label.label, name="label"),
    path("p/<slug:slug>/label/<id:assignment_id>/", label.label, name="label_one"),
    path("p/<slug:slug>/label/back/", label.label_back, name="label_back"),
    path("p/<slug:slug>/guidelines/", label.guidelines, name="guidelines"),
    # Files in and out
    path("p/<slug:slug>/import/", imports.import_page, name="import"),
    path("p/<slug:slug>/jobs/", imports.jobs, name="jobs"),
    path("p/<slug:slug>/jobs/<id:pk>/", imports.job, name="job"),
    path("p/<slug:slug>/jobs/<id:pk>/change/", imports.job_change, name="job_change"),
    path("p/<slug:slug>/jobs/<id:pk>/refused.csv", imports.job_refusals, name="job_refusals"),
    path("p/<slug:slug>/export/", imports.export_page, name="export"),
    path("pictures/<id:item_id>/", pictures.image, name="image"),
]
