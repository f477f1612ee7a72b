"""veridical embedding without a download: hashed features."""
