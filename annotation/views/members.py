"""The people of a project: adding them, their roles and links, removing them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation import access
from annotation.actions import people
from annotation.addresses import welcome_address
from annotation.errors import Refused
from annotation.models import Membership, Participant, Project
from annotation.requests import UserRequest
from annotation.selectors.accounts import mail_works
from annotation.selectors.invitations import invitations_of
from annotation.selectors.members import members_of, tokens_of

Role = Membership.Role


def members_page(
    request: HttpRequest, project: Project, status: int = 200, **more: object
) -> HttpResponse:
    """The members and the invitations, with what an attempt left to say."""
    context = {
        "project": project,
        "active": "members",
        "members": members_of(project),
        "roles": Role.choices,
        "invitations": invitations_of(project),
        "mail_works": mail_works(),
    }
    return render(request, "annotation/members/list.html", context | more, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def members(request: UserRequest, slug: str) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    if request.method != "POST":
        return members_page(request, project)
    try:
        person, made = people.add_member(
            request.user,
            project,
            request.POST.get("username", "").strip(),
            request.POST.get("role", ""),
            request.POST.getlist("languages"),
        )
    except Refused as refused:
        return members_page(request, project, 422, problems=refused.problems, values=request.POST)
    if made:
        return _with_link(request, person)
    messages.success(request, _("%s is in the project now.") % person)
    return redirect("members", slug)


def _with_link(request: UserRequest, person: Participant) -> HttpResponse:
    """The page with the link on it: it is in no log, no message store and shown this once."""
    secret = people.new_password_link(request.user, person)
    link = welcome_address(secret, f"{request.scheme}://{request.get_host()}")
    return members_page(request, person.project, link=link, person=person, tokens=tokens_of(person))


@login_required
@require_POST
def member_link(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    person = access.member_for(request.user, project, pk)
    try:
        return _with_link(request, person)
    except Refused as refused:
        return members_page(request, project, 422, problems=refused.problems)


@login_required
@require_http_methods(["GET", "POST"])
def member(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    person = access.member_for(request.user, project, pk)
    problems = []
    if request.method == "POST":
        roles = {
            role: request.POST.getlist(f"languages-{role}")
            for role in request.POST.getlist("roles")
        }
        try:
            people.change_roles(request.user, person, roles)
            messages.success(request, _("The roles of %s are changed.") % person)
            return redirect("members", slug)
        except Refused as refused:
            problems = refused.problems
    held: dict[str, list[str]] = {m.role: m.languages for m in person.memberships.all()}
    rows = [(role, label, role in held, held.get(role, [])) for role, label in Role.choices]
    context = {"project": project, "active": "members", "person": person, "rows": rows}
    context["problems"] = problems
    status = 422 if problems else 200
    return render(request, "annotation/members/member.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def member_tokens(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Revoke the person's API tokens, after a page that says how many there are."""
    project = access.coordinated(request.user, slug)
    person = access.member_for(request.user, project, pk)
    context = {"project": project, "active": "members", "person": person}
    context["tokens"] = tokens_of(person)
    if request.method == "POST":
        try:
            count = people.revoke_tokens(request.user, person)
            text = ngettext("%d token is revoked.", "%d tokens are revoked.", count)
            messages.success(request, text % count)
            return redirect("members", slug)
        except Refused as refused:
            context["problems"] = refused.problems
            return render(request, "annotation/members/tokens.html", context, status=422)
    return render(request, "annotation/members/tokens.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def member_remove(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    project = access.coordinated(request.user, slug)
    person = access.member_for(request.user, project, pk)
    context = {"project": project, "active": "members", "person": person}
    context["claimed"] = person.places.filter(state="claimed").count()
    context["submitted"] = person.places.filter(state="submitted").count()
    if request.method == "POST":
        try:
            people.remove_member(request.user, person)
            messages.success(request, _("%s has left the project.") % person)
            return redirect("members", slug)
        except Refused as refused:
            context["problems"] = refused.problems
            return render(request, "annotation/members/remove.html", context, status=422)
    return render(request, "annotation/members/remove.html", context)
