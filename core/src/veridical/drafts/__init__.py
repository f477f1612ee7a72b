"""Somebody's text that is to be checked: what in it can be checked, and where it stands. Reading decides nothing."""

from __future__ import annotations

from .pieces import Draft, DraftFormat, Piece, PieceKind, Sentence
from .read import read_draft

__all__ = ["Draft", "DraftFormat", "Piece", "PieceKind", "Sentence", "read_draft"]
