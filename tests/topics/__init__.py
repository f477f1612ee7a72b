"""Labelled prompts for the gate of conversations, and its confusion matrices on them.

    uv run python -m tests.topics

first_set.jsonl    written together with the rules: they were changed until it was met
second_set.jsonl   written by somebody who had not seen the rules
sets               reads and measures a set

A line is an object: prompt, label (biographical, external, workspace), language, sort, and `earlier` where something was said before: a
list of role, text and workspace.
"""
