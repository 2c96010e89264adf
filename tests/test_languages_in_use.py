"""A language that somebody works in, or is invited to, stays in the project's settings."""

from __future__ import annotations

import pytest

from annotation.actions.invitations import make_invitations, revoke_invitation
from annotation.actions.people import change_roles
from annotation.actions.projects import checked_languages, create_project
from annotation.actions.settings import change_settings
from annotation.errors import Refused
from annotation.models import Invitation, Project
from tests import factories


@pytest.fixture
def project(db):
    return factories.make_project(languages=("en", "fr"))


@pytest.mark.parametrize(
    "word", ["English", "french", "e", "en_GB", "en-", "zh-Hans-toolongforone", "\u017fv"]
)
def test_what_is_no_language_code_is_refused_by_its_name_with_an_example(db, word):
    with pytest.raises(Refused, match=f"“{word}” is no language code: .* en, pt-BR or zh-Hans"):
        create_project(None, "new", "sheep", ["en", word])
    assert not Project.objects.exists()
    assert checked_languages([word], [word]) == [word]  # what a project has already is kept


def test_codes_of_bcp_47_are_taken():
    codes = ["en", "gsw", "FR", "zh-Hans", "pt-BR", "es-419", "de-CH-1996", "sl-rozaj", "en-x-lamb"]
    assert checked_languages([*codes, " en "]) == codes


@pytest.mark.parametrize(
    ("codes", "named"),
    [(["en", "EN", "En"], ("en", "EN")), (["zh-Hans", "fr", "ZH-hans"], ("zh-Hans", "ZH-hans"))],
)
def test_codes_that_differ_by_case_alone_are_refused_and_both_named(db, codes, named):
    told = "“{}” and “{}” are one language: give one of them.".format(*named)
    with pytest.raises(Refused, match=told):
        create_project(None, "new", "sheep", codes)
    assert not Project.objects.exists()
    with pytest.raises(Refused, match=told):
        checked_languages(codes, codes[:1])
    assert checked_languages(codes, codes) == codes  # a project that has both can be saved


def refused(project, languages=("en",)) -> str:
    with pytest.raises(Refused) as error:
        change_settings(None, project, list(languages))
    assert {problem.where for problem in error.value.problems} == {"languages"}
    assert Project.objects.get(pk=project.pk).languages == ["en", "fr"]
    return " / ".join(problem.message for problem in error.value.problems)


@pytest.mark.parametrize("role", ["annotator", "writer"])
def test_a_language_of_members_is_kept_and_they_are_named(project, role):
    french = factories.join(project, "french", role, ("fr",))
    both = factories.join(project, "both", role, ("en", "fr"))
    factories.join(project, "english", role, ("en",))
    factories.join(project, "everything", role)
    foreign = factories.make_project("other", languages=("fr",))
    factories.join(foreign, "foreign", role, ("fr",))
    told = refused(project)
    assert "fr is a language of both, french:" in told and "eng" not in told
    for user in (french, both):
        change_roles(None, project.participants.get(user=user), {role: ["en"]})
    change_settings(None, project, ["en"])
    assert Project.objects.get(pk=project.pk).languages == ["en"]


def test_the_settings_take_no_second_spelling_of_a_language(project):
    assert "“en” and “EN” are one language" in refused(project, ("en", "fr", "EN"))


def test_a_language_of_open_invitations_is_kept(project, coordinator):
    make_invitations(coordinator, project, "writer", ["fr"], 7)
    make_invitations(coordinator, project, "annotator", ["en", "fr"], 7)
    make_invitations(coordinator, project, "annotator", ["en"], 7)
    make_invitations(coordinator, project, "annotator", [], 7)
    told = refused(project)
    assert told.count("An open invitation") == 2 and "as Writer names fr" in told
    first, second = Invitation.objects.order_by("pk")[:2]
    revoke_invitation(coordinator, project, first.pk)
    assert refused(project).count("An open invitation") == 1
    Invitation.objects.filter(pk=second.pk).update(expires_at="2026-01-01T00:00:00Z")
    change_settings(coordinator, project, ["en"])
    assert Project.objects.get(pk=project.pk).languages == ["en"]


def test_what_names_a_language_that_is_gone_already_hinders_nothing(project):
    factories.join(project, "old", "writer", ("de",))
    change_settings(None, project, ["en", "fr"], name="Another name")
    assert Project.objects.get(pk=project.pk).name == "Another name"
