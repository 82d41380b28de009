"""The trades of one cell of a run by backtesting.py: `peer.py FOLDER STOP TARGET`.

FOLDER has `trades.arrow` of a run of one symbol and one signal, without costs, and `bars.arrow`, the regular one-minute
bars of its sessions. backtesting.py gets the instants and sides of the entries and the daily ATR, places its own orders
with stop and target, and must find the same entries, exits, fills and R. Prints the number of trades and the largest
difference in R; exits with 1 for another trade.
"""

import json
import sys
import warnings
from pathlib import Path

import pandas as pd
import pyarrow as pa
from backtesting import Backtest, Strategy

# Bars are served with six places.
ROUNDED = 5e-6
warnings.filterwarnings('ignore')
folder, stop, target = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])


def table(name):
    return pa.ipc.open_stream((folder / f'{name}.arrow').read_bytes()).read_pandas()


trades, bars = table('trades'), table('bars')
trades = trades[(trades.stop_atr == stop) & (trades.target_atr == target)]
bars = bars.set_index('time')[['open', 'high', 'low', 'close', 'volume']].rename(columns=str.title)
worst, count = 0.0, 0
for date, own in trades.groupby('trade_date'):
    day = bars[bars.index.date == date]
    plan = {entry: (row.direction == 'long', row.daily_atr) for entry, row in zip(own.entry_time, own.itertuples())}

    class Levels(Strategy):
        def init(self):
            pass

        def next(self):
            at = len(self.data) - 1
            following = day.index[at + 1] if at + 1 < len(day) else None
            if following in plan and not self.position:
                is_long, atr = plan[following]
                # The order fills at the open of the next bar, which the levels are measured from.
                price = day.Open.iloc[at + 1]
                side = 1 if is_long else -1
                order = self.buy if is_long else self.sell
                order(size=1, sl=price - side * stop * atr, tp=price + side * target * atr)

    stats = Backtest(day, Levels, cash=1e9, finalize_trades=True).run()
    found = stats._trades.sort_values('EntryTime')
    assert len(found) == len(own), (date, len(found), len(own))
    for theirs, ours in zip(found.itertuples(), own.sort_values('entry_time').itertuples()):
        assert theirs.EntryTime == ours.entry_time, (theirs, ours)
        assert (theirs.Size > 0) == (ours.direction == 'long')
        assert theirs.ExitTime == ours.exit_time, (theirs, ours)
        assert (ours.exit_reason == 'close') <= (theirs.ExitTime == day.index[-1])
        side = 1 if theirs.Size > 0 else -1
        r = side * (theirs.ExitPrice - theirs.EntryPrice) / (stop * ours.daily_atr)
        worst = max(worst, abs(r - ours.r))
        count += 1
print(json.dumps({'trades': count, 'worst': worst}))
sys.exit(0 if worst < ROUNDED and count > 0 else 1)
