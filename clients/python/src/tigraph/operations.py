"""Every question to the service, once: `client` asks them blocking and not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from urllib.parse import quote

from tigraph.connection import API, ARROW, Connection, Operation, Save, Send, Wait, ask
from tigraph.errors import TigraphError
from tigraph.frame import Frame, arrow_table, frame_of

if TYPE_CHECKING:
    import pyarrow as pa

    from tigraph import models

Day: TypeAlias = str | date
"""`2026-02-27`; where an instant does too, a `datetime` with its zone or RFC 3339."""
Instant: TypeAlias = str | datetime
"""With its zone: `2026-02-27T15:30:00Z`."""
Condition: TypeAlias = Mapping[str, Any]
Cell: TypeAlias = tuple[float, float] | Literal["all"] | None
Signals: TypeAlias = Any
"""A frame with the Arrow C stream interface (of this package, Polars, pandas, pyarrow), or an iterable of
mappings."""
Market: TypeAlias = Literal["real", "simulated"]
Interval: TypeAlias = Literal["1m", "5m", "15m", "30m", "1h", "1d", "1w"]

_RUNS = f"{API}/backtest/optimize"
_AFTER_CUT_S = 1.0
_PART_ATTEMPTS = 3
_SCREEN_PAGE = 500
_CLAIMS_PAGE = 1_000
_SYMBOLS_PAGE = 200
_BAR_UNITS = {
    **dict.fromkeys(("open", "high", "low", "close", "vwap"), "USD"),
    **dict.fromkeys(("volume", "delta"), "shares"),
}


def get(connection: Connection, /, path: str, **params: Any) -> Operation[Any]:
    """The JSON of any address that is read by GET: `get("/api/graph/v1/stocks/SIMX/peers",
    date="2026-02-27")`."""
    return (yield from ask(connection, Send("GET", path, params=_wire(params)))).json()


def stock(
    connection: Connection,
    /,
    symbol: str,
    *,
    date: Day | None = None,
    as_of: Instant | None = None,
    include: Sequence[str] = (),
) -> Operation[models.StockResult]:
    """All that is known of a stock on a trade date, or at an instant; by default now.

    `include` names blocks that come on request: levels, volume_profile, patterns, news, strategies,
    price_events, confluence_components, level_ladder, thematic_exposure, records. A block that was not asked
    for is None.
    """
    from tigraph import models
    from tigraph.reading import read

    params = {"date": date, "as_of": as_of, "include": ",".join(include) or None}
    return read(
        models.StockResult, (yield from get(connection, f"{API}/stocks/{quote(symbol, safe='')}", **params))
    )


def fields(connection: Connection) -> Operation[list[models.ScreenField]]:
    """Every field that panels and screens take: path, type, unit, meaning."""
    from tigraph import models
    from tigraph.reading import read

    answer = yield from get(connection, f"{API}/screener/fields")
    return [read(models.ScreenField, field) for field in answer["fields"]]


def symbols(
    connection: Connection,
    /,
    q: str | None = None,
    *,
    sector: str | None = None,
    as_of: Instant | None = None,
) -> Operation[Frame]:
    """Symbols with their names, sectors and sessions, those that have left among them; `q` is the beginning
    of a ticker or of words of a name."""
    from tigraph import models
    from tigraph.reading import table_of

    request = Send(
        "GET",
        f"{API}/symbols",
        params=_wire({"q": q, "sector": sector, "as_of": as_of, "limit": _SYMBOLS_PAGE}),
    )
    first, rows = yield from _pages(connection, request, "symbols")
    return frame_of(table_of(models.ListedSymbol, rows), _head(first))


def bars(
    connection: Connection,
    /,
    symbols: str | Sequence[str],
    interval: Interval = "1d",
    *,
    adjusted: bool,
    start: Day | Instant | None = None,
    end: Day | Instant | None = None,
    session: Literal["regular", "all"] = "regular",
    as_of: Instant | None = None,
    limit: int | None = None,
) -> Operation[Frame]:
    """Bars of one symbol or of many, by symbol and time: `trade_date` (1d, 1w) or `time` (the beginning,
    UTC), `symbol`, open, high, low, close and vwap in dollars, volume and delta in shares.

    `adjusted` has no default: True gives prices and volumes in the shares of `as_of`, False as they were
    traded. Without `start` the newest: `limit` bars of each symbol, else a session of intraday bars, a year
    of days, five of weeks.
    """
    import pyarrow as pa

    tables = []
    about: dict[str, str] = {}
    for symbol in _names(symbols):
        params: dict[str, Any] = {
            "interval": interval,
            "from": start,
            "to": end,
            "adjusted": adjusted,
            "session": session,
            # One instant for all of them.
            "as_of": as_of or about.get("as_of"),
            "limit": limit,
        }
        pages = []
        cursor: str | None = None
        while True:
            path = f"{API}/stocks/{quote(symbol, safe='')}/bars"
            page = yield from _arrow(
                connection, Send("GET", path, params=_wire({**params, "cursor": cursor}))
            )
            pages.append(page)
            cursor = Frame(page).about.get("next_cursor")
            if start is None or limit is not None or cursor is None:
                break
        head = Frame(pages[0]).about
        table = pa.concat_tables([page.replace_schema_metadata() for page in pages])
        tables.append(_with_symbol(table, head["symbol"], interval))
        flags = {
            name: _any(about.get(name), head.get(name)) for name in ("simulated", "partial", "unfinished")
        }
        about = {**head, **flags}
    for key in ("symbol", "next_cursor"):
        about.pop(key, None)
    return frame_of(pa.concat_tables(tables), about, _BAR_UNITS)


def panel(
    connection: Connection,
    /,
    fields: Sequence[str],
    symbols: str | Sequence[str] | None = None,
    *,
    watchlist: str | None = None,
    screen: Mapping[str, Any] | None = None,
    start: Day | Instant | None = None,
    end: Day | Instant | None = None,
    as_of: Instant | None = None,
    derive: Literal["wait", "no"] = "wait",
) -> Operation[Frame]:
    """Fields of stocks over trade dates: `trade_date`, `symbol`, and a column for each field, each value as
    it was known on its date, prices in the shares of that date.

    Of `symbols`, of a `watchlist` or of a `screen` (`filter`, `computed`); without any of them of all stocks,
    those that have left among them. Without `start` the newest 260 sessions. `derive="no"` leaves null what
    nothing has stored.
    """
    if symbols is None and watchlist is None and screen is None:
        symbols = yield from _every_stock(connection, as_of)
    body = {
        "fields": list(fields),
        "symbols": None if symbols is None else _names(symbols),
        "list": watchlist,
        "screen": screen,
        "from": start,
        "to": end,
        "derive": derive,
    }
    request = Send("POST", f"{API}/panel", params=_wire({"as_of": as_of}), json=_wire(body))
    table = yield from _arrow(connection, request)
    return frame_of(table, {**Frame(table).about, "adjusted": False})


def screen(
    connection: Connection,
    /,
    filter: Condition | None,
    fields: Sequence[str],
    *,
    computed: Mapping[str, str] | None = None,
    sort: Sequence[Mapping[str, str]] = (),
    date: Day | None = None,
    market: Market | None = None,
    limit: int | None = None,
) -> Operation[Frame]:
    """The stocks of a trade date that satisfy a tree of conditions: `trade_date`, `symbol` and `fields`, in
    the order of `sort`; `computed.NAME` is a field too. Without `limit` all of them. `about` has `date`,
    `total`, `universe` and `unknown`."""
    import pyarrow as pa

    if connection.types is None:
        answer = yield from get(connection, f"{API}/screener/fields")
        connection.types = {each["path"]: (each["type"], each["unit"]) for each in answer["fields"]}
    body: dict[str, Any] = {
        "filter": filter,
        "computed": computed,
        "sort": list(sort),
        "select": list(fields),
        "date": date,
        "market": market,
        "limit": min(limit or _SCREEN_PAGE, _SCREEN_PAGE),
    }
    request = Send("POST", f"{API}/screener", json=_wire(body))
    first, rows = yield from _pages(connection, request, "rows", limit)
    arrays: dict[str, Any] = {
        "trade_date": pa.array([first["date"]] * len(rows), pa.string()).cast(pa.date32()),
        "symbol": pa.array([row["symbol"] for row in rows], pa.string()),
    }
    for path in fields:
        kind, _ = connection.types.get(path, ("number", None))
        if path not in arrays:
            arrays[path] = _column([row[path] for row in rows], kind)
    names = ("date", "sessions_behind", "source", "simulated", "total", "universe", "unknown")
    about = {name: first[name] for name in names}
    units = {path: connection.types.get(path, ("number", None))[1] for path in fields}
    return frame_of(pa.table(arrays), {"as_of": first["as_of"]["newest"], "adjusted": False, **about}, units)


def records(
    connection: Connection,
    /,
    kind: str | None = None,
    *,
    key: str | None = None,
    regime: str | None = None,
    symbol: str | None = None,
    start: Day | None = None,
    end: Day | None = None,
    market: Market | None = None,
    as_of: Instant | None = None,
) -> Operation[Frame]:
    """How often what is claimed came true, and how often by chance: a row for each record. Rates, chances and
    edges are fractions with the limits of their 95 % interval over dates; null with too few claims. `says` is
    the record in words."""
    from tigraph import models
    from tigraph.reading import table_of

    params = {"kind": kind, "key": key, "regime": regime, "symbol": symbol, "from": start, "to": end}
    answer = yield from get(connection, f"{API}/records", **params, market=market, as_of=as_of)
    return frame_of(table_of(models.ClaimRecord, answer["records"]), _head(answer))


def claims(
    connection: Connection,
    /,
    record: str,
    *,
    outcome: Literal["all", "true", "false"] = "all",
    symbol: str | None = None,
    start: Day | None = None,
    end: Day | None = None,
    market: Market | None = None,
    as_of: Instant | None = None,
    limit: int | None = None,
) -> Operation[Frame]:
    """The claims of a record such as `level.prior_day`, the newest first: `trade_date`, `symbol`, when each
    began and was decided, its price in dollars as traded, and its outcome. Without `limit` all of them."""
    from tigraph import models
    from tigraph.reading import table_of

    params = {
        "outcome": outcome,
        "symbol": symbol,
        "from": start,
        "to": end,
        "market": market,
        "as_of": as_of,
    }
    page = {"limit": min(limit or _CLAIMS_PAGE, _CLAIMS_PAGE)}
    request = Send("GET", f"{API}/records/{quote(record, safe='')}/events", params=_wire(params | page))
    first, rows = yield from _pages(connection, request, "events", limit)
    table = table_of(models.ClaimEvent, rows, first=("trade_date", "symbol"))
    return frame_of(
        table, {**_head(first), "adjusted": False}, {"price": "USD", "chance": "fraction", "r": "R"}
    )


def backtest(
    connection: Connection,
    /,
    symbols: str | Sequence[str],
    start: Day,
    end: Day,
    signal_types: Sequence[str] | None = None,
    *,
    signals: Signals | None = None,
    stop_atr_range: Sequence[float] | None = None,
    target_atr_range: Sequence[float] | None = None,
    commission_per_share: float | None = None,
    slippage_bps: float | None = None,
    half_spread: bool | None = None,
    top_n: int | None = None,
) -> Operation[models.OptimizationRun]:
    """Runs entries against every pair of a stop and a target, in multiples of the daily ATR, and waits for
    the outcome: the best cells, the whole `grid`, and in `analysis` how far the best can be believed.
    `trades` has what it follows from.

    Entries are of `signal_types`, or of your own `signals`: `symbol`, `time` (an instant with its zone) and
    `side` (`long`, `short`) of each, as a frame or as mappings. Costs are 0 unless they are named:
    `commission_per_share` in dollars at entry and at exit, `slippage_bps` in basis points and `half_spread`
    at every fill but a target's. Raises `TigraphError` `run_failed` or `run_cancelled` where there is no
    outcome.
    """
    from tigraph import models
    from tigraph.reading import read

    body = {
        "symbols": _names(symbols),
        "start_date": start,
        "end_date": end,
        "signal_types": None if signal_types is None else list(signal_types),
        "signals": None if signals is None else _entries(signals),
        "stop_atr_range": stop_atr_range,
        "target_atr_range": target_atr_range,
        "commission_per_share": commission_per_share,
        "slippage_bps": slippage_bps,
        "half_spread": half_spread,
        "top_n": top_n,
    }
    started = yield from ask(connection, Send("POST", _RUNS, json=_wire(body), writes=True))
    path = f"{_RUNS}/{started.json()['id']}"
    while True:
        try:
            # Its events end with the run.
            yield from ask(connection, Send("GET", f"{path}/events", headers={"accept": "text/event-stream"}))
        except TigraphError as error:
            if error.code not in ("unreachable", "incomplete"):
                raise
            yield Wait(_AFTER_CUT_S)
        run = yield from get(connection, path, include="grid")
        if run["status"] in ("failed", "cancelled"):
            sentence = run["error_message"] or "Somebody cancelled the run."
            raise TigraphError(f"run_{run['status']}", sentence)
        if run["status"] == "completed":
            return read(models.OptimizationRun, run)


def trades(
    connection: Connection,
    /,
    run: models.OptimizationRun | str,
    cell: Cell = None,
    *,
    as_of: Instant | None = None,
) -> Operation[Frame]:
    """The trades of a run, of its best cell, of a `cell` (stop and target) or of `"all"`: `trade_date`,
    `symbol`, signal, levels, fills and costs in dollars as traded, and R; what the signal read is in columns
    `input_…`."""
    return (yield from _of_run(connection, run, "trades", cell, as_of, ("trade_date", "symbol")))


def equity(
    connection: Connection,
    /,
    run: models.OptimizationRun | str,
    cell: Cell = None,
    *,
    as_of: Instant | None = None,
) -> Operation[Frame]:
    """The R of cells session by session, with its sum and its drawdown: `trade_date`, `stop_atr`,
    `target_atr`, and these."""
    return (yield from _of_run(connection, run, "equity", cell, as_of, ("trade_date",)))


def export(
    connection: Connection,
    /,
    kind: str,
    folder: str | Path,
    *,
    start: Day | None = None,
    end: Day | None = None,
    symbols: str | Sequence[str] | None = None,
    fields: Sequence[str] | None = None,
    interval: Interval | None = None,
    session: Literal["regular", "all"] | None = None,
    adjusted: bool = False,
    format: Literal["parquet", "arrow", "csv"] = "parquet",
    market: Market | None = None,
    as_of: Instant | None = None,
) -> Operation[list[Path]]:
    """Writes columns of a kind ("bars", "facts", …: docs/export.md) into files of a folder, each whole once
    it has its name. Returns their paths.

    Without `symbols` every stock of the market that the grant covers, without `fields` every column, without
    `start` from the first session on. Bars are as traded unless `adjusted`. All files are of one `as_of`; a
    part whose connection ends early is asked for again. Needs the scope `export:read`.
    """
    body = {
        "kind": kind,
        "from": start,
        "to": end,
        "symbols": None if symbols is None else _names(symbols),
        "fields": None if fields is None else list(fields),
        "interval": interval,
        "session": session,
        "adjusted": adjusted if kind == "bars" else None,
        "format": format,
        "market": market,
    }
    request = Send("POST", f"{API}/export", params=_wire({"as_of": as_of}), json=_wire(body))
    plan = (yield from ask(connection, request)).json()
    written = []
    for part in plan["parts"]:
        target = Path(folder) / part["path"]
        if not target.resolve().is_relative_to(Path(folder).resolve()):
            raise TigraphError("incomplete", f"The service names a file outside the folder: {part['path']}")
        params = {"as_of": plan["as_of"]}
        one = Send(
            "POST", request.path, params=params, json=request.json | {"part": part["path"]}, stream=True
        )
        for attempt in range(_PART_ATTEMPTS):
            response = yield from ask(connection, one)
            failure = yield Save(response, target)
            if failure is None:
                break
            if attempt == _PART_ATTEMPTS - 1:
                raise TigraphError("incomplete", f"{part['path']} ended early: {failure}")
        written.append(target)
    return written


def stream(connection: Connection, /, symbols: str | Sequence[str], after: str | None) -> Operation[Any]:
    """An open stream of stocks, behind the event `after`."""
    request = Send(
        "GET",
        f"{API}/stream",
        params={"symbols": ",".join(_names(symbols))},
        headers={"accept": "text/event-stream"} | ({} if after is None else {"last-event-id": after}),
        stream=True,
    )
    return (yield from ask(connection, request))


def _of_run(
    connection: Connection,
    run: models.OptimizationRun | str,
    what: str,
    cell: Cell,
    as_of: Instant | None,
    first: tuple[str, ...],
) -> Operation[Frame]:
    import pyarrow as pa

    name = cell if cell is None or isinstance(cell, str) else ",".join(f"{side:g}" for side in cell)
    path = f"{_RUNS}/{run if isinstance(run, str) else run.id}/{what}"
    table = yield from _arrow(connection, Send("GET", path, params=_wire({"cell": name, "as_of": as_of})))
    table = table.select([*first, *(column for column in table.column_names if column not in first)])
    plain = [
        field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field
        for field in table.schema
    ]
    return frame_of(
        table.cast(pa.schema(plain, table.schema.metadata)), {**Frame(table).about, "adjusted": False}
    )


def _entries(signals: Signals) -> list[dict[str, Any]]:
    import pyarrow as pa

    rows = pa.table(signals).to_pylist() if hasattr(signals, "__arrow_c_stream__") else signals
    return [{"symbol": row["symbol"], "time": _text(row["time"]), "side": row["side"]} for row in rows]


def _pages(
    connection: Connection, request: Send, rows: str, limit: int | None = None
) -> Operation[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The first page, and the rows of all, at most `limit`."""
    found: list[dict[str, Any]] = []
    first: dict[str, Any] = {}
    cursor: dict[str, str] = {}
    while True:
        place = {"json": request.json | cursor} if request.json else {"params": {**request.params, **cursor}}
        page = (yield from ask(connection, Send(**{**vars(request), **place}))).json()
        first = first or page
        found += page[rows]
        if page["next_cursor"] is None or (limit is not None and len(found) >= limit):
            return first, found[:limit]
        cursor = {"cursor": page["next_cursor"]}


