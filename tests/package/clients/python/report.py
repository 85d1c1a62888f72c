"""Carries out the tasks of a client, and prints for each whether it works, or why not."""

import json
import sys

base_url = sys.argv[1]


def expect_text(shown, text):
    """Fails a task unless the client shows this text."""
    if str(shown).strip() != text:
        raise AssertionError(f'it shows "{shown}", not "{text}"')


def report(tasks):
    """The tasks one after the other, by name."""
    results = {}
    for name, task in tasks.items():
        try:
            task()
            results[name] = {"works": True}
        except Exception as error:
            results[name] = {"works": False, "reason": str(error)[:300]}
    print(json.dumps(results))
