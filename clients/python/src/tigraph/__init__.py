"""Client of a tigraph service: what is known of stocks, as frames of Arrow, Polars and pandas."""

from __future__ import annotations

from tigraph.client import AsyncClient, Client, connect, connect_async
from tigraph.errors import Fault, TigraphError
from tigraph.frame import Frame

__all__ = ["AsyncClient", "Client", "Fault", "Frame", "TigraphError", "connect", "connect_async"]
__version__ = "0.1.0"
