"""Hooks of the docs site: pages without a file in docs/, links, and a script for search offline."""

from __future__ import annotations

import argparse
import os
import posixpath
import re
import tomllib
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
#: Address on the site of each file outside docs/.
PROJECT = {
    "CHANGELOG.md": "project/changelog.md",
    "CITATION.cff": "project/CITATION.cff",
    "CODE_OF_CONDUCT.md": "project/code_of_conduct.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "LICENSE": "project/LICENSE",
    "SECURITY.md": "project/security.md",
    "examples/plugin/README.md": "project/plugin.md",
}
SOURCES = {address: source for source, address in PROJECT.items()}
#: The theme's offline plugin loads it in every page.
NETWORK_SCRIPT = "https://unpkg.com/iframe-worker/shim"
LINK = re.compile(r"\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages without a file in docs/."""
    for source, address in PROJECT.items():
        files.append(File.generated(config, address, content=(ROOT / source).read_text("utf-8")))
    for name, text in {"command-line": command_line(), "glossary": glossary()}.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links between docs/ and other files of the repository to pages of the site."""
    address = page.file.src_uri
    source = SOURCES.get(address, f"docs/{address}")

    def on_site(match: re.Match[str]) -> str:
        path = posixpath.join(posixpath.dirname(source), match["target"])
        path = posixpath.normpath(path)
        if path in ("README.md", "."):
            path = "docs/index.md"
        target = path[len("docs/") :] if path.startswith("docs/") else PROJECT[path]
        link = posixpath.relpath(target, posixpath.dirname(address) or ".")
        return f"]({link}{match['anchor'] or ''})"

    return LINK.sub(on_site, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Load the script that lets search run from files out of the site, not from the network."""
    top = posixpath.relpath(".", posixpath.dirname(page.url) or ".")
    return output.replace(NETWORK_SCRIPT, f"{top}/assets/search-from-files.js")


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Do the same in the page of missing addresses."""
    return output_content.replace(NETWORK_SCRIPT, "assets/search-from-files.js")


def command_line() -> str:
    """Return the help of every command as a page."""
    from dpviz.cli import COMMANDS, parser

    os.environ["COLUMNS"] = "96"
    pages = ["# Command line", "", "`dpviz COMMAND --help` prints the same text."]
    for name in COMMANDS:
        (commands,) = (
            action
            for action in parser(name)._actions
            if isinstance(action, argparse._SubParsersAction)
        )
        usage = commands.choices[name].format_help().replace("python -m dpviz", "dpviz")
        usage = usage.replace("__main__.py", "dpviz")
        pages += ["", f"## {name}", "", "```text", usage.strip(), "```"]
    return "\n".join(pages) + "\n"


def glossary() -> str:
    """Return the terms of the dashboard's glossary as a page."""
    text = (ROOT / "dpviz" / "content" / "glossary.toml").read_text("utf-8")
    pages = ["# Glossary"]
    for subject, terms in tomllib.loads(text).items():
        pages += ["", f"## {subject}"]
        for term, meaning in terms.items():
            pages += ["", f"**{term}**", "", " ".join(meaning.split())]
    return "\n".join(pages) + "\n"
