{%- set kinds = cookiecutter.kinds.replace(" ", "").split(",") | sort -%}
"""A plugin of veridical. Every class is found by its entry point in pyproject.toml; nothing is read at import."""

from __future__ import annotations
{% for kind in kinds %}
from ._{{ kind }} import {{ kind | capitalize }}
{%- endfor %}

__all__ = [{% for kind in kinds %}"{{ kind | capitalize }}"{{ ", " if not loop.last }}{% endfor %}]
