"""No spelling of an address, no name and no redirect leads into the house: proved against a canary that is hit by any connection at all."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.wire.fetching import Fetcher, FetchRefused, Limits, Page
from veridical.wire.fetching.addresses import _may_be_read, checked_addresses, system_resolver, target_of

from .kit import OTHER, PUBLIC, Answer, Clock, Names, Server, Wires, fetcher, redirect, robots_free, site

# ruff: noqa: RUF001 - the ambiguous characters are the attack
SPELLINGS = [
    # this machine
    "http://127.0.0.1/", "http://127.0.0.2/", "http://127.1/", "http://127.0.1/", "http://127.255.255.254/", "http://0.0.0.0/", "http://0/",
    "http://2130706433/", "http://017700000001/", "http://0177.0.0.1/", "http://0x7f000001/", "http://0x7f.0.0.1/", "http://0x7f.1/",
    "http://127.0.0.1./", "http://127.0.0.01/", "http://127.0.0.0x1/", "http://4294967297/", "http://127.0.0.1%00.example.com/",
    "http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://a.localhost/", "http://localhost.localdomain/",
    "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/", "http://[2002:7f00:1::]/", "http://[64:ff9b::7f00:1]/", "http://[2001:0:7f00:1::1]/", "http://[::1%25lo]/",
    "http://[0000::1]/", "http://[::ffff:0:127.0.0.1]/",
    # other digits, dots and letters
    "http://１２７.0.0.1/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://ⓛocalhost/", "http://loc\u00adalhost/", "http://ｌｏｃａｌｈｏｓｔ/",
    # names that say an address, or resolve to one
    "http://127.0.0.1.nip.io/", "http://7f000001.nip.io/", "http://127-0-0-1.sslip.io/", "http://localtest.me/", "http://a.lvh.me/",
    "http://app.127.0.0.1.example.com/", "http://inside.example.com/", "http://both.example.com/", "http://mapped.example.com/",
    "http://linklocal.example.com/", "http://unspecified.example.com/", "http://junk.example.com/",
    # private, shared and link-local networks
    "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/", "http://100.64.0.1/", "http://169.254.1.1/",
    "http://[fe80::1]/", "http://[fc00::1]/", "http://[fd12:3456::1]/", "http://224.0.0.1/", "http://255.255.255.255/", "http://198.18.0.1/",
    "http://[ff02::1]/", "http://intranet/", "http://wiki.corp/", "http://printer.local/", "http://db.internal/",
    # metadata services
    "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://0xA9FEA9FE/", "http://[fd00:ec2::254]/",
    "http://metadata.google.internal/", "http://100.100.100.200/", "http://168.63.129.16/", "http://[::ffff:169.254.169.254]/",
    "http://metadata.example.com/",
    # what looks like one host and is another
    "http://example.com@127.0.0.1/", "http://127.0.0.1#@example.com/", "http://example.com:80@127.0.0.1/", "http://127.0.0.1\\@example.com/",
    "http:///127.0.0.1/", "http:127.0.0.1", "//127.0.0.1/", "http://a.example.com\t@127.0.0.1/", "http://127.0.0.1 /", "http://a.example.com\n.x/",
    # other schemes and ports
    "file:///etc/passwd", "ftp://a.example.com/", "gopher://a.example.com:70/_x", "javascript:alert(1)", "data:text/html,x", "dict://127.0.0.1:11211/",
    "unix:///var/run/docker.sock", "http://a.example.com:22/", "http://a.example.com:6379/", "http://a.example.com:8080/", "https://a.example.com:25/",
    "http://a.example.com:0/", "http://a.example.com:65536/", "http://a.example.com:080/", "http://a.example.com:٨٠/",
]  # fmt: skip
RESOLVED = {
    "a.example.com": [[PUBLIC]],
    "inside.example.com": [["127.0.0.1"]],
    "app.127.0.0.1.example.com": [["127.0.0.1"]],
    "both.example.com": [[PUBLIC, "10.0.0.7"]],
    "mapped.example.com": [["::ffff:127.0.0.1"]],
    "linklocal.example.com": [["fe80::1%eth0"]],
    "unspecified.example.com": [["0.0.0.0"]],
    "junk.example.com": [["not-an-address"]],
    "metadata.example.com": [["169.254.169.254"]],
}


def resolve(host: str, port: int) -> list[str]:
    """Any name that is not in the table is an old spelling of an address to the system, as `2130706433` is, or leads to the canary."""
    if host in RESOLVED:
        return list(RESOLVED[host][0])
    try:
        return [socket.inet_ntoa(socket.inet_aton(host))]
    except OSError:
        return ["127.0.0.1"]


def refused(url: str, wires: Wires, **more: object) -> str:
    clock = Clock()
    reading = Fetcher(backend=wires, resolver=resolve, monotonic=clock.monotonic, sleep=clock.sleep, **more)  # pyright: ignore[reportArgumentType]
    with pytest.raises(FetchRefused) as caught:
        reading.fetch(url)
    assert "\n" not in caught.value.message
    return caught.value.rule


@pytest.fixture(scope="module")
def canary() -> Iterator[Server]:
    """A server that nobody may ever connect to."""
    with Server() as server:
        yield server


@pytest.fixture(scope="module")
def crossroads() -> Iterator[Server]:
    """A public server whose `/N` redirects to spelling N."""

    def answer(path: str, headers: dict[str, str]) -> Answer:
        if not path[1:].isdecimal():
            return robots_free(path, headers)
        location = SPELLINGS[int(path[1:])].replace("\n", "")
        return Answer(raw=b"HTTP/1.1 302 Found\r\nLocation: " + location.encode() + b"\r\n\r\n")

    with Server(answer) as server:
        yield server


@pytest.mark.parametrize("url", SPELLINGS, ids=ascii)
def test_no_spelling_leads_into_the_house(url: str, canary: Server) -> None:
    wires = Wires({}, rest=canary)
    refused(url, wires)
    assert ([], 0, []) == (wires.connected, canary.connections, canary.asked)


def test_the_table_is_long_enough_and_says_nothing_twice() -> None:
    assert len(set(SPELLINGS)) == len(SPELLINGS) >= 60


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "//169.254.169.254/latest", "http://inside.example.com/", "http://[::1]/", "http://2130706433/"]
)
def test_no_redirect_leads_into_the_house(url: str, status: int, serve: Callable[..., Server]) -> None:
    canary, public = serve(), serve(site({"/": redirect(url, status)}))
    wires = Wires({PUBLIC: public}, rest=canary)
    refused("http://a.example.com/", wires)
    assert (["/"], 0) == (public.paths, canary.connections)


@pytest.mark.parametrize("number", range(len(SPELLINGS)), ids=lambda number: ascii(SPELLINGS[number]))
def test_no_spelling_is_reached_by_a_redirect(number: int, canary: Server, crossroads: Server) -> None:
    """A few of them are no URLs of their own and name a page of the same host: that one may be read, nothing else."""
    wires, clock = Wires({PUBLIC: crossroads}, rest=canary), Clock()
    reading = Fetcher(backend=wires, resolver=resolve, monotonic=clock.monotonic, sleep=clock.sleep)
    with suppress(FetchRefused):
        assert isinstance(page := reading.fetch(f"http://a.example.com/{number}"), Page)
        assert page.url.startswith("http://a.example.com/")
    assert ({PUBLIC}, 0) == ({address for address, _ in wires.connected}, canary.connections)


@pytest.mark.parametrize(
    "chain",
    [
        ["http://a.example.com/2", "http://a.example.com/3", "http://127.0.0.1/"],
        ["/2", "//inside.example.com/"],
        ["/2", "/3", "/4", "http://both.example.com/"],
        ["http://a.example.com:443/2", "http://a.example.com:8443/"],
    ],
)
def test_no_chain_of_redirects_leads_into_the_house(chain: list[str], serve: Callable[..., Server]) -> None:
    pages = {"/": redirect(chain[0]), **{f"/{at + 1}": redirect(to) for at, to in enumerate(chain[1:], 1)}}
    canary, public = serve(), serve(site(pages))
    wires = Wires({PUBLIC: public}, rest=canary)
    refused("http://a.example.com/", wires)
    assert (len(chain), 0) == (len(public.paths), canary.connections)
    assert {PUBLIC} == {address for address, _ in wires.connected}


def test_robots_txt_is_no_way_in_either(serve: Callable[..., Server]) -> None:
    canary, public = serve(), serve(site({"/robots.txt": redirect("http://127.0.0.1/robots.txt")}))
    assert "robots-unreachable" == refused("http://a.example.com/", Wires({PUBLIC: public}, rest=canary))
    assert 0 == canary.connections


def test_a_name_that_changes_its_mind_leads_where_it_was_checked(serve: Callable[..., Server]) -> None:
    """DNS rebinding: public when it is checked, loopback when it is asked again."""
    canary, public = serve(), serve()
    names = Names({"a.example.com": [[PUBLIC], ["127.0.0.1"]]})
    wires = Wires({PUBLIC: public}, rest=canary)
    clock = Clock()
    reading = Fetcher(resolver=names, backend=wires, monotonic=clock.monotonic, sleep=clock.sleep)
    with pytest.raises(FetchRefused) as caught:  # robots.txt came from the first address, the page would come from the second
        reading.fetch("http://a.example.com/")
    assert ("private-address", [(PUBLIC, 80)], 0) == (caught.value.rule, wires.connected, canary.connections)


def test_a_name_is_looked_up_once_for_each_request(serve: Callable[..., Server]) -> None:
    public = serve()
    names = Names({"a.example.com": [[PUBLIC], [PUBLIC], ["127.0.0.1"]]})
    clock = Clock()
    page = Fetcher(resolver=names, backend=Wires({PUBLIC: public}), monotonic=clock.monotonic, sleep=clock.sleep).fetch(
        "http://a.example.com/"
    )
    assert isinstance(page, Page)
    assert ["a.example.com", "a.example.com"] == names.asked


def test_a_listed_host_is_reached(serve: Callable[..., Server]) -> None:
    """The control: with real sockets, the same kind of server answers once the operator lists it."""
    canary = serve()
    clock = Clock()
    reading = Fetcher(hosts=[f"127.0.0.1:{canary.port}"], monotonic=clock.monotonic, sleep=clock.sleep)
    page = reading.fetch(f"http://127.0.0.1:{canary.port}/page")
    assert isinstance(page, Page)
    assert (["/page"], "The battery died after a week of use.") == (canary.paths, page.parts[0].text)


@pytest.mark.parametrize("hosts", [["127.0.0.1"], ["127.0.0.1:1"], ["localhost"], []])
def test_a_host_is_listed_with_its_port(hosts: list[str], serve: Callable[..., Server]) -> None:
    canary = serve()
    with pytest.raises(FetchRefused):
        Fetcher(hosts=hosts).fetch(f"http://127.0.0.1:{canary.port}/")
    assert 0 == canary.connections


def test_a_listed_name_may_lead_to_a_private_address(serve: Callable[..., Server]) -> None:
    wiki = serve()
    reading = fetcher({"10.0.0.7:8080": wiki}, {"wiki.corp": [["10.0.0.7"]]}, hosts=["wiki.corp:8080"])
    assert isinstance(reading.fetch("http://wiki.corp:8080/"), Page)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "fe80::1",
        "0.0.0.0",
        "224.0.0.1",
        "fd00:ec2::254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
    ],
)
def test_not_even_a_listed_name_leads_to_a_metadata_service(address: str, serve: Callable[..., Server]) -> None:
    canary = serve()
    reading = fetcher(names={"wiki.corp": [[address]]}, hosts=["wiki.corp"], backend=Wires({}, rest=canary))
    with pytest.raises(FetchRefused, match="not public"):
        reading.fetch("http://wiki.corp/")
    assert 0 == canary.connections


def test_a_page_in_the_open_does_not_lead_to_a_listed_host(serve: Callable[..., Server]) -> None:
    wiki = serve()
    public = serve(site({"/": redirect("http://wiki.corp/delete?all=1")}))
    wires = Wires({PUBLIC: public, "10.0.0.7": wiki})
    reading = fetcher(names={"a.example.com": [[PUBLIC]], "wiki.corp": [["10.0.0.7"]]}, hosts=["wiki.corp"], backend=wires)
    with pytest.raises(FetchRefused) as caught:
        reading.fetch("http://a.example.com/")
    assert ("private-host", 0) == (caught.value.rule, wiki.connections)


def test_a_listed_host_may_redirect_to_another(serve: Callable[..., Server]) -> None:
    wiki, old = serve(), serve(site({"/": redirect("http://wiki.corp/page", 301)}))
    wires = Wires({"10.0.0.7": wiki, "10.0.0.8": old})
    reading = fetcher(names={"old.corp": [["10.0.0.8"]], "wiki.corp": [["10.0.0.7"]]}, hosts=["wiki.corp", "old.corp"], backend=wires)
    page = reading.fetch("http://old.corp/")
    assert isinstance(page, Page)
    assert "http://wiki.corp/page" == page.url


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"])
def test_the_environments_proxies_play_no_part(variable: str, serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch) -> None:
    proxy, public = serve(), serve()
    monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
    assert isinstance(fetcher({PUBLIC: public}).fetch("http://a.example.com/"), Page)
    assert (0, 2) == (proxy.connections, public.connections)


@given(st.ip_addresses())
def test_no_address_that_is_not_public_is_ever_read(address: object) -> None:
    policy = load_policy()
    if _may_be_read(str(address), policy, listed=False):
        assert address.is_global  # pyright: ignore[reportAttributeAccessIssue]
        assert not address.is_multicast  # pyright: ignore[reportAttributeAccessIssue]


@given(st.ip_addresses(v=4))
def test_an_address_of_version_4_is_no_better_inside_of_one_of_version_6(address: object) -> None:
    policy = load_policy()
    number = int(address)  # pyright: ignore[reportArgumentType]
    for inside in (
        f"::ffff:{address}",
        f"::{address}",
        f"64:ff9b::{number >> 16:x}:{number & 0xFFFF:x}",
        f"2002:{number >> 16:x}:{number & 0xFFFF:x}::",
    ):
        assert not _may_be_read(inside, policy, listed=False)


INSIDE = st.sampled_from(["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "0.0.0.0/8"])
FORMS: list[Callable[[IPv4Address], str]] = [
    str,
    lambda one: str(int(one)),
    lambda one: hex(int(one)),
    lambda one: f"0{int(one):o}",
    lambda one: ".".join(hex(byte) for byte in one.packed),
    lambda one: ".".join(f"0{byte:o}" for byte in one.packed),
    lambda one: f"{one.packed[0]}.{int(one) & 0xFFFFFF}",
    lambda one: f"{one.packed[0]}.{one.packed[1]}.{int(one) & 0xFFFF}",
    lambda one: f"{one}.",
    lambda one: "".join(chr(ord(char) + 0xFEE0) if char.isdigit() else char for char in str(one)),
    lambda one: str(one).replace(".", "\u3002"),
    lambda one: "".join(f"%{ord(char):02x}" for char in str(one)),
    lambda one: f"[::ffff:{one}]",
    lambda one: f"[::{one}]",
    lambda one: f"[64:ff9b::{one}]",
    lambda one: f"[2002:{int(one) >> 16:x}:{int(one) & 0xFFFF:x}::1]",
    lambda one: f"{one}.nip.io",
    lambda one: f"{str(one).replace('.', '-')}.sslip.io",
    lambda one: f"a.example.com@{one}",
    lambda one: f"{one}#@a.example.com",
    lambda one: f"{one}\\@a.example.com",
]


@given(
    INSIDE.flatmap(lambda network: st.ip_addresses(v=4, network=network)),
    st.sampled_from(FORMS),
    st.sampled_from(["", ":80", ":443", ":8080"]),
)
def test_no_spelling_of_any_inner_address_is_connected_to(address: IPv4Address, form: Callable[[IPv4Address], str], port: str) -> None:
    before = len(NOWHERE.connected)
    with pytest.raises(FetchRefused):
        READING.fetch(f"http://{form(address)}{port}/")
    assert before == len(NOWHERE.connected)


NOWHERE = Wires({})
READING = Fetcher(backend=NOWHERE, resolver=resolve, sleep=lambda _: None)


def test_every_address_of_a_name_counts_and_the_first_that_answers_is_taken(serve: Callable[..., Server]) -> None:
    public = serve()
    wires = Wires({OTHER: public})
    reading = fetcher(names={"a.example.com": [[PUBLIC, OTHER]]}, backend=wires, limits=Limits(gap=0))
    assert isinstance(reading.fetch("http://a.example.com/"), Page)
    assert [(PUBLIC, 80), (OTHER, 80)] * 2 == wires.connected


def test_a_name_without_addresses_is_said_so() -> None:
    for names in ({}, {"a.example.com": [[]]}):
        with pytest.raises(FetchRefused, match="does not resolve"):
            fetcher(names=names).fetch("http://a.example.com/")


def test_what_is_asked_for_is_what_was_checked() -> None:
    target = target_of("HTTPS://Ä.example.com:443/a b".replace(" ", "%20") + "/ü?q=é&r=[1]#top", policy=load_policy(), hosts=frozenset())
    assert ("https", "xn--4ca.example.com", 443, "/a%20b/%C3%BC?q=%C3%A9&r=%5B1%5D") == (
        target.scheme,
        target.host,
        target.port,
        target.path,
    )
    assert ("xn--4ca.example.com", "https://xn--4ca.example.com") == (target.authority, target.origin)
    assert ["93.184.216.34"] == checked_addresses(target, resolver=Names({"xn--4ca.example.com": [[PUBLIC]]}), policy=load_policy())


def test_the_systems_own_names_are_looked_up() -> None:
    assert ["127.0.0.1"] == system_resolver("127.0.0.1", 80)


def test_nothing_but_a_string_is_an_address() -> None:
    with pytest.raises(FetchRefused, match="no address"):
        fetcher().fetch(7)  # pyright: ignore[reportArgumentType]


def test_a_connection_that_nobody_takes_is_said_so() -> None:
    with pytest.raises(FetchRefused) as caught:
        fetcher().fetch("http://a.example.com/")
    assert "connection" == caught.value.rule
