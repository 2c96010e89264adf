"""Two coordinators, or two tabs, at the same settings: neither undoes what the other changed."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from annotation.actions import labels, settings
from annotation.errors import Unknown
from annotation.models import Label, Project

SETTINGS = "/p/flock/settings/"


def form(browser: Client, address: str) -> dict[str, str]:
    """What the page's form would send as it stands."""
    page = browser.get(address).content.decode()
    return fields(page)


def fields(page: str) -> dict[str, str]:
    page = page[page.index('<form method="post"', page.index("<main")) :]
    found = {}
    for tag in re.findall(r"<input [^>]*>", page):
        name, value = (re.search(rf' {part}="([^"]*)"', tag) for part in ("name", "value"))
        checked = "checkbox" not in tag or " checked" in tag
        if name and checked:
            found[name[1]] = unescape(value[1]) if value else "on"
    for name, text in re.findall(
        r'<textarea [^>]*name="(\w+)"[^>]*>\n(.*?)</textarea>', page, re.S
    ):
        found[name] = unescape(text)
    return found


@pytest.fixture
def tabs(project, coordinator, page_as):
    """The browsers of two people, each with the same form open at an address."""

    def opened(address: str) -> tuple[Client, dict[str, str], dict[str, str]]:
        browser = page_as(coordinator)
        return browser, form(browser, address), form(browser, address)

    return opened


def test_of_two_who_change_different_settings_both_are_kept(tabs, project):
    browser, first, second = tabs(SETTINGS)
    first |= {"guidelines": "Mark **little**.", "overlap_allowed": "on", "languages": "en, fr"}
    assert browser.post(SETTINGS, first).status_code == 302
    assert browser.post(SETTINGS, second | {"idle_seconds": "90"}).status_code == 302
    project.refresh_from_db()
    assert (project.guidelines, project.idle_seconds) == ("Mark **little**.", 90)
    assert project.overlap_allowed and project.languages == ["en", "fr"]


@pytest.mark.parametrize(
    ("name", "theirs", "mine", "told"),
    [
        ("guidelines", "Mark little.", "Mark much.", "“Mark little.”"),
        ("guidelines", "Mark little. " * 40, "Mark much.", "second tab"),
        ("per_item", "5", "2", "“5”"),
        ("languages", "en, fr", "en, de", "“en, fr”"),
        ("name", "Herd", "Pen", "“Herd”"),
    ],
)
def test_who_changes_the_same_setting_reads_so_and_decides(tabs, project, name, theirs, mine, told):
    browser, first, second = tabs(SETTINGS)
    browser.post(SETTINGS, first | {name: theirs, "idle_seconds": "90"})
    told_to = browser.post(SETTINGS, second | {name: mine})
    page = told_to.content.decode()
    assert told_to.status_code == 422 and told in page and f'id="{name}-problem"' in page
    stored = Project.objects.values().get()
    again = fields(page)
    assert again[name] == mine and again["idle_seconds"] == second["idle_seconds"]
    assert browser.post(SETTINGS, again).status_code == 302
    wanted = {"per_item": int, "languages": lambda text: text.split(", ")}.get(name, str)(mine)
    assert Project.objects.values().get() == stored | {
        name: wanted
    }  # the idle time, too, is theirs


def test_who_changes_a_setting_to_the_same_is_not_stopped(tabs, project):
    browser, first, second = tabs(SETTINGS)
    for sent in (first, second):
        assert browser.post(SETTINGS, sent | {"guidelines": "Mark little."}).status_code == 302


def test_other_faults_of_a_form_do_not_make_it_forget_what_it_showed(tabs, project):
    browser, first, second = tabs(SETTINGS)
    browser.post(SETTINGS, first | {"guidelines": "Mark little."})
    refused = browser.post(SETTINGS, second | {"idle_seconds": "1"})
    assert refused.status_code == 422
    again = fields(refused.content.decode()) | {"idle_seconds": "90"}
    assert browser.post(SETTINGS, again).status_code == 302
    project.refresh_from_db()
    assert (project.guidelines, project.idle_seconds) == ("Mark little.", 90)


@pytest.mark.parametrize("seen", ["", "x", "guidelines:", "guidelines:1 :", "\x00"])
def test_a_form_that_does_not_say_what_it_showed_is_taken_at_its_word(tabs, project, seen):
    browser, first, _second = tabs(SETTINGS)
    answer = browser.post(SETTINGS, first | {"name": "Herd", "guidelines": "a", "seen": seen})
    assert answer.status_code == (422 if "guidelines" in seen else 302)


def test_what_is_not_asked_for_stays_as_it_is_whenever_the_project_was_read(project):
    stale = Project.objects.get()
    settings.change_settings(None, project, ["en"], guidelines="Mark little.")
    settings.change_settings(None, stale, ["en"], per_item=5)
    project.refresh_from_db()
    assert (project.guidelines, project.per_item) == ("Mark little.", 5)
    assert stale.guidelines == "Mark little."


def test_labels_are_changed_by_two_in_the_same_way(tabs, project):
    label = Label.objects.get(code="B")
    address = f"/p/flock/labels/{label.pk}/"
    browser, first, second = tabs(address)
    assert browser.post(address, first | {"description": "Wrong colour."}).status_code == 302
    second |= {"name": "Wrongly described", "rule": "Few characters."}
    assert browser.post(address, second).status_code == 302
    label.refresh_from_db()
    assert (label.description, label.name) == ("Wrong colour.", "Wrongly described")
    told = browser.post(address, first | {"rule": "Many."})
    page = told.content.decode()
    assert told.status_code == 422 and "“Few characters.”" in page and 'id="rule-problem"' in page
    label.refresh_from_db()
    assert label.rule == "Few characters."
    assert browser.post(address, fields(page)).status_code == 302
    label.refresh_from_db()
    assert (label.rule, label.name) == ("Many.", "Wrongly described")


@pytest.mark.parametrize("act", ["change", "remove", "restore", "up", "down"])
def test_a_label_that_somebody_deleted_meanwhile_stays_deleted(project, coordinator, act):
    deleted, stale = (Label.objects.get(code="B") for _ in range(2))
    labels.remove_label(None, deleted)
    acts = {
        "change": lambda: labels.change_label(coordinator, stale, name="Back"),
        "remove": lambda: labels.remove_label(coordinator, stale),
        "restore": lambda: labels.restore_label(coordinator, stale),
        "up": lambda: labels.move_label(coordinator, stale, True),
        "down": lambda: labels.move_label(coordinator, stale, False),
    }
    with pytest.raises(Unknown):
        acts[act]()
    assert not Label.objects.filter(code="B").exists()


def test_archiving_and_restoring_keep_what_somebody_changed_meanwhile(project, coordinator):
    first, second = (Label.objects.get(code="B") for _ in range(2))
    labels.change_label(coordinator, first, name="Wrongly described")
    labels.restore_label(coordinator, second)
    assert Label.objects.get(code="B").name == "Wrongly described"
