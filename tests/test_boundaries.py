"""Who may import whom, and what templates and the script may not do: data flows one way."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

ROOT = Path(__file__).parents[1]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "templates" / "scripts").iterdir())

# A module may import those of an earlier line only. "figures" are the figures themselves;
# "offline" are the modules that extracted the trained heads, which no build runs; nor does it run
# the script of ten lines, which the page only shows.
ORDER = (
    {"attention.core", "attention.text", "attention.facts"},
    {
        "attention.example",
        "attention.listing",
        "attention.trained.heads",
        "attention.figures.figure",
    },
    {
        "attention.projections",
        "attention.prose",
        "attention.figures.parts",
        "attention.figures.verdict",
    },
    {"attention.figures.sums"},
    {"figures"},
    {"attention.practice", "attention.trained_text"},
    {"attention.page"},
    {"build", "offline", "attention.ten_lines"},
)
OFFLINE = {f"attention.trained.{name}" for name in ("atlas", "encoder", "measure", "extract")}
# What else than the standard library a module may import; every other may import numpy.
OUTSIDE = {
    "attention.text": set(),
    "attention.facts": set(),
    "attention.page": set(),
    "attention.listing": set(),
    "attention.figures.figure": set(),
    "attention.figures.verdict": set(),
    "build": {"jinja2", "markupsafe"},
}


def modules() -> dict[str, Path]:
    """Return every module of the product by name, the empty packages left out."""
    files = [ROOT / "build.py", *sorted((ROOT / "attention").rglob("*.py"))]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in files
        if path.name != "__init__.py"
    }


MODULES = modules()


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in MODULES else str(node.module) for name in whole}
    return names


def place(module: str) -> int:
    """Return the line of `ORDER` where a module stands."""
    name = "offline" if module in OFFLINE else module
    ranks = [rank for rank, names in enumerate(ORDER) if name in names]
    if not ranks and name.startswith("attention.figures."):
        ranks = [rank for rank, names in enumerate(ORDER) if "figures" in names]
    assert ranks, f"{module} has no place in the order: give it one"
    return ranks[0]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_comes_before_it(module: str) -> None:
    ours = {name for name in imported(MODULES[module]) if name in MODULES}
    if module in OFFLINE:  # they may import one another
        ours -= OFFLINE
    assert {name for name in ours if place(name) >= place(module)} == set()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_outside_only_what_it_may(module: str) -> None:
    tops = {name.split(".")[0] for name in imported(MODULES[module])}
    outside = tops - sys.stdlib_module_names - {"attention", "build"}
    assert outside <= OUTSIDE.get(module, {"numpy"})


def test_the_core_knows_nothing_but_numpy() -> None:
    tops = {name.split(".")[0] for name in imported(MODULES["attention.core"])}
    assert tops - sys.stdlib_module_names == {"numpy"}


def test_a_build_loads_no_package_but_numpy_jinja2_and_markupsafe() -> None:
    command = "import sys; old = set(sys.modules); import build; print(*set(sys.modules) - old)"
    loaded = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    tops = {name.split(".")[0] for name in loaded} - sys.stdlib_module_names
    assert tops == {"attention", "build", "numpy", "jinja2", "markupsafe"}
    assert OFFLINE & set(loaded) == set()


def formats(path: Path) -> list[str]:
    """Return every expression of a module that turns a number into digits of its choice."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("format"):
            found.append(ast.unparse(node))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            found += [ast.unparse(node)] * (isinstance(node.left, ast.Constant))
    return found


@pytest.mark.parametrize(
    "module", sorted({m for m in MODULES if place(m) < place("build")} - {"attention.text"})
)
def test_only_text_formats_a_number_for_display(module: str) -> None:
    assert formats(MODULES[module]) == []
    assert formats(MODULES["attention.text"]) != []


def parsed(path: Path) -> nodes.Template:
    """Parse a template."""
    return jinja2.Environment().parse(path.read_text(encoding="utf-8"))


def indices(tree: nodes.Template) -> Iterator[nodes.Node]:
    """Go through everything that only says which entry of a list is meant."""
    for node in tree.find_all(nodes.Getitem):
        yield node.arg
        yield from node.arg.find_all(nodes.Node)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_places_and_loops_and_never_computes(path: Path) -> None:
    tree = parsed(path)
    allowed = set(map(id, indices(tree)))
    arithmetic = (
        nodes.Add,
        nodes.Sub,
        nodes.Mul,
        nodes.Div,
        nodes.FloorDiv,
        nodes.Mod,
        nodes.Pow,
        nodes.Neg,
        nodes.Pos,
    )
    assert [node for node in tree.find_all(arithmetic) if id(node) not in allowed] == []
    numbers = [
        node
        for node in tree.find_all(nodes.Const)
        if isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
        and id(node) not in allowed
    ]
    assert numbers == []
    # `length` counts entries: how many columns a cell spans.
    assert {node.name for node in tree.find_all(nodes.Filter)} <= {"join", "length"}
    assert list(tree.find_all(nodes.Test)) == []
    for compared in tree.find_all(nodes.Operand):
        assert compared.op in ("eq", "ne", "in", "notin"), compared
    called = {node.node.attr for node in tree.find_all(nodes.Call) if hasattr(node.node, "attr")}
    assert called <= {"longest", "pieces", "spoken"}


STRINGS = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<template>`(?:\$\{[^}]*\}|\\.|[^`\\])*`)
    |(?P<pattern>(?<=[(,=:!&|?{;])\s*/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+/[a-z]*)
    """,
    re.VERBOSE | re.DOTALL,
)


def code_of(script: str) -> str:
    """Return a script without its comments, strings and patterns; code in strings stays."""

    def kept(found: re.Match[str]) -> str:
        inside = re.findall(r"\$\{(.*?)\}", found["template"] or "")
        return " " + " ; ".join(map(code_of, inside)) + " "

    return STRINGS.sub(kept, script)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_script_does_no_arithmetic(path: Path) -> None:
    code = code_of(path.read_text(encoding="utf-8"))
    assert re.findall(r".*[-+*/%].*", code) == []
    assert re.findall(r".*[^=]>[^=].*|.*[<>]=.*|.*<.*", code) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_script_neither_parses_nor_formats_numbers(path: Path) -> None:
    code = code_of(path.read_text(encoding="utf-8"))
    names = "Number|Math|BigInt|Intl|parseInt|parseFloat|to(?:Fixed|Precision|Exponential)"
    assert re.findall(rf"\b(?:{names}|toLocaleString|valueAsNumber|eval|Function)\b", code) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_script_writes_text_and_never_markup(path: Path) -> None:
    code = code_of(path.read_text(encoding="utf-8"))
    markup = r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|cssText|setHTML\w*)\b"
    assert re.findall(markup, code) == []


def test_the_check_of_the_script_sees_through_strings_and_patterns() -> None:
    script = 'a("x + 1"); // b + c\n`${d + e} - f`; g.replace(/h+/g, "");'
    assert re.findall(r"\w [-+*/%] \w", code_of(script)) == ["d + e"]
