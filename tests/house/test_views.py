"""A view and its template agree: every field is shown, and nothing is shown that is no field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest
from jinja2 import meta, nodes

from liyuan.assets import templates_dir
from liyuan.web.render import PAGE_NAMES, View, environment
from tests.house.repository import files, import_all

PAGES = environment("en")
# What a template has without asking: the names of `liyuan.web.render`, and Jinja's own.
GIVEN = set(PAGES.globals) | set(PAGE_NAMES) | {"self", "super", "loop", "caller", "varargs", "kwargs"}
TEMPLATES = [str(path.relative_to(templates_dir())) for path in files("templates/*.html")]


def views() -> list[type[View]]:
    import_all("liyuan/web/*.py")
    found: list[type[View]] = list(View.__subclasses__())
    for view in found:
        found.extend(view.__subclasses__())
    return [view for view in dict.fromkeys(found) if hasattr(view, "template")]


@pytest.mark.parametrize("view", views(), ids=lambda view: view.__name__)
def test_a_view_has_the_fields_its_template_shows(view: type[View]) -> None:
    shown = asked_of_the_view(view.template)
    held = {field.name for field in fields(view)}
    assert held == shown


@pytest.mark.parametrize("view", views(), ids=lambda view: view.__name__)
def test_a_view_is_frozen(view: type[View]) -> None:
    assert view.__dataclass_params__.frozen  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_macro_has_all_it_needs_handed_in(name: str) -> None:
    """Macros are imported without context, so only what every template has is theirs."""
    for imported in imports(parsed(name)):
        free = meta.find_undeclared_variables(parsed(imported)) - set(PAGES.globals)
        assert free == set(), imported


def test_every_template_is_used() -> None:
    used = {view.template for view in views()}
    waiting = list(used)
    while waiting:
        tree = parsed(waiting.pop())
        below = {name for name in meta.find_referenced_templates(tree) if name} - used
        used |= below
        waiting.extend(below)
    assert sorted(set(TEMPLATES) - used) == []


def asked_of_the_view(name: str, given: frozenset[str] = frozenset()) -> set[str]:
    """The names that this template, what it extends and what it includes take from the view."""
    tree = parsed(name)
    mine = given | named_in(tree) | {own for base in extended(tree) for own in named_in(parsed(base))}
    asked = meta.find_undeclared_variables(tree) - mine - GIVEN
    for other in (*extended(tree), *included(tree)):
        asked |= asked_of_the_view(other, mine)
    return asked


def named_in(tree: nodes.Template) -> frozenset[str]:
    """What a template sets, loops over, defines or imports; what it extends and includes can see these too."""
    stored = {node.name for node in tree.find_all(nodes.Name) if node.ctx == "store"}
    for imported in tree.find_all(nodes.FromImport):
        stored |= {name if isinstance(name, str) else name[1] for name in imported.names}
    stored |= {macro.name for macro in tree.find_all(nodes.Macro)}
    return frozenset(stored | {imported.target for imported in tree.find_all(nodes.Import)})


def extended(tree: nodes.Template) -> list[str]:
    return [name for node in tree.find_all(nodes.Extends) for name in constant(node.template)]


def included(tree: nodes.Template) -> list[str]:
    """What is included by name. A view inside a view names its own template, and is looked at by itself."""
    return [name for node in tree.find_all(nodes.Include) for name in constant(node.template)]


def imports(tree: nodes.Template) -> list[str]:
    kinds = (nodes.FromImport, nodes.Import)
    return [name for node in tree.find_all(kinds) for name in constant(node.template)]


def constant(node: nodes.Expr) -> Iterator[str]:
    if isinstance(node, nodes.Const):
        yield node.value


def parsed(name: str) -> nodes.Template:
    loader = PAGES.loader
    assert loader is not None
    return PAGES.parse(loader.get_source(PAGES, name)[0])
