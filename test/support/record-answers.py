"""Rates and edges from sums by date, by numpy and scipy: what the estimators of records are compared with.

    python record-answers.py < sums.json > answers.json
"""
import json
import sys

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.stats import rankdata, spearmanr
from scipy.stats import t as student


def variance(series, count):
    """Variance of the mean of a dependent series, by a regression on cosines."""
    dates = len(series)
    middles = (np.arange(dates) + 0.5) / dates
    basis = np.sqrt(2 / dates) * np.cos(np.pi * np.arange(1, count + 1)[:, None] * middles)
    return float(np.mean((basis @ series) ** 2) / dates)


def cosines(dates, horizon):
    usual = int(np.floor(0.4 * dates ** (2 / 3)))
    return max(2, min(usual, dates // (4 * horizon))) if horizon else max(4, usual)


def freedom(count, events):
    return max(1, min(count, int((events > 0).sum()) - 1))


def rate(events, held, horizon):
    n, dates = events.sum(), len(events)
    p = held.sum() / n
    count = cosines(dates, horizon)
    v = variance((held - p * events) * dates / n, count)
    busy = (events > 0).sum()
    m = min(n, busy if p in (0, 1) or v <= 0 else p * (1 - p) / v)
    q = student.ppf(0.975, freedom(count, events))
    roots = np.sort(np.roots([1 + q * q / m, -(2 * p + q * q / m), p * p]).real)
    return [p, *roots]


def interval(value, series, count, df):
    se = np.sqrt(max(variance(series, count), 1e-12))
    reach = student.ppf(0.975, df) * se
    return [value, value - reach, value + reach, student.sf((value - 0.01) / se, df)]


def mean_edge(events, excess, horizon):
    n, dates = events.sum(), len(events)
    value = excess.sum() / n
    count = cosines(dates, horizon)
    return interval(value, (excess - value * events) * dates / n, count, freedom(count, events))


def stratified(events, held, controls, reached, strata, horizon):
    e, h, c, r = (np.asarray(column).reshape(-1, strata) for column in (events, held, controls, reached))
    n, dates = e.sum(), len(e)
    weights = e.sum(0) / n
    size = np.maximum(c.sum(0), 1)
    share = r.sum(0) / size
    chance, p = float(weights @ share), h.sum() / n
    series = (h - p * e).sum(1) * dates / n
    series = series - ((r - share * c) * weights * dates / size).sum(1)
    series = series - (e * (share - chance)).sum(1) * dates / n
    count = cosines(dates, horizon)
    return [*interval(p - chance, series, count, freedom(count, e.sum(1))), chance]


def best(series, deviates, draws):
    """Row of the best edge and Hansen's consistent p, from given draws of the dates."""
    n = series.shape[1]
    centred = series - series.mean(1)[:, None]
    means = np.stack([centred[:, draw].mean(1) for draw in draws.astype(int)])
    bound = -np.sqrt(2 * np.log(np.log(n)))
    drawn = means / np.sqrt((means**2).mean(0)) + np.where(deviates >= bound, 0, deviates)
    greatest = np.maximum(drawn.max(1), 0)
    return [int(deviates.argmax()), (1 + int((greatest >= max(deviates.max(), 0)).sum())) / (1 + len(draws))]


def reliability(events, held, forecast):
    """Miscalibration, discrimination and uncertainty of the Brier score, event by event."""
    used = events > 0
    n, mean, share = events[used].astype(int), forecast[used] / events[used], held[used] / events[used]
    calibrated = isotonic_regression(share, weights=events[used]).x
    came = np.concatenate([np.arange(size) < hits for size, hits in zip(n, held[used])]).astype(float)
    brier = lambda said: float(np.mean((np.repeat(said, n) - came) ** 2))
    best, same = brier(calibrated), float(came.var())
    return [brier(mean) - best, same - best, same]


def over_dates(values, horizon, against=0.0):
    """Mean, deviation, standard error, t, interval and count of a figure by date, absent ones as nan."""
    known = ~np.isnan(values)
    n, dates = int(known.sum()), len(values)
    m = float(values[known].mean())
    count = cosines(dates, horizon)
    error = float(np.sqrt(variance(np.where(known, values - m, 0) * dates / n, count)))
    reach = student.ppf(0.975, freedom(count, known)) * error
    return [m, float(values[known].std(ddof=1)), error, (m - against) / error, m - reach, m + reach, n]


def evaluation(score, forward, horizon):
    """How a score ordered stocks by their returns: figures by date, then over dates."""
    dates = len(score)
    coefficient, signs, tops, risen = (np.full(dates, np.nan) for _ in range(4))
    deciles = np.full((dates, 10), np.nan)
    counts, best = np.zeros(10), [set()] * dates
    for date, (own, later) in enumerate(zip(score, forward)):
        at = np.flatnonzero(~np.isnan(own) & ~np.isnan(later))
        if len(at) < 10:
            continue
        own, later = own[at], later[at]
        coefficient[date] = spearmanr(own, later).statistic
        tenth = np.minimum(9, (10 * (rankdata(own) - 0.5) / len(at)).astype(int))
        for of in set(tenth):
            deciles[date, of] = later[tenth == of].mean()
            counts[of] += (tenth == of).sum()
        best[date] = set(at[tenth == 9])
        calls = (own != 0) & (later != 0)
        signs[date] = (np.sign(own[calls]) == np.sign(later[calls])).mean()
        tops[date] = (later[tenth == 9] > np.median(later)).mean()
        risen[date] = (later > 0).mean()
    turnover, persistence = np.full(dates, np.nan), np.full(dates, np.nan)
    for date in range(1, dates):
        if best[date] and best[date - 1]:
            turnover[date] = len(best[date] - best[date - 1]) / len(best[date])
        both = ~np.isnan(score[date]) & ~np.isnan(score[date - 1])
        if both.sum() >= 10:
            persistence[date] = spearmanr(score[date][both], score[date - 1][both]).statistic
    return {
        "coefficients": [None if np.isnan(value) else float(value) for value in coefficient],
        "counts": counts.tolist(),
        "risen": float(np.nanmean(risen)),
        "coefficient": over_dates(coefficient, horizon),
        "lowest": over_dates(deciles[:, 0], horizon),
        "highest": over_dates(deciles[:, 9], horizon),
        "spread": over_dates(deciles[:, 9] - deciles[:, 0], horizon),
        "sign": over_dates(signs, horizon, 0.5),
        "top": over_dates(tops, horizon, 0.5),
        "turnover": over_dates(turnover, 0),
        "autocorrelation": over_dates(persistence, 0),
    }


answers = []
for case in json.load(sys.stdin):
    column = {name: np.array(values, float) for name, values in case.items() if isinstance(values, list)}
    if case["kind"] == "rate":
        answers.append(rate(column["events"], column["true"], case["horizon"]))
    elif case["kind"] == "mean":
        answers.append(mean_edge(column["events"], column["excess"], case["horizon"]))
    elif case["kind"] == "best":
        answers.append(best(column["series"], column["deviates"], column["draws"]))
    elif case["kind"] == "evaluation":
        panel = (column[name].reshape(case["dates"], -1) for name in ("score", "forward"))
        answers.append(evaluation(*panel, case["horizon"]))
    elif case["kind"] == "reliability":
        answers.append(reliability(column["events"], column["true"], column["forecast"]))
    else:
        answers.append(stratified(*(column[name] for name in ("events", "true", "controls", "reached")), case["strata"], case["horizon"]))
json.dump(answers, sys.stdout)
