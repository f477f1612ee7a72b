"""The conformance kit, put to the proof: an honest plugin of each kind passes, and for each check there is a broken one that it finds."""
