"""Pictures: found by name, confined to their folder, checked, stripped, shown to few."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from PIL import Image as Pillow

from annotation.actions import people, places
from annotation.models import Assignment, Image, Item
from tests.files import everything, jsonl, load, picture, row


@pytest.fixture(autouse=True)
def media(settings, tmp_path_factory):
    settings.MEDIA_ROOT = tmp_path_factory.mktemp("media")
    return settings.MEDIA_ROOT


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "pictures"
    path.mkdir()
    return path


def archive(path, **members: bytes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "/"), content)
    return path


def files(media) -> list[str]:
    return [path.name for path in media.rglob("*") if path.is_file()]


PNG = picture()


def cut(kind: str) -> bytes:
    """The first half of a picture's file."""
    buffer = io.BytesIO()
    Pillow.effect_noise((64, 64), 90).save(buffer, kind)
    return buffer.getvalue()[: buffer.tell() // 2]


BAD = [
    (b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", "is no JPEG, PNG, WebP or GIF"),
    (cut("JPEG"), "truncated or broken"),
    (cut("PNG"), "truncated or broken"),
    (b"", "is no JPEG"),
    (picture((3000, 3000)), "pixels: at most 1000000 in all"),
    (PNG + b"\0" * 60_000, "bytes: at most 50000 are taken"),
]


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize(("content", "reason"), BAD)
def test_a_bad_picture_refuses_its_row(
    project, folder, tmp_path, media, settings, content, reason, zipped
):
    """HumanSignal/label-studio PR #2273: no script in a picture; sizes before decoding."""
    settings.MAX_IMAGE_PIXELS, settings.MAX_IMAGE_BYTES = 1_000_000, 50_000
    (folder / "good.png").write_bytes(PNG)
    (folder / "bad.png").write_bytes(content)
    source = folder
    if zipped:
        source = archive(tmp_path / "p.zip", **{"good.png": PNG, "bad.png": content})
    path = jsonl(
        tmp_path / "i.jsonl", row("a", image_name="good.png"), row("b", image_name="bad.png")
    )
    before = everything()
    code, _, err = load(path, "--images", source)
    assert code == 1
    assert f"{path}:2: image_name: " in err
    assert reason in err
    assert everything() == before
    assert files(media) == []


def test_a_picture_that_is_not_there_refuses_its_row(project, folder, tmp_path):
    path = jsonl(tmp_path / "i.jsonl", row(image_name="none.png"))
    code, _, err = load(path, "--images", folder)
    assert code == 1
    assert "1: image_name: there is no picture 'none.png'" in err
    assert not Item.objects.exists()


@pytest.mark.parametrize("there", ["pens/Sheep.png", "SHEEP.PNG", "a/b/sheep.png"])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_picture_in_another_folder_or_letter_case_is_named(project, tmp_path, there, zipped):
    source = tmp_path / "pictures"
    (source / there).parent.mkdir(parents=True)
    (source / there).write_bytes(PNG)
    (source / "goat.png").write_bytes(PNG)
    if zipped:
        source = Path(shutil.make_archive(str(source), "zip", source))
    path = jsonl(tmp_path / "i.jsonl", row(image_name="sheep.png"))
    code, _, err = load(path, "--images", source)
    assert (
        code == 1
        and f"no picture 'sheep.png' in the given folder or zip: {there!r} is there" in err
    )


def test_a_link_that_leaves_the_folder_is_refused(project, folder, tmp_path):
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    code, _, err = load(jsonl(tmp_path / "i.jsonl", row(image_name="link.png")), "--images", folder)
    assert code == 1
    assert "leads out of the folder" in err


@pytest.mark.parametrize("name", ["../evil.png", "/etc/evil.png", "a/../../b.png", "..\\evil.png"])
def test_a_zip_with_a_name_that_leads_out_is_refused(project, tmp_path, name):
    path = archive(tmp_path / "p.zip", **{name: PNG})
    code, _, err = load(jsonl(tmp_path / "i.jsonl", row()), "--images", path)
    assert code == 1
    assert "leads out of the zip" in err
    assert not Item.objects.exists()


def test_a_picture_is_turned_upright_and_stripped(project, folder, tmp_path, media):
    exif = Pillow.Exif()
    exif[0x0112], exif[0x010E] = 6, "where we live"
    (folder / "turned.jpg").write_bytes(picture((8, 4), "JPEG", exif=exif))
    assert (
        load(jsonl(tmp_path / "i.jsonl", row(image_name="turned.jpg")), "--images", folder)[0] == 0
    )
    image = Image.objects.get()
    assert (image.width, image.height) == (4, 8)
    assert image.file.name == f"pictures/{project.pk}/{image.sha256}.jpg"
    content = default_storage.open(image.file.name).read()
    assert b"where we live" not in content
    stored = Pillow.open(io.BytesIO(content))
    assert (stored.size, dict(stored.getexif())) == ((4, 8), {})


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_each_kind_of_picture_is_taken_from_a_zip_of_a_folder(project, tmp_path, kind):
    name = f"羊 é.{kind.lower()}"
    path = archive(tmp_path / "p.zip", **{f"photos/{name}": picture(kind=kind)})
    assert load(jsonl(tmp_path / "i.jsonl", row(image_name=name)), "--images", path)[0] == 0
    assert Item.objects.get().image.name == name


def test_an_item_waits_for_its_picture_and_is_offered_when_it_comes(
    project, annotator, folder, tmp_path
):
    path = jsonl(tmp_path / "i.jsonl", row(image_name="a.png"))
    code, _, err = load(path)
    assert code == 0
    assert "1 item waits for its picture." in err
    assert places.claim(annotator, "flock") is None
    (folder / "a.png").write_bytes(PNG)
    assert load(path, "--images", folder)[1] == "new 0, same 1, changed 0, refused 0\n"
    assert set(Assignment.objects.values_list("offered", flat=True)) == {1}
    assert places.claim(annotator, "flock") is not None


def test_the_same_picture_again_is_the_same(project, folder, tmp_path, media):
    (folder / "a.png").write_bytes(PNG)
    path = jsonl(tmp_path / "i.jsonl", row(image_name="a.png"))
    load(path, "--images", folder)
    before = everything()
    assert load(path, "--images", folder)[1] == "new 0, same 1, changed 0, refused 0\n"
    assert load(path)[1] == "new 0, same 1, changed 0, refused 0\n"
    assert everything() == before
    assert len(files(media)) == 1


def test_another_picture_under_an_annotated_name_is_refused(project, annotator, folder, tmp_path):
    (folder / "a.png").write_bytes(PNG)
    path = jsonl(tmp_path / "i.jsonl", row(image_name="a.png"))
    load(path, "--images", folder)
    other = picture((9, 9))
    (folder / "a.png").write_bytes(other)
    assert load(path, "--images", folder)[0] == 0
    assert Image.objects.get().width == 9
    places.claim(annotator, "flock")
    (folder / "a.png").write_bytes(PNG)
    before = everything()
    code, _, err = load(path, "--images", folder)
    assert code == 1
    assert "another picture now, and people have annotated it" in err
    assert everything() == before


def test_a_dry_run_checks_pictures_and_keeps_no_file(project, folder, tmp_path, media):
    (folder / "a.png").write_bytes(PNG)
    path = jsonl(tmp_path / "i.jsonl", row(image_name="a.png"))
    assert load(path, "--images", folder, "--dry-run")[0] == 0
    assert files(media) == []


@pytest.fixture
def pictured(project, folder, tmp_path):
    (folder / "é 羊.png").write_bytes(PNG)
    load(jsonl(tmp_path / "i.jsonl", row(image_name="é 羊.png")), "--images", folder)
    return Item.objects.get()


def test_a_picture_is_shown_to_its_people_and_to_nobody_else(
    pictured, page_as, coordinator, annotator, second, stranger
):
    """inception-project/inception#3223: no picture of an item that is not one's own."""
    places.claim(annotator, "flock")
    address = f"/pictures/{pictured.pk}/"
    answers = {
        name: page_as(user).get(address)
        for name, user in (("c", coordinator), ("a", annotator), ("s", second), ("x", stranger))
    }
    assert {name: answer.status_code for name, answer in answers.items()} == {
        "c": 200,
        "a": 200,
        "s": 404,
        "x": 404,
    }
    shown = answers["a"]
    assert shown["Content-Type"] == "image/png"
    assert shown["X-Content-Type-Options"] == "nosniff"
    assert shown["Cache-Control"].startswith("private")
    assert Pillow.open(io.BytesIO(b"".join(shown.streaming_content))).size == (8, 4)
    assert page_as(None).get(address).status_code == 302
    known = page_as(annotator).get(address, headers={"If-None-Match": shown["ETag"]})
    assert known.status_code == 304


@pytest.mark.parametrize("demanded", ["none", "coordinators", "everyone"])
def test_a_token_opens_the_pictures_of_its_owner_and_no_others(
    pictured, page_as, coordinator, annotator, second, stranger, settings, demanded
):
    """A token is a secret of its own: no second factor is asked of it, as in the API."""
    settings.MFA_REQUIRED_FOR = demanded
    places.claim(annotator, "flock")
    address = f"/pictures/{pictured.pk}/"
    got = {}
    for user in (coordinator, annotator, second, stranger):
        token = {"Authorization": f"Token {people.make_token(user)}"}
        got[user.username] = page_as(None).get(address, headers=token)
    expected = {"coordinator": 200, "annotator": 200, "second": 404, "stranger": 404}
    assert {name: shown.status_code for name, shown in got.items()} == expected
    assert got["second"].json() == {"errors": [{"where": "", "message": "Not found."}]}
    shown = got["annotator"]
    assert Pillow.open(io.BytesIO(b"".join(shown.streaming_content))).size == (8, 4)
    assert shown["Cache-Control"].startswith("private")
    assert "Authorization" in shown["Vary"]


@pytest.mark.parametrize("header", ["Token", "Token nonsense", "token a b", "Token \xff"])
def test_a_wrong_token_opens_no_picture_whoever_is_logged_in(
    pictured, page_as, coordinator, header
):
    for browser in (page_as(None), page_as(coordinator)):
        reply = browser.get(f"/pictures/{pictured.pk}/", headers={"Authorization": header})
        assert (reply.status_code, reply["WWW-Authenticate"]) == (401, "Token")
        assert reply.json()["errors"][0]["message"]
        assert "no-store" in reply["Cache-Control"]


def test_a_token_of_a_closed_account_or_a_revoked_one_opens_no_picture(
    pictured, page_as, project, coordinator
):
    address = f"/pictures/{pictured.pk}/"
    token = {"Authorization": f"Token {people.make_token(coordinator)}"}
    assert page_as(None).get(address, headers=token).status_code == 200
    basic = {"Authorization": "Basic eDp5"}  # of a proxy before the site, none of its own
    assert page_as(coordinator).get(address, headers=basic).status_code == 200
    assert page_as(None).get(address, headers=basic).status_code == 302
    people.revoke_tokens(None, project.participants.get(user=coordinator))
    assert page_as(None).get(address, headers=token).status_code == 401
    token = {"Authorization": f"Token {people.make_token(coordinator)}"}
    coordinator.is_active = False
    coordinator.save()
    assert page_as(None).get(address, headers=token).status_code == 401


def test_behind_nginx_only_the_place_of_the_file_is_said(pictured, page_as, coordinator, settings):
    settings.ACCEL_PREFIX = "/protected/"
    shown = page_as(coordinator).get(f"/pictures/{pictured.pk}/")
    assert shown["X-Accel-Redirect"] == f"/protected/{pictured.image.file.name}"
    assert shown.content == b""


def test_a_claim_says_where_its_picture_is(pictured, api_as, annotator):
    answer = api_as(annotator).post("/api/v1/projects/flock/claim/").json()
    assert answer["item"]["image_url"] == f"/pictures/{pictured.pk}/"
    assert "image_name" not in answer["item"]
