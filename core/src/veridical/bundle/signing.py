"""Signing: an Ed25519 signature (RFC 8032) of a bundle's root digest, in a file beside the bundle.

    message    `veridical.signature/1 ROOT` and a line feed, in ASCII; ROOT is the root digest, 64 lower-case hexadecimal digits
    signature  the 64 bytes alone, in BUNDLE.sig (`report.zip.sig`)
    key        PEM: PKCS #8 to sign with, SubjectPublicKeyInfo to check with (RFC 8410), as `openssl` makes and reads them
    KEY        its fingerprint: the SHA-256 of the public key's DER form, 64 hexadecimal digits

The archive and its root digest are what they are without a signature. The words before the digest keep a signature that was made for
something else from being one of a bundle, and the reverse. A signature names who asserts a recording; it does not make the recording
true. The stand-alone checker verifies by itself.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from veridical_contract import MissingExtraError, UsageError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["SIGNATURE_FORMAT", "KeyPair", "SigningKey", "new_key", "read_signing_key", "signature_path"]

SIGNATURE_FORMAT = "veridical.signature/1"
_MAKE = "Make one: veridical keys new PATH, or: openssl genpkey -algorithm ed25519 -out PATH"
_LONGEST = 64 * 1024
_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class SigningKey:
    """A private key that signs root digests; its bytes leave this object in no message."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    def sign(self, root: str) -> bytes:
        """Return the 64 bytes that sign a root digest of 64 lower-case hexadecimal digits."""
        return self._key.sign(f"{SIGNATURE_FORMAT} {root}\n".encode("ascii"))

    @property
    def public_pem(self) -> bytes:
        """The public key as those who check need it."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    @property
    def fingerprint(self) -> str:
        """What `veridical verify --key` prints, 64 hexadecimal digits."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        return sha256(self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


@dataclass(frozen=True, slots=True)
class KeyPair:
    """The two files of a new key.

    Attributes:
        private: to sign with; mode 0600.
        public: to give to whoever checks.
        fingerprint: 64 hexadecimal digits.
    """

    private: Path
    public: Path
    fingerprint: str


def signature_path(bundle: Path) -> Path:
    """Return where the signature of a bundle lies."""
    return bundle.with_name(f"{bundle.name}.sig")


def read_signing_key(path: Path) -> SigningKey:
    """Read a private key.

    Raises:
        MissingExtraError: signing needs a package that is not installed.
        UsageError: there is no such file, others may read it, it holds several keys, is encrypted, or is no Ed25519 private key in PEM.
    """
    _needed()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    data = _private_bytes(path)
    if data.count(b"-----BEGIN") > 1:
        raise UsageError(
            f"{path} holds more than one key; which of them is to sign is not said.", hint="Put one of them into a file of its own."
        )
    try:
        key = load_pem_private_key(data, password=None)
    except TypeError:
        raise UsageError(
            f"The key {path} is encrypted.", hint=f"Sign with a key that is not: openssl pkey -in {path} -out PLAIN (umask 077)"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        raise UsageError(f"{path} is not a private key in PEM (PKCS #8).", hint=_MAKE) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"The key {path} is not an Ed25519 key; expected one.", hint=_MAKE)
    return SigningKey(key)


def new_key(path: Path) -> KeyPair:
    """Make a key: the private one at `path`, mode 0600, and the public one beside it, with `.pub` after the name; replace nothing.

    Raises:
        MissingExtraError: signing needs a package that is not installed.
        UsageError: a file of one of the names is there, or the folder is not.
    """
    _needed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    if not path.name:
        raise UsageError(f"{path} names no file to write the key to.", hint="Type: veridical keys new ann.pem")
    key = Ed25519PrivateKey.generate()
    public = path.with_name(f"{path.name}.pub")
    for taken in (path, public):
        if os.path.lexists(taken):
            raise UsageError(f"{taken} is there already; a key is never replaced.", hint="Name another path.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.", hint=f"Type: mkdir -p {path.parent}")
    _write(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
    made = SigningKey(key)
    _write(public, made.public_pem, 0o644)
    return KeyPair(path, public, made.fingerprint)


def _private_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            # Of the file that is open, not of the path: it cannot be exchanged in between.
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(_LONGEST)
    except OSError as error:
        raise UsageError(f"The key {path} cannot be read: {error.strerror or error}.", hint=_MAKE) from None
    if os.name == "posix" and mode & _FOR_OTHERS:
        raise UsageError(f"The key {path} may be read by others (mode {stat.S_IMODE(mode):04o}).", hint=f"Type: chmod 600 {path}")
    return content


def _write(path: Path, content: bytes, mode: int) -> None:
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:  # its mode is that from the first byte on
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _needed() -> None:
    try:
        import cryptography  # noqa: F401 # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise MissingExtraError(
            "Signing needs the package cryptography, which is not installed.", hint="Type: pip install 'veridical[sign]'"
        ) from None
