"""Benchmarks: what things cost, side by side with a peer in one run, as ratios. By hand, never a timed test.

python -m tests.benchmarks [--sizes 10000,100000] [--only NAME] [--json FILE] [--write]

__main__   options -> Bench -> the groups of `rows`, one after the other -> table, JSON file, page
measure    calls of subject and peer in turns -> p50 and p99 of each
results    one row of the table: what it is, what came out, the goal, and whether it is met
texts      comments that are made up, the same every time
store      a real store file with as many of them as are asked for
peers      the peers' own environment, and the process in it: `worker`
rows/      the rows, a module for each group
page       docs/reference/benchmarks.md
plot       cost against size, as SVG
"""
