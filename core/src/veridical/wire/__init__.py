"""What the host reads itself, so that it is known without a plugin's word.

inputs    files that the operator named, enumerated and hashed before plugins load
markers   exports that are read back in are known as such
reading   files cut into records with their exact bytes, and what can be seen in them
"""
