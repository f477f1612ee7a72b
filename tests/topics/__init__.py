"""Labelled prompts for the gate of conversations, and its confusion matrices on them.

    uv run python -m tests.topics

first_set.jsonl    written together with the rules: they were changed until it was met
second_set.jsonl   written without sight of the rules; then rules were changed for it, too
third, fourth      written the same way; then the weights were fitted to them
fifth, sixth       written the same way; nothing was made or changed for them
learned_*.jsonl    written for the weights
sets               reads and measures a set

A line is an object: prompt, label (biographical, external, workspace), language, sort, and `earlier` where something was said before: a
list of role, text and workspace.
"""
