"""veridical source for local files and folders."""
