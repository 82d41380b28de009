"""Recomputes every figure of a run from its trades with pandas: `recompute.py FOLDER`.

FOLDER has `run.json` (the run with its grid), `trades.json`, `trades.arrow` and `equity.arrow` (of all cells).
Prints how many figures were compared and the largest relative difference; exits with 1 beyond 1e-12, and beyond half
of the last of six places for the rounded figures of the run itself.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

folder = Path(sys.argv[1])
run = json.loads((folder / 'run.json').read_text())
exact = json.loads((folder / 'trades.json').read_text())['cells']


def table(name):
    return pa.ipc.open_stream((folder / f'{name}.arrow').read_bytes()).read_pandas()


trades, equity = table('trades'), table('equity')
days = sorted(equity.trade_date.unique())
side = np.where(trades.direction.astype(str) == 'long', 1.0, -1.0)
risk = trades.stop_atr * trades.daily_atr
# R from prices and costs alone, which the other figures then use.
trades['r_own'] = (side * (trades.exit_price - trades.entry_price) - trades.costs) / risk


def metrics(own, dates):
    r = own.r_own.to_numpy()
    daily = own.groupby('trade_date').r_own.sum().reindex(dates, fill_value=0.0).to_numpy()
    curve = np.concatenate([[0.0], np.cumsum(daily)])
    gain, loss = r[r > 0].sum(), -r[r <= 0].sum()
    deviation = daily.std(ddof=1) if len(daily) > 1 else 0.0
    n = len(r)
    return {
        'total_trades': n,
        'win_rate': (r > 0).mean() if n else None,
        'avg_rr_ratio': r.mean() if n else None,
        'sharpe_ratio': daily.mean() / deviation * np.sqrt(252) if deviation > 1e-12 * abs(daily.mean()) else None,
        'profit_factor': gain / loss if loss > 0 else None,
        'max_drawdown': (np.maximum.accumulate(curve) - curve).max() if n else None,
        'total_r': r.sum(),
        'ambiguous_share': own.ambiguous.mean() if n else None,
    }


compared, worst, worst_rounded = 0, 0.0, 0.0


def compare(found, expected, is_rounded):
    global compared, worst, worst_rounded
    for name, value in found.items():
        other = expected[name]
        assert (value is None) == (other is None), (name, value, other)
        if value is None:
            continue
        compared += 1
        # Six places, or six significant digits of what is under a hundredth.
        difference = abs(value - other) / max(1.0, abs(value))
        if is_rounded:
            worst_rounded = max(worst_rounded, difference)
        else:
            worst = max(worst, difference)


def of_cell(cell):
    one = cell['parameter_set']
    return trades[(trades.stop_atr == one['stop_atr']) & (trades.target_atr == one['target_atr'])]


assert len(exact) == len(run['grid'])
worst = max(worst, ((trades.r_own - trades.r).abs() / trades.r.abs().clip(lower=1)).max())
for cell, rounded in zip(exact, run['grid']):
    assert cell['parameter_set'] == rounded['parameter_set']
    found = metrics(of_cell(cell), days)
    compare(found, cell, False)
    compare(found, rounded, True)
out_of_sample = equity.groupby('trade_date').out_of_sample.first()
for result in run['results']:
    own = of_cell(result)
    for name, wanted in [('in_sample', False), ('out_of_sample', True)]:
        if result[name] is not None:
            dates = [day for day in days if out_of_sample[day] == wanted]
            compare(metrics(own[own.trade_date.isin(dates)], dates), result[name], True)
    for name, column in [('signal_type', 'signal_type'), ('direction', 'direction'), ('day_type', 'day_type')]:
        for part in result[f'by_{name}']:
            compare(metrics(own[own[column].astype(str) == part[name]], days), part, True)
splits = [run['analysis']['out_of_sample'], *run['analysis']['walk_forward']]
for split in [one for one in splits if one is not None]:
    own = of_cell(split)
    before = [day for day in days if day.isoformat() < split['test_from']]
    compare(metrics(own[own.trade_date.isin(before)], before), split['chosen_on'], True)
cells = equity.groupby(['stop_atr', 'target_atr'])
for (stop, target), own in cells:
    of = trades[(trades.stop_atr == stop) & (trades.target_atr == target)]
    daily = of.groupby('trade_date').r_own.sum().reindex(own.trade_date, fill_value=0.0).to_numpy()
    worst = max(worst, np.abs(own.r.to_numpy() - daily).max(), np.abs(own.equity.to_numpy() - daily.cumsum()).max())
    assert own.trades.sum() == len(of)
print(json.dumps({'compared': compared, 'worst': float(worst), 'worst_rounded': float(worst_rounded)}))
sys.exit(0 if worst < 1e-12 and worst_rounded < 5.1e-7 and compared > 0 else 1)
