"""The gateway: the only caller of plugins.

Calls   hooks by kind, plugin and name: in the plugin's own thread, with a deadline, attributed, every failure an error of ours
"""

from __future__ import annotations

from .calls import Calls

__all__ = ["Calls"]
