"""The contract of a source plugin, held as any publisher holds it: here for an API of five pages."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from veridical_contract.testing import contract_suite

from tests.providers.service import service

from .desk import Desk, tickets


@contextmanager
def desk() -> Generator[str]:
    with service(Desk(tickets=tickets(9), token=None)) as running:
        yield running.url


DECLARED = {
    "url": "https://desk.example.com/api/tickets",
    "headers": {"Authorization": "Bearer {secret:HELPDESK_TOKEN}"},
    "item": "/tickets/*",
    "url_template": "https://desk.example.com/t/{id}",
    "fields": {"text": "body", "title": "subject", "author": "requester/id", "published": "updated_at"},
    "paging": {"kind": "page", "parameter": "page", "size": 2},
    "incremental": {"field": "updated_at", "parameter": "since"},
}

TestHttpJson = contract_suite(
    "http-json",
    kind="source",
    settings={"sources": {"desk": DECLARED}},
    locations=("desk",),
    server=desk,
)