def _arrow(connection: Connection, request: Send) -> Operation[pa.Table]:
    answer = yield from ask(connection, Send(**{**vars(request), "headers": {"accept": ARROW}}))
    return arrow_table(answer.content)


def _every_stock(connection: Connection, as_of: Instant | None) -> Operation[list[str]]:
    """Of the real market where there is one; indices are no stocks."""
    listed = (yield from symbols(connection, as_of=as_of)).arrow().to_pylist()
    are_simulated = all(row["simulated"] for row in listed)
    return [
        row["symbol"]
        for row in listed
        if row["simulated"] == are_simulated and not row["symbol"].startswith("^")
    ]


def _column(values: list[Any], kind: str) -> pa.Array:
    """Values of JSON as a column of the type that the catalogue of fields names."""
    import pyarrow as pa

    kinds = {
        "number": pa.float64(),
        "integer": pa.int64(),
        "boolean": pa.bool_(),
        "text": pa.string(),
        "date": pa.date32(),
        "instant": pa.timestamp("ms", "UTC"),
    }
    if kind in ("date", "instant"):
        return pa.array(values, pa.string()).cast(kinds[kind])
    return pa.array(values, kinds[kind])


def _with_symbol(table: pa.Table, symbol: str, interval: str) -> pa.Table:
    """Bars with their symbol behind the time, which for days and weeks is a date."""
    import pyarrow as pa

    time, *rest = table.columns
    head = ("time", time) if interval not in ("1d", "1w") else ("trade_date", time.cast(pa.date32()))
    names = [head[0], "symbol", *table.column_names[1:]]
    symbols = pa.repeat(pa.scalar(symbol, pa.string()), len(table))
    return pa.table([head[1], symbols, *rest], names=names)


def _any(*flags: str | None) -> str:
    return "true" if "true" in flags else "false"


def _head(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {key: answer[key] for key in ("as_of", "source", "simulated") if key in answer}


def _names(symbols: str | Sequence[str]) -> list[str]:
    names = [symbols] if isinstance(symbols, str) else [str(symbol) for symbol in symbols]
    if not names:
        raise ValueError("Name at least one symbol.")
    return names


def _wire(values: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as the service reads them, None left out."""
    return {key: _text(value) for key, value in values.items() if value is not None}


def _text(value: Any) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} needs a time zone, such as datetime.timezone.utc.")
        return value.isoformat()
    return value.isoformat() if isinstance(value, date) else value
