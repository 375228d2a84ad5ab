"""The page of refusals is what the program and the server say, and its advice works."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.accord.cli.refusals_page import PAGE, REWRITE, STORIES, Told, page, section, text_of
from tests.registry.policies.asking import NAMESPACE, Native, subject_place

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Live, Repository
    from tests.accord.cli.refusals_page import Story

pytestmark = pytest.mark.django_db(transaction=True)


def refused(admin: Live, repository: Repository, story: Story) -> Told:
    """Register what is stored, then be refused in three ways."""
    native, text = Native(admin.token), text_of(story.new)
    repository.write(story.file, text_of(story.old))
    assert admin("register", story.subject, story.file).exit_code == 0
    native.enforce(story.policy, subject_place(story.subject))
    repository.write(story.file, text)
    done = admin("register", story.subject, story.file)
    assert (done.exit_code, done.stdout) == (1, "")
    asked = {"schema": text, "format": story.format}
    verdict = native.ok("POST", f"{NAMESPACE}/subjects/{story.subject}/verdict", asked)
    sent = {"schema": text, "schemaType": story.format}
    answer = native.call("POST", f"/sr/north/default/subjects/{story.subject}/versions", sent)
    return Told(done.stderr, verdict, answer.status_code, json.loads(answer.content))


def test_the_page_holds_what_is_really_said(live: tuple[Live, Live], repository: Repository) -> None:
    admin, _ = live
    sections = []
    for story in STORIES:
        sections.append(section(story, refused(admin, repository, story)))
        repository.write(story.file, text_of(story.mended))
        assert admin("register", story.subject, story.file).exit_code == 0
    if "REWRITE" in os.environ:
        PAGE.write_text(page(sections))
    assert PAGE.read_text() == page(sections), f"write it anew by `{REWRITE}`"
