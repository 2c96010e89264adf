"""What a coordinator typed outlives the end of the session, and nobody else reads it."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from playwright.sync_api import Page, expect

from annotation.actions import settings
from annotation.models import Label, Project
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
RULES = "1. Mark as little as possible.\n2. Say why.  \n\nÉgalement : « moins » 🐑"
BACK = "What you typed is here again"


@pytest.fixture
def page(coordinators_page):
    return coordinators_page


def log_in_again(page: Page, name: str) -> None:
    expect(page.get_by_text("what you sent has not been done")).to_be_visible()
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_guidelines_typed_in_an_ended_session_come_back_and_are_saved(live_server, project, page):
    address = f"{live_server.url}/p/{project.slug}/settings/"
    page.goto(address)
    page.get_by_label("Guidelines for annotators").fill(RULES)
    page.get_by_label("Spans of one answer may overlap").check()
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save").click()
    log_in_again(page, "coordinator")
    expect(page).to_have_url(address)
    expect(page.get_by_role("status").filter(has_text=BACK)).to_be_visible()
    expect(page.get_by_label("Guidelines for annotators")).to_have_value(RULES)
    assert Project.objects.get().guidelines == ""
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    saved = Project.objects.get()
    assert (saved.guidelines, saved.overlap_allowed) == (RULES, True)
    page.reload()
    expect(page.get_by_text(BACK)).to_have_count(0)


def test_what_came_back_is_told_from_what_another_saved_meanwhile(
    live_server, project, coordinator, page
):
    page.goto(f"{live_server.url}/p/{project.slug}/settings/")
    page.get_by_label("Guidelines for annotators").fill(RULES)
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save").click()
    settings.change_settings(coordinator, project, project.languages, guidelines="Another's.")
    log_in_again(page, "coordinator")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Somebody else changed this").first).to_be_visible()
    assert Project.objects.get().guidelines == "Another's."


def test_a_label_that_was_to_be_added_comes_back_to_the_page_of_the_labels(
    live_server, project, page
):
    page.goto(f"{live_server.url}/p/{project.slug}/labels/")
    page.get_by_label("Facet").select_option("sublabel")
    page.get_by_label("Code", exact=True).fill("A1")
    page.get_by_label("Name", exact=True).fill("Not there")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Add").click()
    log_in_again(page, "coordinator")
    expect(page.get_by_label("Facet")).to_have_value("sublabel")
    expect(page.get_by_label("Code", exact=True)).to_have_value("A1")
    assert not Label.objects.filter(code="A1").exists()


def test_whoever_else_logs_in_there_reads_nothing_of_it(live_server, project, second, page):
    factories.join(project, "second", "coordinator")
    address = f"{live_server.url}/p/{project.slug}/settings/"
    page.goto(address)
    page.get_by_label("Guidelines for annotators").fill(RULES)
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save").click()
    log_in_again(page, second.username)
    expect(page).to_have_url(address)
    expect(page.get_by_label("Guidelines for annotators")).to_have_value("")
    assert "Say why" not in page.content()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_wrong_password_and_a_reload_of_the_login_lose_nothing(live_server, project, page):
    page.goto(f"{live_server.url}/p/{project.slug}/settings/")
    page.get_by_label("Guidelines for annotators").fill(RULES)
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("what you sent has not been done")).to_be_visible()
    page.reload()
    for password in ("wrong", factories.PASSWORD):
        page.get_by_label("User name").fill("coordinator")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text(BACK)).to_be_visible()
    expect(page.get_by_label("Guidelines for annotators")).to_have_value(RULES)


def test_a_form_that_is_not_trusted_any_more_comes_back_as_its_page_says(
    live_server, project, page
):
    """Its person has logged out and in again in another tab."""
    page.goto(f"{live_server.url}/p/{project.slug}/settings/")
    page.get_by_label("Guidelines for annotators").fill(RULES)
    page.locator("form[data-keep] [name=csrfmiddlewaretoken]").evaluate(
        "(e) => (e.value = 'x'.repeat(64))"
    )
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("What you sent has not been done")).to_be_visible()
    page.go_back()
    for _ in range(2):
        page.reload()
        expect(page.get_by_text(BACK)).to_be_visible()
    expect(page.get_by_label("Guidelines for annotators")).to_have_value(RULES)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()


def test_what_was_sent_while_the_database_was_away_is_there_at_the_next_visit(
    live_server, project, page, monkeypatch
):
    def away(*_: object, **__: object) -> None:
        raise OperationalError("database is locked")

    page.goto(f"{live_server.url}/p/{project.slug}/settings/")
    page.get_by_label("Guidelines for annotators").fill(RULES)
    with monkeypatch.context() as patch:
        patch.setattr("annotation.views.settings.actions.change_settings", away)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Not possible for the moment")).to_be_visible()
    page.get_by_role("link", name="To my projects").click()
    page.goto(f"{live_server.url}/p/{project.slug}/settings/")
    expect(page.get_by_text(BACK)).to_be_visible()
    expect(page.get_by_label("Guidelines for annotators")).to_have_value(RULES)


def test_what_was_saved_is_not_put_back_after_a_later_login(live_server, project, page):
    address = f"{live_server.url}/p/{project.slug}/settings/"
    page.goto(address)
    page.get_by_label("Guidelines for annotators").fill(RULES)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    page.context.clear_cookies(name="sessionid")
    page.goto(address)
    page.get_by_label("User name").fill("coordinator")
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Guidelines for annotators")).to_have_value(RULES)
    expect(page.get_by_text(BACK)).to_have_count(0)
