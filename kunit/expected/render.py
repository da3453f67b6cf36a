#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""render.py EXPECTED.json OUT.h: what the program expected says, through fsm_expected.h.j2, in the generator's environment."""
import json
import pathlib
import sys

import jinja2

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "codegen"))
import render


def main(args):
    if len(args) != 2:
        print("usage: render.py EXPECTED.json OUT.h", file=sys.stderr)
        return 2
    env = render.environment()
    env.loader = jinja2.FileSystemLoader(HERE)
    table = json.loads(pathlib.Path(args[0]).read_text())
    try:
        render.write(pathlib.Path(args[1]), env.get_template("fsm_expected.h.j2").render(table))
    except jinja2.TemplateError as error:
        sys.exit(f"render-expected: fsm_expected.h.j2: {error}")
    except OSError as error:
        sys.exit(f"render-expected: cannot write {args[1]}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
