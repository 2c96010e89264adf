"""What every page sends: nothing inline, nothing from elsewhere, words that can be translated."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.utils.translation import trans_real

from tests import pages
from tests.pages import OK, PEOPLE, TABLE

pytestmark = pytest.mark.once

READERS = ("nobody", "coordinator", "annotator", "writer")
ADDRESSES = {"src", "href", "action", "srcset", "poster", "data", "formaction"}
SILENT = {"script", "style", "code", "pre"}


class Source(HTMLParser):
    """The faults of a page's source, its text as people meet it, and what its labels say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.said: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if tag not in ("meta", "link", "input", "img", "br", "hr", "wbr", "col"):
            self.open.append(tag)
        if tag == "style" or "style" in given or any(name.startswith("on") for name in given):
            self.faults.append(self.get_starttag_text() or tag)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.faults.append("inline script")
        for name in ADDRESSES & given.keys():
            if not re.match(r"/(?!/)|[?#]|$", given[name]):
                self.faults.append(f"{tag} {name}={given[name]}")
        for name in ("aria-label", "title", "placeholder", "alt"):
            if given.get(name):
                self.said.append(given[name])

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if data.strip() and not SILENT & set(self.open):
            self.said.append(data.strip())


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def shown(project, page_as):
    """``shown(person)``: (name, answer) of each page with HTML that the person may read."""
    users = pages.crowd(project)
    named = pages.fill(project, users)

    def walk(person):
        browser = page_as(users[person])
        for name, page in TABLE.items():
            if page.method == "get" and page.who[PEOPLE.index(person)] == OK:
                reply = browser.get(page.path.format(**named), follow=True)
                if reply["Content-Type"].startswith("text/html"):
                    yield name, reply
        yield "404", browser.get("/no/such/page/")
        if person != "nobody":
            sent = {"username": "a b", "role": "boss"}
            yield "refused", browser.post("/p/flock/members/", sent)

    return walk


@pytest.mark.parametrize("person", READERS)
def test_no_page_has_a_script_a_style_or_an_address_of_elsewhere_in_it(shown, person):
    faults = {name: Source(reply.text).faults for name, reply in shown(person)}
    assert faults and not any(faults.values()), faults


@pytest.mark.parametrize("person", READERS)
def test_every_page_forbids_what_is_not_of_the_site(shown, person):
    for name, reply in shown(person):
        policy = reply["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, name
        assert "frame-ancestors 'none'" in policy and reply["X-Frame-Options"] == "DENY"
        assert reply["X-Content-Type-Options"] == "nosniff"
        assert reply["Referrer-Policy"] in ("same-origin", "strict-origin")


@pytest.mark.parametrize("person", READERS)
def test_every_page_has_a_title_a_language_and_one_main_heading(shown, person):
    for name, reply in shown(person):
        assert re.search(r"<title>[^<]{3,}</title>", reply.text), name
        assert re.search(r'<html [^>]*lang="en"', reply.text), name
        assert len(re.findall(r"<h1[ >]", reply.text)) == 1, name


class Pseudo(trans_real.DjangoTranslation):
    """A language in which every sentence that goes through gettext stands in brackets."""

    def gettext(self, message):
        return f"⟦{message}⟧"

    def ngettext(self, msgid1, msgid2, n):
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


@pytest.fixture
def pseudo(monkeypatch):
    """Turns the language on; Django's own `lang` and date formats stay English."""

    def use():
        language = Pseudo("en")
        monkeypatch.setattr(trans_real, "translation", lambda code: language)
        monkeypatch.setattr(trans_real, "_default", language)
        trans_real._active.value = language

    yield use
    trans_real.deactivate()


# Words of the project and of its people, and names of formats: no sentences of ours.
DATA = re.compile(
    r"""(?<!\w)(?:coordinator|annotator|second|writer|reviewer|stranger|newcomer|nobody|Flock|Elsewhere|flock
    |elsewhere|sheep|jsonl|csv|aside|Sheepfold|en|item-\d|shown|waits|file\.jsonl|field\.png
    |Two\ white\ sheep\.|What\ is\ there\?|A\ comment|The\ picture\ is\ black\.|Invention|later\.png
    |Mischaracterization|OCR\ Problem|Miscounting|Other|UTC|[A-Ea-e]|is\ missing|id|import
    |sample-\d+|samples|brief-\d|translated|goats\.|stand\ on\ a\ green\ hill\.
    |exact|Two|strategy|language|CSV|JSON|LaTeX|SVG|PNG|PDF|BCa|white|sheep\.|[\w-]{43})(?!\w)""",
    re.VERBOSE,
)


def outside(said: list[str]) -> list[str]:
    """The pieces without what stands in brackets; a sentence may go on over several pieces."""
    depth, rest = 0, []
    for piece in said:
        kept = ""
        for letter in piece:
            depth += (letter == "⟦") - (letter == "⟧")
            kept += letter if depth == 0 and letter != "⟧" else " "
        rest.append(kept)
    return rest


def untranslated(said: list[str]) -> list[str]:
    """The pieces that hold words outside brackets and are no data."""
    words = (DATA.sub(" ", piece) for piece in outside(said))
    return [" ".join(word.split()) for word in words if re.search(r"[^\W\d_]{2,}", word)]


@pytest.mark.parametrize("person", READERS)
def test_every_sentence_goes_through_gettext(shown, pseudo, person):
    walk = shown(person)
    pseudo()
    found = {}
    for name, reply in walk:
        assert "⟦" in reply.text, name
        left = untranslated(Source(reply.text).said)
        if left:
            found[name] = left
    assert not found


def test_the_walk_finds_what_is_not_translated():
    page = '<p>⟦Items⟧ <b>plain</b> item-1</p><img alt="A picture"><script src="/x">no</script>'
    assert untranslated(Source(page).said) == ["plain", "picture"]
    assert Source('<a href="//x.org">a</a><p style="x" onclick="y">').faults
    assert Source("<script>1</script>").faults and Source('<img src="https://x/">').faults
