"""A schema and everything it refers to as one text that stands by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from accord.formats import jsontext
from accord.formats.jsonschema.addresses import Addresses, own_address
from accord.formats.jsonschema.drafts import draft_of
from accord.formats.jsonschema.keywords import inner_schemas
from accord.formats.places import pointer_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.jsonschema.cursor import Cursor, Document
    from accord.formats.jsonschema.drafts import Draft
    from accord.formats.jsonschema.keywords import Members
    from accord.formats.jsontext import Json

# What stands in a pointer as it is when it follows a number sign.
PLAIN = "/~!$&'()*+,;=:@"


def bundled(root: Document, known: Mapping[str, Document]) -> Json:
    """Return a copy of the root with the documents it leads to among its definitions.

    References to them are rewritten as pointers into those definitions; the root's own stay as written,
    unless a part of it has an address of its own, from which a pointer would be counted. What goes by its
    place alone needs no address: those of all but the root itself are left out.
    """
    return _Bundler(root, known).bundle()


def copied(value: Json) -> Json:
    """Return a copy of a value that was read, so of bounded depth."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


class _Bundler:
    def __init__(self, root: Document, known: Mapping[str, Document]) -> None:
        self.draft = draft_of(root.value)
        self.root = root
        self.addresses = Addresses(root, known, self.draft)
        self.taken: dict[Document, str] = {}
        self.waiting: list[tuple[Document, Members]] = []
        self.definitions: Members = {}
        self.keeps_root = not _has_inner_address(root.value, self.draft)

    def bundle(self) -> Json:
        value = copied(self.root.value)
        if not isinstance(value, dict):
            return value
        present = value.get(self.draft.definitions)
        self.definitions = present if isinstance(present, dict) else {}
        self.waiting.append((self.root, value))
        while self.waiting:
            document, copy = self.waiting.pop()
            self._rewrite(document, copy, is_kept=document is self.root and self.keeps_root)
        if not self.taken:
            return copied(self.root.value)
        value[self.draft.definitions] = self.definitions
        return value

    def _rewrite(self, document: Document, copy: Members, *, is_kept: bool) -> None:
        """Point every reference in the copy of a document at where its target will stand.

        What is kept has no addresses inside; its references to itself hold as they are written.
        """
        open_: list[tuple[Cursor, Members]] = [(self.addresses.tops[document].cursor, copy)]
        while open_:
            cursor, target = open_.pop()
            # Listed before pointing, which may add definitions to the root: those are rewritten later.
            inner = list(inner_schemas(target))
            self._point(cursor, target, is_kept=is_kept)
            for _, steps, part in inner:
                place = cursor
                for step in steps:
                    place = place.at(step)
                open_.append((self.addresses.entered(part, place), part))
                for keyword in () if is_kept else (self.draft.id_keyword, "$anchor"):
                    part.pop(keyword, None)

    def _point(self, cursor: Cursor, target: Members, *, is_kept: bool) -> None:
        text = target.get("$ref")
        found = self.addresses.find(text, cursor) if isinstance(text, str) else None
        if found is None or (is_kept and found.cursor.document is self.root):
            return
        target["$ref"] = "#" + quote(self._home(found.cursor.document) + found.cursor.pointer, safe=PLAIN)

    def _home(self, document: Document) -> str:
        """Return the pointer to a document's place, which it gets when it is first met."""
        if document is self.root:
            return ""
        if document not in self.taken:
            name = document.name
            while name in self.definitions:
                name += "_"
            copy = copied(document.value)
            self.definitions[name] = copy
            self.taken[document] = name
            if isinstance(copy, dict):
                for keyword in ("$schema", self.draft.id_keyword):
                    copy.pop(keyword, None)
                self.waiting.append((document, copy))
        return f"/{self.draft.definitions}/{pointer_token(self.taken[document])}"


def _has_inner_address(value: Json, draft: Draft) -> bool:
    """Tell whether a part of a text has an address from which references inside it are counted."""
    waiting = [value] if isinstance(value, dict) else []
    while waiting:
        for _, _, part in inner_schemas(waiting.pop()):
            own = own_address(part, draft)
            if own is not None and not own.startswith("#"):
                return True
            waiting.append(part)
    return False


def bundled_text(root: Document, known: Mapping[str, Document]) -> str:
    """Return the compact text of a bundle."""
    return jsontext.write(bundled(root, known))
