"""The template for a new plugin, looked at through what is made of it.

baking            answers -> a project in a folder, or the lines that say what is wrong with them
test_answers      every answer that could break something: refused in one line, or baked and read back as it was given
test_projects     each kind and client: sound files, pins, a workflow without secrets
whole_path        bake, build, install beside veridical, test, check, break the entry point
test_whole_path   each kind once; `python -m tests.template --all` does every combination
"""
