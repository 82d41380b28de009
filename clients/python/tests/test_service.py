"""The package against a running service, each answer beside what the service says over HTTP."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

import httpx2
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tigraph
from tigraph import models

SYMBOLS = ["SIMX", "MXAZ"]
FIELDS = ["last_price", "technical.rsi_14", "directional_bias", "is_overextended", "volume", "updated_at"]
NO_STOCK = {"field": "last_price", "op": "<", "value": 0}
UTC_MS = pa.timestamp("ms", "UTC")


class TestStock:
    def test_is_typed_to_its_leaves(self, tg: tigraph.Client) -> None:
        stock = tg.stock("simx", include=["levels"])
        raw = tg.get("/api/graph/v1/stocks/SIMX", include="levels")
        assert isinstance(stock, models.StockResult)
        assert stock.updated_at == datetime.fromisoformat(raw["updated_at"])
        assert stock.levels is not None
        assert stock.levels.pivot_pp == raw["levels"]["pivot_pp"]
        assert stock.technical is not None
        assert stock.technical.daily_atr is not None
        assert stock.technical.daily_atr.field_14 == raw["technical"]["daily_atr"]["14"]
        assert stock.patterns is None

    def test_of_a_past_date_and_instant(self, tg: tigraph.Client) -> None:
        newest = tg.bars("SIMX", adjusted=False, limit=2).arrow()["trade_date"].to_pylist()
        assert str(tg.stock("SIMX", date=newest[0]).bar_daily_timestamp)[:10] == str(newest[0])
        noon = datetime.combine(newest[1], datetime.min.time(), UTC).replace(hour=17)
        assert tg.stock("SIMX", as_of=noon).updated_at <= noon

    def test_that_nobody_knows(self, tg: tigraph.Client) -> None:
        with pytest.raises(tigraph.TigraphError, match="unknown_symbol") as caught:
            tg.stock("NOSUCH")
        assert caught.value.status == 404
        assert caught.value.request_id

    def test_has_every_field_of_a_whole_answer(self, tg: tigraph.Client) -> None:
        """With every block, so that each model has met its data."""
        words = ["levels", "volume_profile", "patterns", "news", "strategies", "price_events"]
        words += ["confluence_components", "level_ladder", "thematic_exposure", "records"]
        for symbol in SYMBOLS:
            stock = tg.stock(symbol, include=words)
            assert stock.level_ladder is not None
            assert stock.confluence_v5 is not None


class TestPanel:
    def test_is_long_and_of_one_shape(self, tg: tigraph.Client) -> None:
        one, many = tg.panel(FIELDS, "SIMX"), tg.panel(FIELDS, SYMBOLS)
        assert one.columns == many.columns == ["trade_date", "symbol", *FIELDS]
        assert one.arrow().schema.types == many.arrow().schema.types
        assert many.arrow().schema.types == [
            pa.date32(),
            pa.string(),
            pa.float64(),
            pa.float64(),
            pa.string(),
            pa.bool_(),
            pa.int64(),
            UTC_MS,
        ]
        mine = many.polars().filter(pl.col("symbol") == "SIMX")
        assert mine.equals(one.polars())
        # Symbols may come from a frame.
        assert tg.panel(FIELDS, many.arrow()["symbol"].unique()).arrow().equals(many.arrow())

    def test_has_the_values_of_the_history(self, tg: tigraph.Client) -> None:
        history = tg.get("/api/graph/v1/stocks/MXAZ/history", fields="last_price,technical.rsi_14", limit=40)
        panel = tg.panel(["last_price", "technical.rsi_14"], "MXAZ", start=history["dates"][0])
        assert [str(day) for day in panel.arrow()["trade_date"].to_pylist()] == history["dates"]
        for field, values in history["columns"].items():
            assert panel.arrow()[field].to_pylist() == values

    def test_says_what_its_numbers_are(self, tg: tigraph.Client) -> None:
        panel = tg.panel(FIELDS, "SIMX", as_of=datetime(2026, 11, 18, 17, tzinfo=UTC))
        assert panel.as_of == datetime(2026, 11, 18, 17, tzinfo=UTC)
        assert panel.adjusted is False
        assert panel.simulated
        assert panel.units["last_price"] == "USD"
        assert panel.units["volume"] == "shares"
        assert panel.units["directional_bias"] is None
        assert panel.pandas().attrs == {"as_of": panel.as_of, "adjusted": False, "units": panel.units}

    def test_that_is_empty_has_its_types(self, tg: tigraph.Client) -> None:
        full, empty = tg.panel(FIELDS, "SIMX"), tg.panel(FIELDS, screen={"filter": NO_STOCK})
        assert len(empty) == 0
        assert empty.arrow().schema.types == full.arrow().schema.types
        assert empty.units == full.units
        assert list(empty.pandas().dtypes) == list(full.pandas().dtypes)
        assert empty.polars().schema == full.polars().schema

    def test_of_every_stock(self, tg: tigraph.Client) -> None:
        listed = tg.symbols().arrow().to_pylist()
        panel = tg.panel(["last_price"])
        stocks = [row for row in listed if not row["symbol"].startswith("^")]
        panel = tg.panel(["last_price"]).arrow()
        first, last = min(panel["trade_date"].to_pylist()), max(panel["trade_date"].to_pylist())
        expected = {
            row["symbol"] for row in stocks if row["first_session"] <= last and row["last_session"] >= first
        }
        assert set(panel["symbol"].to_pylist()) == expected
        assert len(expected) > 20

    def test_names_a_field_that_is_none(self, tg: tigraph.Client) -> None:
        with pytest.raises(
            tigraph.TigraphError, match=r"validation_failed: body\.fields: .*technical\.rsi_14"
        ):
            tg.panel(["technical.rsi_41"], "SIMX")

    def test_in_pandas_has_types_that_do_not_depend_on_rows(self, tg: tigraph.Client) -> None:
        data = tg.panel(FIELDS, SYMBOLS).pandas()
        kinds = [str(kind) for kind in data.dtypes]
        assert kinds[0] == "datetime64[ms]"
        assert kinds[5:] == ["boolean", "Int64", "datetime64[ms, UTC]"]
        assert kinds[2:4] == ["float64", "float64"]


class TestBars:
    def test_are_long_and_of_one_shape(self, tg: tigraph.Client) -> None:
        one, many = tg.bars("SIMX", adjusted=True), tg.bars(SYMBOLS, adjusted=True)
        columns = ["trade_date", "symbol", "open", "high", "low", "close", "volume", "vwap", "delta"]
        assert one.columns == many.columns == columns
        assert many.polars().filter(pl.col("symbol") == "SIMX").equals(one.polars())
        assert one.arrow()["trade_date"].type == pa.date32()
        assert (one.units["close"], one.units["volume"], one.units["symbol"]) == ("USD", "shares", None)
        raw = tg.get("/api/graph/v1/stocks/SIMX/bars", interval="1d")
        assert one.arrow()["close"].to_pylist() == raw["close"]
        assert [str(day) for day in one.arrow()["trade_date"].to_pylist()] == raw["time"]

    @pytest.mark.parametrize("adjusted", [True, False])
    def test_say_whose_shares_prices_are_of(self, adjusted: bool, tg: tigraph.Client) -> None:
        bars = tg.bars("SIMX", "5m", adjusted=adjusted)
        assert bars.adjusted is adjusted
        assert bars.about["interval"] == "5m"
        assert bars.as_of == datetime.fromisoformat(bars.about["as_of"])

    def test_have_no_default_that_changes_prices(self, tg: tigraph.Client) -> None:
        with pytest.raises(TypeError, match="adjusted"):
            tg.bars("SIMX")  # type: ignore[call-arg]

    def test_of_minutes_are_aware_of_their_zone(self, tg: tigraph.Client) -> None:
        bars = tg.bars("SIMX", "1m", adjusted=False)
        assert bars.arrow()["time"].type == UTC_MS
        assert str(bars.pandas()["time"].dtype) == "datetime64[ms, UTC]"
        assert bars.polars().schema["time"] == pl.Datetime("ms", "UTC")
        first = bars.arrow()["time"][0].as_py()
        assert first.astimezone(UTC).strftime("%H:%M") in ("13:30", "14:30")

    def test_on_several_pages_are_those_of_one(self, tg: tigraph.Client, url: str) -> None:
        start = tg.bars("SIMX", adjusted=True, limit=90).arrow()["trade_date"][0].as_py()
        whole = tg.bars("SIMX", adjusted=True, start=start)
        assert len(whole) == 90
        asked = []

        class Short(httpx2.HTTPTransport):
            """A service whose pages are short."""

            def handle_request(self, request: httpx2.Request) -> httpx2.Response:
                request.url = request.url.copy_merge_params({"limit": "40"})
                asked.append(request.url.params.get("cursor"))
                return super().handle_request(request)

        with tigraph.connect(url, transport=Short()) as short:
            assert short.bars("SIMX", adjusted=True, start=start).polars().equals(whole.polars())
        assert len(asked) == 3
        assert asked[0] is None

    def test_that_are_none_have_their_types(self, tg: tigraph.Client) -> None:
        before = date(2018, 1, 3)
        with pytest.raises(tigraph.TigraphError, match="no_data_for_date"):
            tg.bars("SIMX", adjusted=True, as_of="2010-01-04T15:00:00Z")
        none = tg.bars(SYMBOLS, "1d", adjusted=True, start=before, end=before)
        some = tg.bars(SYMBOLS, "1d", adjusted=True)
        assert len(none) == 0
        assert none.arrow().schema.types == some.arrow().schema.types


class TestScreen:
    def test_is_that_of_the_service(self, tg: tigraph.Client) -> None:
        conditions = {"field": "last_price", "op": ">", "value": 0}
        fields = [
            "last_price",
            "directional_bias",
            "employees",
            "is_overextended",
            "updated_at",
            "computed.half",
        ]
        sort = [{"field": "last_price", "order": "desc"}]
        frame = tg.screen(conditions, fields, computed={"half": "last_price / 2"}, sort=sort)
        assert frame.columns == ["trade_date", "symbol", *fields]
        kinds = [
            pa.date32(),
            pa.string(),
            pa.float64(),
            pa.string(),
            pa.int64(),
            pa.bool_(),
            UTC_MS,
            pa.float64(),
        ]
        assert frame.arrow().schema.types == kinds
        prices = frame.arrow()["last_price"].to_pylist()
        assert prices == sorted(prices, reverse=True)
        assert frame.arrow()["computed.half"][0].as_py() == pytest.approx(prices[0] / 2)
        assert len(frame) == int(frame.about["total"]) > 20
        assert frame.units["last_price"] == "USD"
        assert len(tg.screen(conditions, fields[:1], limit=3)) == 3

    def test_without_a_stock_has_its_types(self, tg: tigraph.Client) -> None:
        fields = ["last_price", "employees", "ipo_date", "updated_at"]
        none, all_of_them = tg.screen(NO_STOCK, fields), tg.screen(None, fields)
        assert len(none) == 0
        assert none.arrow().schema.types == all_of_them.arrow().schema.types


class TestRecords:
    def test_are_rows(self, tg: tigraph.Client) -> None:
        frame = tg.records("level")
        assert len(frame) > 5
        row = frame.arrow().to_pylist()[0]
        assert row["kind"] == "level"
        assert row["says"]
        assert frame.as_of is not None
        raw = tg.get("/api/graph/v1/records", kind="level")["records"]
        assert [each["n"] for each in raw] == frame.arrow()["n"].to_pylist()
        assert tg.records("level", market="real").arrow().schema.types == frame.arrow().schema.types

    def test_claims_of_all_pages_are_those_that_the_record_counts(self, tg: tigraph.Client) -> None:
        record = max(tg.records("level").arrow().to_pylist(), key=lambda each: each["n"])
        claims = tg.claims(record["id"])
        outcomes = claims.arrow()["outcome"].to_pylist()
        assert outcomes.count("true") == record["true"]
        assert outcomes.count("true") + outcomes.count("false") == record["n"]
        assert claims.columns[:2] == ["trade_date", "symbol"]
        assert claims.units["price"] == "USD"


class TestStream:
    def test_begins_with_snapshots(self, tg: tigraph.Client) -> None:
        stream = tg.stream(SYMBOLS)
        first = [next(stream), next(stream)]
        assert {item.symbol for item in first if isinstance(item, models.StreamSnapshot)} == set(SYMBOLS)
        assert first[0].stock.last_price is not None  # type: ignore[union-attr]
        stream.close()

    def test_of_a_symbol_that_nobody_knows(self, tg: tigraph.Client) -> None:
        with pytest.raises(tigraph.TigraphError, match="unknown_symbol"):
            next(tg.stream("NOSUCH"))


@pytest.fixture(scope="module")
def days(url: str) -> tuple[date, date]:
    """First and last of the newest sessions with minutes."""
    with tigraph.connect(url) as tg:
        times = tg.bars("SIMX", "1h", adjusted=False, limit=35).arrow()["time"].to_pylist()
    return times[0].date(), times[-1].date()


@pytest.fixture(scope="module")
def run(url: str, days: tuple[date, date]) -> models.OptimizationRun:
    with tigraph.connect(url) as tg:
        return tg.backtest(SYMBOLS, *days, ["vwap_touch", "or_hold"], slippage_bps=1)


class TestBacktest:
    def test_waits_for_a_run(self, run: models.OptimizationRun) -> None:
        assert run.status == "completed"
        assert run.grid is not None
        assert len(run.grid) == 20
        assert run.analysis is not None
        assert run.analysis.symbol_sessions.walked > 0
        assert run.results[0].total_trades > 0

    def test_has_the_trades_that_its_figures_follow_from(
        self, tg: tigraph.Client, run: models.OptimizationRun
    ) -> None:
        best = run.results[0]
        trades = tg.trades(run)
        assert trades.columns[:2] == ["trade_date", "symbol"]
        assert len(trades) == best.total_trades
        assert sum(trades.arrow()["r"].to_pylist()) == pytest.approx(best.total_r, abs=1e-3)
        raw = tg.get(f"/api/graph/v1/backtest/optimize/{run.id}/trades")["trades"]
        assert [each["r"] for each in raw] == trades.arrow()["r"].to_pylist()
        assert [each["symbol"] for each in raw] == trades.arrow()["symbol"].to_pylist()
        assert trades.arrow()["symbol"].type == pa.string()
        assert trades.units["entry_price"] == "USD"
        assert trades.arrow()["entry_time"].type == UTC_MS

    def test_has_the_equity_of_every_cell(self, tg: tigraph.Client, run: models.OptimizationRun) -> None:
        equity = tg.equity(run, "all").polars()
        last = equity.group_by("stop_atr", "target_atr").agg(pl.col("equity").last())
        assert len(last) == 20
        cell = run.results[0].parameter_set
        mine = tg.equity(run.id, (cell.stop_atr, cell.target_atr))
        assert mine.arrow()["equity"][-1].as_py() == pytest.approx(run.results[0].total_r, abs=1e-3)

    def test_takes_own_entries_as_a_frame(self, tg: tigraph.Client, days: tuple[date, date]) -> None:
        bars = tg.bars("SIMX", "1h", adjusted=False, start=days[0], end=days[1]).polars()
        noon = bars.filter(pl.col("time").dt.convert_time_zone("America/New_York").dt.hour() == 11)
        signals = noon.select("symbol", "time", side=pl.lit("long"))
        run = tg.backtest("SIMX", *days, signals=signals, stop_atr_range=[1], target_atr_range=[2])
        trades = tg.trades(run).polars()
        assert set(trades["signal_type"]) == {"own"}
        assert set(trades["entry_time"]) == set(signals["time"])


class TestExport:
    @pytest.mark.parametrize("format", ["parquet", "arrow", "csv"])
    def test_has_the_values_of_the_panel(
        self, format: Literal["parquet", "arrow", "csv"], tg: tigraph.Client, tmp_path: Path
    ) -> None:
        fields = ["last_price", "technical.rsi_14"]
        panel = tg.panel(fields, SYMBOLS, start="2026-06-01").polars().sort("trade_date", "symbol")
        paths = tg.export(
            "facts", tmp_path, start="2026-06-01", symbols=SYMBOLS, fields=fields, format=format
        )
        assert paths == sorted(path for path in tmp_path.rglob("*") if path.is_file())
        read = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "csv": pl.read_csv}[format]
        files = pl.concat([read(path) for path in paths])
        assert files.columns == panel.columns
        for field in fields:
            assert files.sort("trade_date", "symbol")[field].to_list() == panel[field].to_list()


class TestTogether:
    def test_await_answers_the_same(self, tg: tigraph.Client, url: str) -> None:
        async def ask() -> tuple[tigraph.Frame, tigraph.Frame, str]:
            async with tigraph.connect_async(url) as client:
                panel, bars = await asyncio.gather(
                    client.panel(FIELDS, SYMBOLS), client.bars(SYMBOLS, adjusted=False, limit=30)
                )
                async for item in client.stream("SIMX"):
                    assert isinstance(item, models.StreamSnapshot)
                    return panel, bars, item.symbol
                raise AssertionError

        panel, bars, symbol = asyncio.run(ask())
        assert panel.arrow().equals(tg.panel(FIELDS, SYMBOLS).arrow())
        assert bars.arrow().equals(tg.bars(SYMBOLS, adjusted=False, limit=30).arrow())
        assert symbol == "SIMX"

    def test_a_token_opens_the_real_time_feed(self, service: dict[str, str]) -> None:
        url, name, secret = service["url"], service["client_id"], service["client_secret"]
        with (
            tigraph.connect(url, client_id=name, client_secret=secret) as mine,
            tigraph.connect(url) as anonymous,
        ):
            assert mine.stock("SIMX").source == "realtime_sip"
            assert anonymous.stock("SIMX").source == "delayed"
        with (
            tigraph.connect(url, client_id=name, client_secret=secret, scopes=["screener:read"]) as narrow,
            pytest.raises(tigraph.TigraphError, match="insufficient_scope"),
        ):
            narrow.stock("SIMX")

    def test_frames_go_where_arrow_goes(self, tg: tigraph.Client) -> None:
        import duckdb

        bars = tg.bars(SYMBOLS, adjusted=True)
        assert pl.DataFrame(bars).equals(bars.polars())
        assert pa.table(bars).equals(bars.arrow())
        assert pa.table(bars).schema.metadata[b"adjusted"] == b"true"
        counted = duckdb.sql("select symbol, count(*) as n from bars group by symbol order by symbol")
        assert counted is not None
        assert dict(counted.fetchall()) == bars.pandas().groupby("symbol").size().to_dict()
        assert isinstance(bars.pandas(), pd.DataFrame)
        assert repr(bars).startswith(f"<Frame of {len(bars)} rows, as_of ")
