"""URLs: which are admitted, and which proposed ones are a recorded one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.urls import UrlRefused, UrlTable, admit_url, resolve, same_url, url_host

from core.tests.kernel.lying import LyingStr

POLICY = load_policy()
TABLE = POLICY.table("urls", UrlTable)

# Built from code points, so that what a test holds is seen in its source.
CYRILLIC_A, CYRILLIC_E, GREEK_O, KELVIN, LONG_S, DOTLESS_I, SCRIPT_G = map(chr, (0x430, 0x435, 0x3BF, 0x212A, 0x17F, 0x131, 0x261))
APPLE_IN_CYRILLIC = "".join(map(chr, (0x430, 0x440, 0x440, 0x4CF, 0x435)))
SCOPE_IN_CYRILLIC = "".join(map(chr, (0x455, 0x441, 0x43E, 0x440, 0x435)))
HOST_253 = ".".join(["a" * 62] * 3 + ["b" * 60, "com"])


def a_label(label: str) -> str:
    return "xn--" + label.encode("punycode").decode()


ADMITTED = [
    "https://example.com",
    "https://example.com/",
    "http://example.com/a/b?x=1&y=2#part",
    "HTTPS://EXAMPLE.COM/A",
    "https://example.com:8443/a",
    "https://example.com/a//b",
    "https://example.com/a/b/",
    "https://example.com/?",
    "https://example.com?q=1",
    "https://example.com/#",
    "https://example.com/..a/b..",
    "https://example.com/a(b)!$&'*+,;=:@c",
    "https://example.com/a[0]|b?filter[]=x",
    "https://example.com/%20%2F%E2%82%AC",
    "https://example.com/a?next=https://other.example/..",
    "https://en.wikipedia.org/wiki/Caf\u00e9",
    "https://ja.wikipedia.org/wiki/\u65e5\u672c",
    "https://ar.wikipedia.org/wiki/\u0645\u0635\u0631",
    "https://b\u00fccher.example/x",
    "https://B\u00dcCHER.example/x",
    "https://xn--bcher-kva.example/x",
    "https://xn--fa-hia.example/",
    "https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/",
    "https://\u65e5\u672c\u8a9e.jp/",
    "https://\ud55c\uad6d.example/",
    f"https://{a_label(chr(0x645) + chr(0x635) + chr(0x631))}.example/",
    "https://r3---sn-abc.googlevideo.com/x",
    "https://my_site.example.com/",
    "https://1.example.com/",
    "https://ec2-54-12-3-4.compute.example.com/",
    "https://a-300-1-2-3.example.com/",
    "http://8.8.8.8/",
    "http://93.184.216.34:8080/x",
    "http://[2606:4700::1111]/",
    "http://[2606:4700::1111]:8080/",
    "https://nip.io.example.com/",
    "https://localhost.example.com/",
    f"https://{'a' * 63}.example/",
]

REFUSED = {
    "url-type": [None, 1, b"https://example.com/", ["https://example.com/"], LyingStr("https://example.com/")],
    "url-scheme": [
        "",
        "example.com",
        "//example.com/a",
        "/a",
        "https:/example.com",
        "https:example.com",
        "http//example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript://example.com/%0Aalert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "blob:https://example.com/1",
        "view-source:https://example.com/",
        "ws://example.com/",
        f"http{LONG_S}://example.com/",
        "xhttps://example.com/",
    ],
    "url-character": [
        "https://example.com/a b",
        " https://example.com/",
        "https://example.com/\t",
        "https://example.com/\n",
        "https://exa\nmple.com/",
        "https://example.com\\@evil.example/",
        "https:\\\\example.com/",
        "https://example.com/\x00",
        "https://example.com/\x7f",
        "https://example.com/\x85",
        "https://example.com/\u00a0",
        "https://example.com/\u200b",
        "https://example.com/\u202egpj.exe",
        "https://example.com/\u2066a\u2069",
        "https://example.com/\ufeff",
        "https://example.com/\ud800",
        "https://example.com/\ue000",
        "https://example.com/\U000e0041",
        "https://example.com/\ufe0f",
        "https://example.com\u2044a",
        "https://example.com\u2215a",
        "https://example.com\uff0fa",
        "https://example.com\uff3ca",
        "https://example.com/<b>",
        'https://example.com/"a"',
        "https://example.com/`a`",
        "https://example.com/{id}",
        "https://example.com/a^b",
        "https://exam\u00adple.com/",
        "https://example\u200d.com/",
    ],
    "url-authority": [
        "https://",
        "https:///a",
        "https://?a",
        "https://user@example.com/",
        "https://user:pw@example.com/",
        "https://example.com@evil.example/",
        "https://example.com%40evil.example/",
        "https://example.com:/",
        "https://example.com:0/",
        "https://example.com:0443/",
        "https://example.com:65536/",
        "https://example.com:99999/",
        "https://example.com:port/",
        "https://example.com:80:80/",
        "https://[::1/",
        "https://::1/",
        "https://[fe80::1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[v1.a]/",
        "https://[::1]x/",
        "https://example%2ecom/",
        "https://bu\u0308cher.example/",
        f"https://{KELVIN}.example/",
    ],
    "url-host": [
        "https://example.com./",
        "https://.example.com/",
        "https://example..com/",
        "https://-a.example/",
        "https://a-.example/",
        "https://exa!mple.com/",
        "https://exa,mple.com/",
        f"https://{'a' * 64}.example/",
        "https://" + "a." * 127 + "example/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.0.1./",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://08.8.8.8/",
        "http://8.8.8.0x8/",
        "http://example.123/",
        "http://[1.2.3.4]/",
        "http://[1:2]/",
        "http://[:::]/",
        "https://xn--\u007a-9999999999.example/",
    ],
    "url-escape": [
        "https://example.com/%",
        "https://example.com/%4",
        "https://example.com/%zz",
        "https://example.com/%00",
        "https://example.com/a%0d%0aSet-Cookie:x",
        "https://example.com/?a=%0A",
        "https://example.com/#%7F",
    ],
    "url-dot-segment": [
        "https://example.com/a/../b",
        "https://example.com/./a",
        "https://example.com/a/.",
        "https://example.com/..",
        "https://example.com/a/%2e%2e/b",
        "https://example.com/a/.%2E/b",
        "https://example.com/%2e/b",
    ],
    "look-alike-host": [
        f"https://ex{CYRILLIC_A}mple.com/",
        f"https://{a_label(f'ex{CYRILLIC_A}mple')}.com/",
        f"https://{APPLE_IN_CYRILLIC}.com/",
        f"https://{a_label(APPLE_IN_CYRILLIC)}.com/",
        f"https://{SCOPE_IN_CYRILLIC}.com/",
        f"https://{a_label(SCOPE_IN_CYRILLIC)}.com/",
        f"https://g{GREEK_O}{GREEK_O}gle.com/",
        f"https://{GREEK_O * 3}.com/",
        f"https://w{DOTLESS_I}k{DOTLESS_I}pedia.org/",
        f"https://{SCRIPT_G}oogle.com/",
        f"https://{LONG_S}.com/",
        "https://\uff45\uff58ample.com/",
        "https://example\u3002com/",
        "https://example\uff0ecom/",
        "https://fa\u00df.example/",
        "https://\u03c2\u03b4.example/",
        "https://\u0645\u0635\u0631.example/",
        "https://com\u30cea.evil.example/",
        "https://\u30ce\u30ce.example/",
        "https://\u65e5\u672cabc.jp/",
        "https://xn--.example/",
        "https://xn--a-.example/",
        "https://xn--abc-.example/",
        "https://xn--bcher-kv\u00e1.example/",
        "https://ab--\u00e1.example/",
        "https://-\u00e1.example/",
        f"https://{a_label('-' + chr(0xE1))}.example/",
        f"https://{a_label(chr(0xE1) + '-')}.example/",
        f"https://{a_label('b' + chr(0xDC))}.example/",
        f"https://{a_label('bu' + chr(0x308) + 'cher')}.example/",
        f"https://{a_label(chr(0xFC) * 60 + 'abcdefghijkl')}.example/",
        f"https://{chr(0xFC) * 70}.example/",
        "https://\U0001f4a9.example/",
    ],
    "private-host": [
        "http://127.0.0.1/",
        "http://127.255.255.254/",
        "http://0.0.0.0/",
        "http://10.0.0.5/x",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://168.63.129.16/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.0.0.192/",
        "http://192.0.2.1/",
        "http://192.168.1.1/",
        "http://198.18.0.1/",
        "http://203.0.113.9/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://[::]/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:8.8.8.8]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2001::1]/",
        "http://[2001:db8::1]/",
        "http://[2002:7f00:1::]/",
        "http://[3fff::1]/",
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[FE80::1]/",
        "http://[fec0::1]/",
        "http://[ff02::1]/",
        "http://localhost/",
        "http://LOCALHOST:8080/",
        "http://a.localhost/",
        "http://intranet/wiki",
        "http://printer.local/",
        "http://wiki.internal/",
        "http://metadata.google.internal/",
        "http://router.home.arpa/",
        "http://1.0.0.127.in-addr.arpa/",
        "http://db.svc/",
        "http://shop.test/",
        "http://127.0.0.1.nip.io/",
        "http://7f000001.nip.io/",
        "http://app.10-0-0-1.sslip.io/",
        "http://8.8.8.8.xip.io/",
        "http://lvh.me/",
        "http://a.localtest.me/",
        "http://127.0.0.1.evil.example/",
        "http://1.127.0.0.1.evil.example/",
        "http://ip-10-0-0-1.evil.example/",
        "http://169-254-169-254.evil.example/",
    ],
}


@pytest.mark.parametrize("url", ADMITTED)
def test_a_well_formed_public_url_is_admitted_unchanged(url: str) -> None:
    assert admit_url(url, policy=POLICY) == url


@pytest.mark.parametrize(("rule", "url"), [(rule, url) for rule, urls in REFUSED.items() for url in urls])
def test_a_url_that_may_not_be_evidence_is_refused_with_its_rule(rule: str, url: object) -> None:
    with pytest.raises(UrlRefused) as refused:
        admit_url(url, policy=POLICY)
    assert (refused.value.rule, str(refused.value)) == (rule, rule)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://10.0.0.5/x", "10.0.0.5"),
        ("http://WIKI/x", "wiki"),
        ("http://[FD00::1]:8080/x", "[fd00::1]"),
        ("http://a.corp/", "a.corp"),
        ("http://127.0.0.1.nip.io/", "127.0.0.1.nip.io"),
    ],
)
def test_a_private_host_is_admitted_when_the_operator_listed_that_host(url: str, host: str) -> None:
    assert admit_url(url, policy=POLICY, allowed_hosts=frozenset({host})) == url
    with pytest.raises(UrlRefused, match="private-host"):
        admit_url(url, policy=POLICY, allowed_hosts=frozenset({"other" + host}))


def test_listing_a_host_does_not_admit_another_spelling_of_its_address() -> None:
    with pytest.raises(UrlRefused, match="url-host"):
        admit_url("http://0177.0.0.1/", policy=POLICY, allowed_hosts=frozenset({"127.0.0.1", "0177.0.0.1"}))


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.Example.com:443/", "www.example.com"),
        ("https://B\u00dcCHER.example/", "xn--bcher-kva.example"),
        ("https://[2606:4700::1111]/", "[2606:4700::1111]"),
    ],
)
def test_a_host_has_one_spelling(url: str, host: str) -> None:
    assert url_host(url, POLICY) == host


EQUAL = [
    ("https://example.com/a", "https://example.com/a", set()),
    ("HTTPS://EXAMPLE.COM/a/b?x=1", "https://example.com/a/b?x=1", {"url-canonical"}),
    ("https://example.com:443/a", "https://example.com/a", {"url-canonical"}),
    ("http://example.com/a", "http://example.com:80/a", {"url-canonical"}),
    ("https://example.com/%7Euser", "https://example.com/~user", {"url-canonical"}),
    ("https://example.com/a%2fb", "https://example.com/a%2Fb", {"url-canonical"}),
    ("https://example.com/%61", "https://example.com/a", {"url-canonical"}),
    ("https://example.com/caf%c3%a9", "https://example.com/caf\u00e9", {"url-canonical"}),
    ("https://example.com/?q=caf%C3%A9", "https://example.com/?q=caf\u00e9", {"url-canonical"}),
    ("https://example.com/a#%7E", "https://example.com/a#~", {"url-canonical"}),
    ("https://example.com/a?utm_source=openai", "https://example.com/a", {"url-tracking"}),
    ("https://example.com/a", "https://example.com/a?utm_source=openai", {"url-tracking"}),
    ("https://example.com/a?utm_source=x", "https://example.com/a?utm_source=y", {"url-tracking"}),
    ("https://example.com/a?gclid=1&b=2&a=1", "https://example.com/a?b=2&fbclid=3&a=1", {"url-tracking"}),
    ("https://example.com/a?%75tm_source=openai", "https://example.com/a", {"url-tracking"}),
    ("https://example.com/a?utm_source=x#part", "https://example.com/a#part", {"url-tracking"}),
    ("HTTPS://example.com/a?utm_source=x", "https://example.com/a", {"url-tracking", "url-canonical"}),
    ("https://b\u00fccher.example/x", "https://xn--bcher-kva.example/x", {"url-idna"}),
    ("https://xn--bcher-kva.example/x", "https://b\u00fccher.example/x", {"url-idna"}),
    ("HTTPS://b\u00fccher.example/x", "https://xn--bcher-kva.example/x", {"url-idna", "url-canonical"}),
    ("https://B\u00dcCHER.example/x", "https://b\u00fccher.example/x", {"url-canonical"}),
    ("https://XN--bcher-kva.example/x", "https://xn--bcher-kva.example/x", {"url-canonical"}),
    ("  https://example.com/a ", "https://example.com/a", {"url-trimmed"}),
    ("https://example.com/a ", "https://example.com/a", {"url-trimmed"}),
]


@pytest.mark.parametrize(("proposed", "recorded", "labels"), EQUAL)
def test_an_equal_url_gives_the_recorded_string_and_says_what_differs(proposed: str, recorded: str, labels: set[str]) -> None:
    assert same_url(proposed, recorded, POLICY) == labels
    assert resolve(proposed, ["https://other.example/", recorded], POLICY) == (recorded, labels)


DIFFERENT = [
    ("http://example.com/a", "https://example.com/a"),
    ("https://www.example.com/a", "https://example.com/a"),
    ("https://m.example.com/a", "https://example.com/a"),
    ("https://example.com/A", "https://example.com/a"),
    ("https://example.com/a/", "https://example.com/a"),
    ("https://example.com", "https://example.com/"),
    ("https://example.com//a", "https://example.com/a"),
    ("https://example.com/a?", "https://example.com/a"),
    ("https://example.com/a#", "https://example.com/a"),
    ("https://example.com/a#part", "https://example.com/a"),
    ("https://example.com/a", "https://example.com/a#part"),
    ("https://example.com/a#:~:text=b", "https://example.com/a"),
    ("https://example.com/a#utm_source=x", "https://example.com/a"),
    ("https://example.com/a?b=1&a=2", "https://example.com/a?a=2&b=1"),
    ("https://example.com/a?a=1&a=1", "https://example.com/a?a=1"),
    ("https://example.com/a?a=1&", "https://example.com/a?a=1"),
    ("https://example.com/a?&utm_source=x", "https://example.com/a"),
    ("https://example.com/a?a=1&&utm_source=x", "https://example.com/a?a=1"),
    ("https://example.com/a?A=1", "https://example.com/a?a=1"),
    ("https://example.com/a?a=1;utm_source=x", "https://example.com/a?a=1"),
    ("https://example.com/a?a=1?utm_source=x", "https://example.com/a?a=1"),
    ("https://example.com/a&utm_source=x", "https://example.com/a"),
    ("https://example.com/a?UTM_SOURCE=x", "https://example.com/a"),
    ("https://example.com/a?utm_sourcer=x", "https://example.com/a"),
    ("https://example.com/a?ref=x", "https://example.com/a"),
    ("https://example.com/a?source=x", "https://example.com/a"),
    ("https://example.com/a?amp=1", "https://example.com/a"),
    ("https://example.com/a%2Fb", "https://example.com/a/b"),
    ("https://example.com/a%252Fb", "https://example.com/a%2Fb"),
    ("https://example.com/a+b", "https://example.com/a%20b"),
    ("https://example.com/a?q=a+b", "https://example.com/a?q=a%20b"),
    ("https://example.com/%E9", "https://example.com/\u00e9"),
    ("https://example.com/cafe\u0301", "https://example.com/caf\u00e9"),
    ("https://example.com/cafe", "https://example.com/caf\u00e9"),
    (f"https://example.com/{CYRILLIC_A}", "https://example.com/a"),
    ("https://example.com/a.", "https://example.com/a"),
    ("https://example.com/a)", "https://example.com/a"),
    ("https://example.com/a,", "https://example.com/a"),
    ("https://example.com/a]", "https://example.com/a"),
    ("https://example.com/a&amp;b", "https://example.com/a&b"),
    ("https://example.com:8443/a", "https://example.com/a"),
    ("https://example.com:80/a", "https://example.com/a"),
    ("https://example.com.evil.example/a", "https://example.com/a"),
    ("https://evilexample.com/a", "https://example.com/a"),
    ("https://evil.example/#https://example.com/a", "https://example.com/a"),
    ("https://evil.example/?https://example.com/a", "https://example.com/a"),
    ("https://fass.example/x", "https://xn--fa-hia.example/x"),
    ("https://fa\u00df.example/x", "https://fass.example/x"),
    ("https://fa\u00df.example/x", "https://xn--fa-hia.example/x"),
    ("https://bucher.example/x", "https://b\u00fccher.example/x"),
    ("\nhttps://example.com/a", "https://example.com/a"),
    ("\u00a0https://example.com/a", "https://example.com/a"),
    ("https://example.com/a", " https://example.com/a"),
    ("http://[2606:4700:0::1111]/", "http://[2606:4700::1111]/"),
]


@pytest.mark.parametrize(("proposed", "recorded"), DIFFERENT)
def test_a_url_outside_the_declared_equivalences_is_not_the_recorded_one(proposed: str, recorded: str) -> None:
    assert same_url(proposed, recorded, POLICY) is None
    with pytest.raises(UrlRefused):
        resolve(proposed, [recorded], POLICY)


@pytest.mark.parametrize("url", ["https://example.com:65535/", "http://10-0-0-256.example.com/", f"http://{HOST_253}/"])
def test_what_is_just_within_a_limit_is_admitted(url: str) -> None:
    assert admit_url(url, policy=POLICY) == url


def test_a_host_is_at_most_253_characters() -> None:
    with pytest.raises(UrlRefused, match="url-host"):
        admit_url(f"http://a{HOST_253}/", policy=POLICY)


def test_a_label_of_every_character_that_looks_like_another_is_refused() -> None:
    for script in POLICY.table("urls", UrlTable).scripts:
        label = f"{script.lookalikes[:1]}0123456789-{script.lookalikes[1:]}"
        if script.lookalikes:
            with pytest.raises(UrlRefused, match="look-alike-host"):
                admit_url(f"http://{label}.com/", policy=POLICY)


def test_a_label_has_one_spelling_in_punycode() -> None:
    assert admit_url("http://xn--j6w193g.com/", policy=POLICY)
    with pytest.raises(UrlRefused, match="look-alike-host"):
        admit_url("http://xn---j6w193g.com/", policy=POLICY)


def test_the_same_string_is_found_before_an_equal_one() -> None:
    ledger = ["https://example.com/a?utm_source=x", "https://example.com/a"]
    assert resolve("https://example.com/a", ledger, POLICY) == ("https://example.com/a", set())
    assert resolve("https://example.com/a?gclid=1", ledger, POLICY) == (ledger[0], {"url-tracking"})


def test_what_is_not_an_exact_string_is_not_looked_up() -> None:
    lying = LyingStr("https://example.com/a")
    with pytest.raises(UrlRefused, match="url-type"):
        resolve(lying, ["https://example.com/a"], POLICY)


def test_a_url_that_may_not_be_evidence_is_refused_even_when_it_is_recorded() -> None:
    for urls in REFUSED.values():
        for url in urls:
            with pytest.raises(UrlRefused):
                resolve(url, [url], POLICY)  # type: ignore[list-item]


def test_a_private_host_is_found_when_the_operator_listed_it() -> None:
    assert resolve("http://WIKI/a", ["http://wiki/a"], POLICY, frozenset({"wiki"})) == ("http://wiki/a", {"url-canonical"})


@pytest.mark.parametrize(
    ("url", "labels"),
    [
        ("https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZI1", {"redirect-unresolved"}),
        ("https://vertexaisearch.cloud.google.com/other", set()),
        ("https://www.google.com/url?q=https://example.com/", {"redirect-unresolved"}),
        ("https://example.com/grounding-api-redirect/AUZI1", set()),
    ],
)
def test_a_short_lived_redirect_is_kept_and_labelled(url: str, labels: set[str]) -> None:
    assert resolve(url, [url], POLICY) == (url, labels)


HOSTS = st.sampled_from(["example.com", "sub.example.org", "b\u00fccher.example", "xn--bcher-kva.example", "8.8.8.8"])
SEGMENTS = st.text(st.sampled_from("abzAZ09-._~!$&'()*+,;=:@\u00e9\u65e5"), max_size=5).filter(lambda part: part not in (".", ".."))
QUERIES = st.lists(st.sampled_from(["a=1", "b=2", "utm_source=x", "gclid=y", "", "c"]), max_size=4).map("&".join)


@st.composite
def urls(draw: st.DrawFn) -> str:
    path = "".join("/" + part for part in draw(st.lists(SEGMENTS, max_size=4)))
    tail = "".join(sign + draw(QUERIES) for sign in draw(st.sampled_from(["", "?", "#", "?#"])))
    return f"{draw(st.sampled_from(['http', 'https']))}://{draw(HOSTS)}{draw(st.sampled_from(['', ':80', ':443', ':8080']))}{path}{tail}"


@st.composite
def respelled(draw: st.DrawFn, url: str) -> str:
    """Another spelling of `url` within RFC 3986 6.2.2 and the tracking list."""
    scheme, rest = url.split("://")
    authority = rest.split("/")[0].split("?")[0].split("#")[0]
    tail = rest[len(authority) :]
    escaped = "".join(
        "%" + format(ord(c), draw(st.sampled_from(["02x", "02X"]))) if c in "abAB09~" and draw(st.booleans()) else c for c in tail
    )
    escaped = escaped.replace("\u00e9", draw(st.sampled_from(["\u00e9", "%C3%A9", "%c3%a9"])))
    if draw(st.booleans()) and "#" not in escaped:
        escaped += ("&" if "?" in escaped else "?") + "utm_medium=z" if not escaped.endswith("?") else "utm_medium=z"
    host = authority.upper() if authority.isascii() and draw(st.booleans()) else authority
    return f"{draw(st.sampled_from([scheme, scheme.upper()]))}://{host}{escaped}"


@given(st.data())
def test_another_spelling_is_the_recorded_url_and_the_recorded_string_leaves(data: st.DataObject) -> None:
    recorded = data.draw(urls())
    spelled = data.draw(respelled(recorded))
    query = recorded.partition("#")[0].partition("?")
    if not query[1] or query[2]:  # an empty query is not the same as none, which is what is left of a stripped one
        assert resolve(spelled, [recorded], POLICY).url == recorded


@given(urls(), urls(), urls())
def test_being_one_url_is_an_equivalence(one: str, other: str, third: str) -> None:
    assert same_url(one, one, POLICY) == frozenset()
    assert same_url(one, other, POLICY) == same_url(other, one, POLICY)
    if same_url(one, other, POLICY) is not None and same_url(other, third, POLICY) is not None:
        assert same_url(one, third, POLICY) is not None


@given(st.data())
def test_equivalence_is_transitive_over_spellings(data: st.DataObject) -> None:
    recorded = data.draw(urls().filter(lambda url: "?" not in url))
    one, other = data.draw(respelled(recorded)), data.draw(respelled(recorded))
    assert same_url(one, other, POLICY) is not None
    assert same_url(other, one, POLICY) is not None


PLAIN = "https://example.com/path/Page_1?key=Value&n=2#Part"


@given(st.integers(0, len(PLAIN)), st.characters(), st.sampled_from(["replace", "insert", "delete"]))
def test_one_changed_character_makes_another_url(at: int, character: str, how: str) -> None:
    changed = PLAIN[:at] + ("" if how == "delete" else character) + PLAIN[at + (how != "insert") :]
    canonical = at < len("https://example.com") and changed.lower() == PLAIN  # the case of scheme and host
    trimmed = changed.strip(" ") == PLAIN
    if changed != PLAIN and not canonical and not trimmed and changed.lower() != PLAIN.lower():
        with pytest.raises(UrlRefused):
            resolve(changed, [PLAIN], POLICY)


@given(st.integers(0, len(PLAIN) - 1))
def test_a_change_of_case_is_only_passed_over_in_scheme_and_host(at: int) -> None:
    changed = PLAIN[:at] + PLAIN[at].swapcase() + PLAIN[at + 1 :]
    expected = None if at >= len("https://example.com/") and changed != PLAIN else frozenset({"url-canonical"} if changed != PLAIN else ())
    assert same_url(changed, PLAIN, POLICY) == expected


@given(st.ip_addresses(v=4))
def test_a_special_address_is_refused_bare_and_inside_a_name(address: object) -> None:
    special = any(address in network for network in TABLE.special_networks)
    for host in (f"{address}", f"{address}.example.com", f"x-{str(address).replace('.', '-')}.example.com"):
        if special:
            with pytest.raises(UrlRefused, match="private-host"):
                admit_url(f"http://{host}/", policy=POLICY)
        else:
            assert admit_url(f"http://{host}/", policy=POLICY) == f"http://{host}/"


@given(st.ip_addresses(v=4).map(int))
def test_an_address_in_an_odd_spelling_is_always_refused(number: int) -> None:
    octets = number.to_bytes(4, "big")
    for host in (
        f"{number}",
        f"{number:#x}",
        ".".join(f"{octet:#o}".replace("0o", "0") for octet in octets),
        f"{octets[0]}.{number & 0xFFFFFF}",
    ):
        with pytest.raises(UrlRefused):
            admit_url(f"http://{host}/", policy=POLICY)


@given(st.ip_addresses(v=6))
def test_an_ipv6_address_is_admitted_only_when_it_is_public(address: object) -> None:
    url = f"http://[{address}]/"
    if any(address in network for network in TABLE.special_networks):
        with pytest.raises(UrlRefused, match="private-host"):
            admit_url(url, policy=POLICY)
    elif "%" not in url:
        assert admit_url(url, policy=POLICY) == url


@given(st.text(st.characters(min_codepoint=0x250), min_size=1, max_size=6), st.text("abc", min_size=1, max_size=3), st.booleans())
def test_latin_letters_beside_letters_of_another_script_are_refused_in_both_forms(letters: str, latin: str, first: bool) -> None:
    label = latin + letters if first else letters + latin
    for written in (label, a_label(label)):
        with pytest.raises(UrlRefused):
            admit_url(f"https://{written}.example.com/", policy=POLICY)


def test_every_tracking_parameter_of_the_table_is_passed_over() -> None:
    for name in TABLE.tracking:
        assert same_url(f"https://example.com/a?b=1&{name}=2", "https://example.com/a?b=1", POLICY) == {"url-tracking"}


def test_every_private_or_embedding_suffix_of_the_table_is_refused() -> None:
    for suffix in TABLE.private_suffixes | TABLE.address_suffixes:
        for host in (f"a.{suffix}", f"a.b.{suffix}"):
            with pytest.raises(UrlRefused, match="private-host"):
                admit_url(f"https://{host}/", policy=POLICY)
        assert admit_url(f"https://{suffix}.example.com/", policy=POLICY) == f"https://{suffix}.example.com/"
