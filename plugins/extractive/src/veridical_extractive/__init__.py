"""veridical composer that picks sentences and never writes any."""
