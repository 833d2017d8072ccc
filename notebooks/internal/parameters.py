"""Parameters of a notebook, in papermill's convention: values in a cell that is tagged `parameters` are replaced by
those of a cell that is put below it. GoNB carries declarations over by name, so the later one holds."""

import argparse
import json
import re

TAG, INJECTED = "parameters", "injected-parameters"

# A declaration of one name by a value as it stands: const name = "value", or within const ( ... ).
ONE = re.compile(
    r"""\s*(?:(?P<kind>const|var)\s+)?(?P<name>\w+)(?:\s+(?P<type>\w+))?\s*=\s*"""
    r"""(?P<value>"(?:[^"\\]|\\.)*"|`[^`]*`|true|false|-?[0-9][0-9_]*(?P<real>\.[0-9]*)?(?:[eE](?P<e>[-+]?[0-9]+))?)"""
    r"""\s*(?://.*)?$""")
BLOCK = re.compile(r"\s*(const|var)\s*\(\s*(?://.*)?$")
WHOLE = re.compile(r"-?[0-9]+$")
REAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$")


def pair(text):
    """NAME=VALUE of the command line."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, as in -p site=B")
    return name, value


def declared(source):
    """The parameters of a cell's text by name: the line, its match of ONE, and the first line and the one behind the
    last of the declaration that it is in."""
    lines, found, block = source.splitlines(), {}, None
    for i, line in enumerate(lines):
        one = ONE.match(line)
        if BLOCK.match(line):
            block = i
        elif line.startswith(")"):
            block = None
        elif one and (one["kind"] or block is not None):
            first, last = i if block is None else block, i + 1
            while block is not None and last < len(lines) and not lines[last - 1].startswith(")"):
                last += 1
            found[one["name"]] = (i, one, first, last)
    return found


def literal(name, value, one):
    """The value as Go's text, of the kind that the notebook has."""
    was = one["value"]
    kind = one["type"] or ""
    if was[0] in "\"`":
        return json.dumps(value, ensure_ascii=False)
    if was in ("true", "false"):
        if value in ("true", "false"):
            return value
        raise ValueError(f"-p {name}={value}: {name} is true or false")
    if kind.startswith("float") or one["real"] is not None or one["e"] is not None:
        if REAL.match(value):
            return value if "." in value or "e" in value.lower() else value + ".0"
        raise ValueError(f"-p {name}={value}: {name} is a number, as {was} in the notebook")
    if WHOLE.match(value):
        return value
    raise ValueError(f"-p {name}={value}: {name} is a whole number, as {was} in the notebook")


def inject(notebook, given, new_cell):
    """Put a cell with the given values below the one that is tagged. Raises ValueError for what cannot be given."""
    if not given:
        return
    tagged = [i for i, cell in enumerate(notebook.cells)
              if cell.cell_type == "code" and TAG in cell.metadata.get("tags", [])]
    if len(tagged) != 1:
        raise ValueError(f"-p needs one cell with the tag {TAG!r}, this notebook has {len(tagged) or 'none'} (in "
                         "Jupyter: View, Cell Toolbar, Tags)")
    source = notebook.cells[tagged[0]].source
    known, lines, parts = declared(source), source.splitlines(), set()
    for name, value in dict(given).items():
        if name not in known:
            there = ", ".join(known) or "none: write them as in const site = \"A\""
            raise ValueError(f"there is no parameter {name}; those of the cell tagged {TAG!r}: {there}")
        i, one, first, last = known[name]
        start, end = one.span("value")
        lines[i] = lines[i][:start] + literal(name, value, one) + lines[i][end:]
        # GoNB does not know a part of const ( ... ) anew, hence all of it.
        parts.add((first, last))
    kept = [cell for cell in notebook.cells if INJECTED not in cell.metadata.get("tags", [])]
    at = next(i for i, cell in enumerate(kept) if TAG in cell.metadata.get("tags", []))
    text = "\n".join(["// Parameters of this run."] + [line for a, b in sorted(parts) for line in lines[a:b]])
    kept.insert(at + 1, new_cell(text, metadata={"tags": [INJECTED]}))
    notebook.cells = kept
