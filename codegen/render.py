#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""render.py MODEL.json TREE: render what the model says into a source tree.

Owns: the list of rendered files and what the templates are told. A file is
written only if it changes, so that nothing is built again for nothing.
"""
import hashlib
import json
import os
import pathlib
import re
import sys

import jinja2

HERE = pathlib.Path(__file__).resolve().parent
RECIPE = "Rendered by codegen from codegen/model; make regen"

# Template in templates/, file in the tree.
OUTPUTS = [
    ("cm_model.h.j2", "cm_core/generated/cm_model.h"),
    ("cm_tables.h.j2", "cm_core/generated/cm_tables.h"),
    ("cm_tables.c.j2", "cm_core/generated/cm_tables.c"),
    ("cm_names.c.j2", "cm_core/generated/cm_names.c"),
    ("cm_trace_enums.h.j2", "cm_core/generated/cm_trace_enums.h"),
    ("cm_holders.h.j2", "cm_core/generated/cm_holders.h"),
    ("state-machine.rst.j2", "Documentation/state-machine.rst"),
    ("protocol.txt.j2", "codegen/protocol.txt"),
]

# More states than this that do the same are one node in a diagram.
CROWD = 2


def die(text):
    sys.exit("render.py: " + text)


def c_string(text):
    return json.dumps(text)


def c_comment(text):
    return text.replace("*/", "* /").replace("/*", "/ *")


def rst(text):
    """Plain words in reStructuredText, whatever they contain."""
    text = re.sub(r"([\\*`|])", r"\\\1", text)
    return re.sub(r"_(?=\W|$)", r"\\_", text)


def hold(machine, names):
    """An expression of holder bits."""
    return " | ".join(f"{machine['prefix']}_HOLD_{name}" for name in names) or "0"


def spread(items, indent, width=100):
    """Comma separated items in lines of bounded width."""
    lines, line = [], ""
    for item in items:
        if line and len(line) + len(item) + 2 > width:
            lines.append(line)
            line = ""
        line += (", " if line else "") + item
    lines.append(line)
    return (",\n" + indent).join(lines)


def staircase(names, width, indent):
    """Names of narrow columns, one below the other."""
    return [" " * indent + "".join("|".ljust(width) for _ in range(i)) + name for i, name in enumerate(names)]


def edges_of(rows, order):
    """What a diagram draws of these rows: crowds of states, and edges with their labels."""
    labels = {}
    for row in rows:
        for source in row["in"]:
            if row["next"] not in (None, source):
                labels.setdefault((source, row["next"]), []).extend(row["on"])
    alike = {}
    for (source, target), on in labels.items():
        alike.setdefault((target, tuple(sorted(on, key=order.index))), []).append(source)

    crowds, edges = [], []
    for (target, on), sources in alike.items():
        if len(sources) > CROWD:
            crowds.append({"name": f"crowd {len(crowds) + 1}", "states": sources})
            sources = [crowds[-1]["name"]]
        edges += [{"from": source, "to": target, "on": on} for source in sources]
    return crowds, edges


def phases_of(machine):
    """The rows file by file, in the order of the model."""
    order = [event["name"] for event in machine["events"]]
    phases = {}
    for row in machine["rows"]:
        phases.setdefault(row["file"], []).append(row)
    out = []
    for file, rows in phases.items():
        crowds, edges = edges_of(rows, order)
        out.append({"file": file, "rows": rows, "crowds": crowds, "edges": edges})
    return out


def prepare(model):
    """Adds what several templates need."""
    for machine in model["machines"]:
        machine["c"] = machine["prefix"].lower()
        machine["phases"] = phases_of(machine)
        machine["width"] = max(3, len(str(len(machine["rows"])))) + 1
        machine["visible"] = any(s["public"] for s in machine["states"])
        machine["unsourced"] = [r for r in machine["rows"] if not r["source"]]
    by_name = {m["name"]: m for m in model["machines"]}
    for decision in model["decisions"]:
        decision["prefix"] = by_name[decision["machine"]]["prefix"]
    # Over the text that reviewers see, so that both can be compared by hand.
    model["hash"] = hashlib.sha256(model["dump"].encode()).hexdigest()
    return model


def environment():
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.filters.update(c=c_string, comment=c_comment, rst=rst)
    env.filters["ljust"] = lambda text, width: str(text).ljust(width)
    env.filters["rjust"] = lambda text, width: str(text).rjust(width)
    env.filters["prefix"] = lambda text, prefix: prefix + text
    env.globals.update(hold=hold, spread=spread, staircase=staircase, recipe=RECIPE)
    return env


def write(path, text):
    """Returns whether the file had to change."""
    data = text.encode()
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    os.replace(part, path)
    return True


def main(args):
    if len(args) != 2:
        print("usage: render.py MODEL.json TREE", file=sys.stderr)
        return 2
    try:
        model = prepare(json.loads(pathlib.Path(args[0]).read_text()))
    except (OSError, ValueError, KeyError) as error:
        die(f"cannot read the model {args[0]}: {error}")
    env = environment()
    changed = 0
    for template, target in OUTPUTS:
        try:
            text = env.get_template(template).render(model)
            changed += write(pathlib.Path(args[1]) / target, text)
        except jinja2.TemplateError as error:
            die(f"templates/{template}: {error}")
        except OSError as error:
            die(f"cannot write {target}: {error.strerror}")
    print(f"render.py: {len(OUTPUTS)} files, {changed} changed, model {model['hash'][:12]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
