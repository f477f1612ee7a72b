"""Ed25519 as the checker verifies it, by itself: the vectors of RFC 8032, section 7.1, what has two spellings, and a library beside it."""

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.bundle import checker

ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
exceptions = pytest.importorskip("cryptography.exceptions")

PRIME, ORDER = checker.PRIME, checker.ORDER
LONG = (
    "08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264bf09efe12ee50f8f54e9f77b1e355f6c50544e23fb1433ddf73be84d8"
    "79de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37c93a1b270b20329d658675fc6ea534e0810a4432826bf58c941efb65d57a338bbd2e26640f89ffbc"
    "1a858efcb8550ee3a5e1998bd177e93a7363c344fe6b199ee5d02e82d522c4feba15452f80288a821a579116ec6dad2b3b310da903401aa62100ab5d1a36553e"
    "06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573cb116dbefefd75499da96bd68a8a97b928a8bbc103b6621fcde2beca1231d206be6cd9ec7"
    "aff6f6c94fcd7204ed3455c68c83f4a41da4af2b74ef5c53f1d8ac70bdcb7ed185ce81bd84359d44254d95629e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2"
    "d17ba70eb6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24554119a831a9aad6079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f270"
    "88d78b7e883c8759d2c4f5c65adb7553878ad575f9fad878e80a0c9ba63bcbcc2732e69485bbc9c90bfbd62481d9089beccf80cfe2df16a2cf65bd92dd597b07"
    "07e0917af48bbb75fed413d238f5555a7a569d80c3414a8d0859dc65a46128bab27af87a71314f318c782b23ebfe808b82b0ce26401d2e22f04d83d1255dc51a"
    "ddd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2af58429ec96031dbcad3dad9af0dcbaaaf268cb8fcffead94f3c7ca495e056a9b47acdb7"
    "51fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301651339e22904cc8c42f58c30c04aafdb038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8"
    "ca61783aacec57fb3d1f92b0fe2fd1a85f6724517b65e614ad6808d6f6ee34dff7310fdc82aebfd904b01e1dc54b2927094b2db68d6f903b68401adebf5a7e08"
    "d78ff4ef5d63653a65040cf9bfd4aca7984a74d37145986780fc0b16ac451649de6188a7dbdf191f64b5fc5e2ab47b57f7f7276cd419c17a3ca8e1b939ae49e4"
    "88acba6b965610b5480109c8b17b80e1b7b750dfc7598d5d5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504ccc493d97e"
    "6aed3fb0f9cd71a43dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5fb93246f6b1116398a346f1a641f3b041e989f7914f90cc2c7fff357876e506b5"
    "0d334ba77c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa933a15ef1369546868a7f3a45a96768d40fd9d03412c091c6315cf4fde7cb68606937380d"
    "b2eaaa707b4c4185c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8cac60c905c15fc910840b94c00a0b9d0"
)
VECTORS = {
    "1": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    "2": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    "3": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    "1024": (
        "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
        LONG,
        "0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350aa5371b1508f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a9704a188a03",
    ),
    "SHA(abc)": (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
}
SPKI = bytes.fromhex("302a300506032b6570032100")


def pem(key: bytes, newline: bytes = b"\n") -> bytes:
    return newline.join([b"-----BEGIN PUBLIC KEY-----", base64.b64encode(SPKI + key), b"-----END PUBLIC KEY-----", b""])


def accepts(key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        checker.check_signature(pem(key), signature, message, "here")
    except checker.DoesNotVerify:
        return False
    return True


def spelled(x: int, y: int) -> bytes:
    return (y | (x % 2) << 255).to_bytes(32, "little")


@pytest.mark.parametrize("vector", VECTORS)
def test_the_vectors_of_the_standard_verify_and_no_changed_bit_of_one_does(vector):
    key, message, signature = (bytes.fromhex(part) for part in VECTORS[vector])
    assert checker.check_signature(pem(key), signature, message, "here") == hashlib.sha256(SPKI + key).hexdigest()
    for at in range(0, 512, 37):
        changed = bytearray(signature)
        changed[at // 8] ^= 1 << at % 8
        assert not accepts(key, bytes(changed), message), at
    assert not accepts(key, signature, message + b"\0")


def test_a_signature_whose_number_is_the_order_too_much_is_refused():
    """S and S + L satisfy one equation: without the bound there would be two signatures of one thing."""
    key, message, signature = (bytes.fromhex(part) for part in VECTORS["3"])
    number = int.from_bytes(signature[32:], "little")
    for more in (ORDER, 2 * ORDER, 15 * ORDER):
        if number + more < 2**256:
            assert not accepts(key, signature[:32] + (number + more).to_bytes(32, "little"), message)
    assert accepts(key, signature, message)


@pytest.mark.parametrize("length", [0, 32, 63, 65, 128])
def test_a_signature_of_another_length_is_refused(length):
    key, message, signature = (bytes.fromhex(part) for part in VECTORS["1"])
    with pytest.raises(checker.DoesNotVerify, match="is missing, or is not a signature of 64 bytes"):
        checker.check_signature(pem(key), (signature * 2)[:length], message, "here")


def _small() -> list[tuple[int, int]]:
    """The eight points whose order divides eight, found from one of order eight."""
    for y in range(2, 200):
        try:
            point = checker.read_point(y.to_bytes(32, "little"), "here")
        except checker.DoesNotVerify:
            continue
        torsion = checker._times(ORDER, point)
        multiples = [checker._times(count, torsion) for count in range(8)]
        if len(set(multiples)) == 8:
            return multiples
    raise AssertionError("no point of order eight")


def test_a_key_of_small_order_is_refused_whatever_it_signs():
    """Under such a key one signature is that of every eighth message at least, and it can be made without a private key."""
    points = _small()
    for point in points:
        for other in points:
            signature = spelled(*other) + bytes(32)
            for message in (b"", b"a", b"b"):
                with pytest.raises(checker.DoesNotVerify) as caught:
                    checker.check_signature(pem(spelled(*point)), signature, message, "here")
                assert caught.value.args == ("--key", "is a key of small order, under which anybody can sign")


def test_a_point_has_one_spelling():
    """y and y + p are one number; so are the two signs of x = 0."""
    for y in range(19):
        for sign in (0, 1):
            with pytest.raises(checker.DoesNotVerify, match="one spelling"):
                checker.read_point((PRIME + y | sign << 255).to_bytes(32, "little"), "here")
    for y in (1, PRIME - 1):
        assert checker.read_point(y.to_bytes(32, "little"), "here") == (0, y)
        with pytest.raises(checker.DoesNotVerify, match="one spelling"):
            checker.read_point((y | 1 << 255).to_bytes(32, "little"), "here")


def test_half_of_all_numbers_are_no_points():
    found = 0
    for y in range(2, 102):
        try:
            x, again = checker.read_point(y.to_bytes(32, "little"), "here")
        except checker.DoesNotVerify:
            continue
        found += 1
        assert again == y
        assert (-x * x + y * y - 1 - checker.TWIST * x * x * y * y) % PRIME == 0  # RFC 8032, 5.1: the curve
    assert 30 < found < 70


def test_the_base_point_has_the_order_of_the_standard():
    assert checker.read_point(spelled(*checker.BASE), "here") == checker.BASE
    assert checker.BASE[1] * 5 % PRIME == 4
    assert checker._times(ORDER, checker.BASE) == (0, 1)
    assert checker._times(ORDER + 1, checker.BASE) == checker.BASE


ODD_KEYS = {
    "nothing": b"",
    "a private key": pem(bytes.fromhex(VECTORS["1"][0])).replace(b"PUBLIC", b"PRIVATE"),
    "raw bytes": bytes.fromhex(VECTORS["1"][0]),
    "hexadecimal": VECTORS["1"][0].encode(),
    "another curve": pem(bytes.fromhex(VECTORS["1"][0])).replace(b"MCowBQYDK2VwAyEA", b"MCowBQYDK2VuAyEA"),
    "a key too long": pem(bytes.fromhex(VECTORS["1"][0]) + b"\0\0\0"),
    "a key too short": pem(bytes.fromhex(VECTORS["1"][0])[:-3]),
    "words before it": b"key:\n" + pem(bytes.fromhex(VECTORS["1"][0])),
    "two of them": pem(bytes.fromhex(VECTORS["1"][0])) * 2,
}


@pytest.mark.parametrize("odd", ODD_KEYS)
def test_what_is_no_public_key_is_named_as_such(odd):
    with pytest.raises(checker.DoesNotVerify) as caught:
        checker.check_signature(ODD_KEYS[odd], bytes(64), b"", "here")
    assert caught.value.args[0] == "--key"
    assert "is not an Ed25519 public key in PEM" in caught.value.args[1]


def test_a_key_with_the_line_ends_of_another_system_is_read():
    key, message, signature = (bytes.fromhex(part) for part in VECTORS["2"])
    assert checker.check_signature(pem(key, b"\r\n"), signature, message, "here")


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=80), change=st.integers(0, 64 * 8), data=st.data())
def test_a_library_and_the_checker_say_the_same(seed, message, change, data):
    private = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = private.public_key(), bytearray(private.sign(message))
    if change:
        signature[(change - 1) // 8] ^= 1 << (change - 1) % 8
    if data.draw(st.booleans()):
        number = int.from_bytes(signature[32:], "little") + ORDER * data.draw(st.integers(0, 15))
        signature[32:] = (number % 2**256).to_bytes(32, "little")
    try:
        public.verify(bytes(signature), message)
        due = True
    except exceptions.InvalidSignature:
        due = False
    assert accepts(public.public_bytes_raw(), bytes(signature), message) == due
