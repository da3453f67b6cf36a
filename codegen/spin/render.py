#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""render.py MODEL.json OUT: the tables of the model for Spin."""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from render import environment  # noqa: E402


def main(args):
    if len(args) != 2:
        print("usage: render.py MODEL.json OUT", file=sys.stderr)
        return 2
    model = json.loads(pathlib.Path(args[0]).read_text())
    pathlib.Path(args[1]).write_text(environment().get_template("cm_model.pml.j2").render(model))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
