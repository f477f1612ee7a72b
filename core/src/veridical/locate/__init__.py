"""Clever and untrusted: what finds things for the kernel to confirm.

projection   visible text of plain, Markdown and HTML sources, with its map to the source
passages     stretches of a text to index one by one
find         where a quote stands
diagnose     why a quote was not found, and what is nearest
"""
