"""Signing: a key file is read only when it is its owner's alone, and what was signed is what the checker accepts."""

from __future__ import annotations

import builtins
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from veridical.bundle import new_key, read_signing_key, signature_path, verify_bundle
from veridical_contract import MissingExtraError, UsageError

from .cases import answered, sha

pytest.importorskip("cryptography")
ROOT = "ab" * 32


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "report.zip"
    path.write_bytes(answered().build())
    return path


@pytest.fixture
def root(bundle: Path) -> str:
    return json.loads(verify_bundle(bundle, as_json=True).text)["root"]


def sign(bundle: Path, root: str, key: Path) -> None:
    signature_path(bundle).write_bytes(read_signing_key(key).sign(root))


def test_a_new_key_signs_what_its_public_half_verifies(bundle, root, tmp_path):
    made = new_key(tmp_path / "ann.pem")
    assert made.private.stat().st_mode & 0o777 == 0o600
    sign(bundle, root, made.private)
    found = verify_bundle(bundle, key=made.public)
    assert found.code == 0
    assert f"verifies: signed by KEY {made.fingerprint}: names who asserts the recording, no more\n" in found.text
    both = json.loads(verify_bundle(bundle, root, key=made.public, as_json=True).text)
    assert both["origin"] == f"root digest as given; signed by KEY {made.fingerprint}: names who asserts the recording, no more"


def test_a_signature_of_another_key_or_of_another_bundle_does_not_verify(bundle, root, tmp_path):
    ann, bob = new_key(tmp_path / "ann.pem"), new_key(tmp_path / "bob.pem")
    sign(bundle, root, bob.private)
    found = verify_bundle(bundle, key=ann.public)
    assert (found.code, "report.zip.sig: is not of this key and this root" in found.text) == (4, True)
    sign(bundle, ROOT, ann.private)
    assert verify_bundle(bundle, key=ann.public).code == 4


def test_a_bundle_without_its_signature_does_not_verify_when_a_key_is_given(bundle, tmp_path):
    found = verify_bundle(bundle, key=new_key(tmp_path / "ann.pem").public)
    assert (found.code, "report.zip.sig: is missing" in found.text) == (4, True)


def test_a_signature_is_not_looked_at_when_no_key_is_given(bundle):
    signature_path(bundle).write_bytes(b"anything")
    assert "consistent, origin unproven" in verify_bundle(bundle).text


def test_the_signature_of_something_else_is_none_of_a_bundle(bundle, root, tmp_path):
    """The signed words begin with their purpose: a signature of the bare digest is another one."""
    made = new_key(tmp_path / "ann.pem")
    key = read_signing_key(made.private)
    signature_path(bundle).write_bytes(key._key.sign(root.encode()))
    assert verify_bundle(bundle, key=made.public).code == 4
    signature_path(bundle).write_bytes(key._key.sign(bytes.fromhex(root)))
    assert verify_bundle(bundle, key=made.public).code == 4


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PUBLIC KEY-----\n\n-----END PUBLIC KEY-----\n"])
def test_a_file_that_is_no_public_key_is_wrong_usage(bundle, tmp_path, content):
    path = tmp_path / "key.pub"
    path.write_bytes(content)
    found = verify_bundle(bundle, key=path)
    assert (found.code, "is not an Ed25519 public key in PEM" in found.text) == (2, True)


def test_a_public_key_that_is_not_there_is_wrong_usage(bundle, tmp_path):
    found = verify_bundle(bundle, key=tmp_path / "none.pub")
    assert (found.code, "none.pub cannot be read" in found.problem) == (2, True)


def test_the_empty_name_of_a_key_is_not_no_key(bundle):
    assert verify_bundle(bundle, key=Path()).code == 2


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o666])
def test_a_key_that_others_may_read_or_write_is_refused(tmp_path, mode):
    path = new_key(tmp_path / "ann.pem").private
    path.chmod(mode)
    with pytest.raises(UsageError, match=f"may be read by others \\(mode {mode:04o}\\)") as caught:
        read_signing_key(path)
    assert caught.value.hint == f"Type: chmod 600 {path}"


def test_no_key_is_ever_replaced(tmp_path):
    path = tmp_path / "ann.pem"
    new_key(path)
    kept = path.read_bytes()
    with pytest.raises(UsageError, match="is there already"):
        new_key(path)
    path.unlink()
    with pytest.raises(UsageError, match=r"ann\.pem\.pub is there already"):
        new_key(path)
    assert b"PRIVATE" in kept
    assert not path.exists()
    with pytest.raises(UsageError, match="There is no folder"):
        new_key(tmp_path / "none" / "ann.pem")


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def test_what_is_no_key_to_sign_with_is_said_in_one_line(tmp_path):
    from cryptography.hazmat.primitives import serialization as pem
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519

    def spelled(key, protection=None):
        return key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, protection or pem.NoEncryption())

    key = ed25519.Ed25519PrivateKey.generate()
    locked = _file(tmp_path / "locked.pem", spelled(key, pem.BestAvailableEncryption(b"secret words")))
    with pytest.raises(UsageError, match="is encrypted"):
        read_signing_key(locked)
    two = spelled(key) + spelled(ed25519.Ed25519PrivateKey.generate())
    with pytest.raises(UsageError, match="more than one key"):
        read_signing_key(_file(tmp_path / "two.pem", two))
    with pytest.raises(UsageError, match="is not an Ed25519 key"):
        read_signing_key(_file(tmp_path / "p256.pem", spelled(ec.generate_private_key(ec.SECP256R1()))))
    with pytest.raises(UsageError, match="is not a private key in PEM") as caught:
        read_signing_key(_file(tmp_path / "notes.pem", b"my secret words"))
    assert "secret words" not in str(caught.value)
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_signing_key(tmp_path / "none.pem")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_signing_key(tmp_path)


def test_without_the_library_the_command_that_brings_it_is_named(tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments):
        if name.split(".")[0] == "cryptography":
            raise ImportError(name)
        return real(name, *arguments)

    path = new_key(tmp_path / "ann.pem").private
    monkeypatch.setattr(builtins, "__import__", without)
    for call in (lambda: read_signing_key(path), lambda: new_key(tmp_path / "bob.pem")):
        with pytest.raises(MissingExtraError) as caught:
            call()
        assert caught.value.hint == "Type: pip install 'veridical[sign]'"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_makes_the_keys_and_verifies_the_signature_too(bundle, root, tmp_path):
    private, public, message = tmp_path / "key.pem", tmp_path / "key.pub", tmp_path / "message"

    def openssl(*arguments):
        return subprocess.run(["openssl", *map(str, arguments)], capture_output=True, check=False)

    assert openssl("genpkey", "-algorithm", "ed25519", "-out", private).returncode == 0
    private.chmod(0o600)
    assert openssl("pkey", "-in", private, "-pubout", "-out", public).returncode == 0
    sign(bundle, root, private)
    assert verify_bundle(bundle, key=public).code == 0
    message.write_bytes(f"veridical.signature/1 {root}\n".encode())
    verify = ("pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin", "-in", message, "-sigfile", signature_path(bundle))
    assert openssl(*verify).returncode == 0
    der = openssl("pkey", "-pubin", "-in", public, "-outform", "DER").stdout
    assert sha(der) == read_signing_key(private).fingerprint
