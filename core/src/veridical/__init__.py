"""veridical."""
