"""Markdown to HTML that is safe to show: HTML off in the parser, and the result cleaned."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

TAGS = frozenset(
    "p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong a "
    "table thead tbody tr th td".split()
)
parser = MarkdownIt("commonmark", {"html": False}).enable("table")


def render(text: str) -> str:
    """HTML of the Markdown; pictures, raw HTML and addresses that are not http(s) or mail go."""
    return nh3.clean(
        parser.render(text),
        tags=set(TAGS),
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
    )
