"""Write every page and file that follows from the code: `python -m tools`."""

from __future__ import annotations

from . import cli_reference, conformance, http_reference, mcp_reference, reference, schemas, settings_tables, typescript, wire_maps

for each in (schemas, typescript, reference, cli_reference, conformance, settings_tables, wire_maps, http_reference, mcp_reference):
    each.main()
