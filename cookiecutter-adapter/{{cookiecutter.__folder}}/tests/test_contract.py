{%- set kinds = cookiecutter.kinds.replace(" ", "").split(",") | sort -%}
"""What veridical asks of a plugin, on the installed entry points. `pytest --record` makes the cassettes again, from the fake server."""

from __future__ import annotations

from veridical_contract.testing import contract_suite
{% if kinds != ["storage"] %}
from fake_server import running
{% endif %}
{% for kind in kinds -%}
Test{{ kind | capitalize }} = contract_suite("{{ cookiecutter.name }}", kind="{{ kind }}"{{ ", server=running" if kind != "storage" }}{{ ', locations=("records",)' if kind == "source" }})
{% endfor -%}
