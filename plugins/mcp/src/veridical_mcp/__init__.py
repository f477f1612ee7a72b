"""veridical over the Model Context Protocol: `veridical mcp`.

    command                 options -> one of two transports
        _serving.py           stdio; streamable HTTP, behind `_guard.py`: token, names of the host, origins
          _server.py            what the protocol asks -> tools, resources, prompts; every failure as one line that says what to do
            _tools.py             ten tools: arguments (`_arguments.py`) -> a verb of the facade -> a result (`_results.py`)
            _resources.py         reports and evidence, read again and checked
            _prompts.py           the usual jobs
            _calls.py             a verb in a thread, on a facade that nobody else uses meanwhile: progress, cancellation

Over HTTP whoever calls sits on another machine: no tool takes a path there, and none says where things lie on this one.
"""

from __future__ import annotations

from ._command import command

__all__ = ["command"]
