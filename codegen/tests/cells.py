#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""cells.py <MODEL.json: what each cell of the model does, in the words of walk.c."""
import errno
import json
import sys

model = json.load(sys.stdin)
for m in model["machines"]:
    rows = {r["number"]: r for r in m["rows"]}
    for event, cells in zip(m["events"], m["cells"]):
        for state, number in zip(m["states"], cells):
            r = rows[number]
            why = "" if r["why"] == "none" else r["why"].replace("_", " ")
            error = getattr(errno, r["error"]) if r["error"] else 0
            print(f"{m['name']}: {event['name']} in {state['name']} -> {r['next'] or '-'}: {r['verdict']} [{why}] {error}:"
                  f" {' '.join(r['locked'])} | {' '.join(r['post'])} ({r['file']}:{r['line']}; {r['source']})")
    for state in m["states"]:
        counted = [h["name"] for h in m["holders"] if h["counted"]]
        print(f"{m['name']}: {state['name']} holds {' '.join(h['name'] for h in m['holders'] if h['name'] in state['holders'])}"
              f" ({sum(h in counted for h in state['holders'])} counted)")
for d in model["decisions"]:
    for r in d["rules"]:
        when = " ".join(("" if c["want"] else "!") + c["fact"]
                        for f in model["facts"] for c in r["when"] if c["fact"] == f["name"])
        print(f"{d['machine']}: {d['name']}: {when} -> {r['event']}")
