"""Frozen networks that turn pictures into feature rows. Nothing here imports torch until used."""

from dpviz.encoders.encoder import Encoder
from dpviz.encoders.encoder_table import CURATED, ENCODERS, get

__all__ = ["CURATED", "ENCODERS", "Encoder", "get"]
