"""The folder that goes on PYTHONPATH of the tests' child processes."""
