"""What the people who work on veridical run: generated pages, and the guard that keeps tests off the network."""
