"""
The official Python clients of Alpaca and Massive against the doubles: prints what they read, as JSON.

    python clients.py alpaca|massive '{"url": ..., "stream": ..., "key": ..., "secret": ..., "symbol": ..., "from": ms, "to": ms, "rows": n}'
"""

import asyncio
import json
import sys
from datetime import datetime, timezone

which, about = sys.argv[1], json.loads(sys.argv[2])
symbol, rows = about["symbol"], about["rows"]
begin, end = (datetime.fromtimestamp(about[name] / 1000, timezone.utc) for name in ("from", "to"))


def ms(moment):
    return round(moment.timestamp() * 1000)


def alpaca():
    from alpaca.data.enums import DataFeed
    from alpaca.data.historical.option import OptionHistoricalDataClient
    from alpaca.data.historical.stock import StockHistoricalDataClient
    from alpaca.data.live.stock import StockDataStream
    from alpaca.data.requests import OptionChainRequest, StockBarsRequest, StockTradesRequest
    from alpaca.data.timeframe import TimeFrame

    key = (about["key"], about["secret"])
    client = StockHistoricalDataClient(*key, url_override=about["url"])
    span = {"symbol_or_symbols": symbol, "start": begin, "end": end, "feed": DataFeed.SIP}
    bars = client.get_stock_bars(StockBarsRequest(timeframe=TimeFrame.Minute, **span))[symbol]
    trades = client.get_stock_trades(StockTradesRequest(**span))[symbol]
    options = OptionHistoricalDataClient(*key, url_override=about["url"])
    chain = options.get_option_chain(OptionChainRequest(underlying_symbol=symbol))
    try:
        StockHistoricalDataClient(key[0], "wrong", url_override=about["url"]).get_stock_trades(StockTradesRequest(**span))
        refused = False
    except Exception as error:
        refused = "401" in repr(error) or "unauthorized" in str(error)

    streamed = []
    stream = StockDataStream(*key, feed=DataFeed.SIP, url_override=about["stream"])

    async def take(kind, row):
        streamed.append([kind, row])
        if len(streamed) == rows:
            await stream.stop_ws()

    async def bar(one):
        await take("bar", [ms(one.timestamp), one.open, one.high, one.low, one.close, one.volume])

    async def trade(one):
        await take("trade", [str(one.id), ms(one.timestamp), one.price, one.size, one.exchange, one.conditions])

    async def quote(one):
        await take("quote", [ms(one.timestamp), one.bid_price, one.ask_price])

    stream.subscribe_bars(bar, symbol)
    stream.subscribe_trades(trade, symbol)
    stream.subscribe_quotes(quote, symbol)
    # Long lists go in fragments of 32 KiB.
    stream.subscribe_updated_bars(bar, *[f"LONG{place:05}" for place in range(8000)])
    asyncio.run(stream._run_forever())
    return {
        "bars": [[ms(one.timestamp), one.open, one.high, one.low, one.close, one.volume] for one in bars],
        "trades": [[str(one.id), ms(one.timestamp), one.price, one.size] for one in trades],
        "chain": {name: [one.latest_quote.bid_price, one.latest_quote.ask_price] for name, one in chain.items()},
        "refused": refused,
        "streamed": streamed,
    }


def massive():
    from massive import RESTClient, WebSocketClient

    client = RESTClient(about["key"], base=about["url"])
    bars = client.list_aggs(symbol, 1, "minute", about["from"], about["to"], adjusted=False, limit=50_000)
    span = {"timestamp_gte": about["from"] * 1_000_000, "timestamp_lt": about["to"] * 1_000_000}
    trades = client.list_trades(symbol, order="asc", limit=50_000, **span)
    chain = client.list_snapshot_options_chain(symbol)
    read = {
        "bars": [[one.timestamp, one.open, one.high, one.low, one.close, one.volume] for one in bars],
        "trades": [[str(one.id), one.sip_timestamp // 1_000_000, one.price, one.size] for one in trades],
        "chain": {one.details.ticker: [one.last_quote.bid, one.last_quote.ask, one.open_interest] for one in chain},
    }
    try:
        RESTClient("wrong", base=about["url"], retries=0).get_market_status()
        read["refused"] = False
    except Exception as error:
        read["refused"] = "Unknown API Key" in str(error)

    streamed = []
    host = about["stream"].removeprefix("ws://")
    channels = [f"{name}.{symbol}" for name in ("AM", "T", "Q")]
    socket = WebSocketClient(about["key"], feed=host, secure=False, subscriptions=channels)

    async def take(messages):
        for one in messages:
            if one.event_type == "AM":
                streamed.append(["bar", [one.start_timestamp, one.open, one.high, one.low, one.close, one.volume]])
            elif one.event_type == "T":
                streamed.append(["trade", [str(one.id), one.timestamp, one.price, one.size, one.exchange, one.conditions]])
            else:
                streamed.append(["quote", [one.timestamp, one.bid_price, one.ask_price]])
        if len(streamed) >= rows:
            await socket.close()

    asyncio.run(socket.connect(take))
    return {**read, "streamed": streamed}


print(json.dumps({"alpaca": alpaca, "massive": massive}[which]()))
