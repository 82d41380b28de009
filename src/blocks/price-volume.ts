import {
  averageDollarVolume,
  averageVolume,
  relativeVolume,
  relativeVolume5d,
  volumeTrend,
} from '../analysis/momentum.ts';
import { incompleteAfter, newestBar, sessionSoFar } from '../analysis/view-bars.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import { flatBlock } from './block.ts';

const flat = {
  last_price: wire.nullableNumber(
    'Close of the newest bar in view, extended hours included, USD. For callers without the real-time feed the value is delayed (at least 15 minutes old); it is null when no delayed bar is available.',
    wire.NOT_NEGATIVE,
  ),
  volume: wire.nullableInteger(
    'Shares traded in the regular session of the trade date so far, of an incomplete session until its feed stopped (price.incomplete_after); 0 before its first trade; null where its bars are of one exchange alone (price.partial_feed).',
    wire.NOT_NEGATIVE,
  ),
  dollar_volume: {
    ...wire.number(
      'Deprecated; currently holds the 20-day average (use `adv20_usd` or `dollar_volume_today`). Over the sessions there are while history is shorter; 0 when nothing traded.',
      wire.NOT_NEGATIVE,
    ),
    deprecated: true,
  },
  dollar_volume_today: wire.nullableNumber(
    'last_price * volume, USD; null for an incomplete session, and without `volume`.',
    wire.NOT_NEGATIVE,
  ),
  adv20_usd: wire.nullableNumber('20-day average dollar volume.', wire.NOT_NEGATIVE),
  adv30_usd: wire.nullableNumber('30-day average dollar volume.', wire.NOT_NEGATIVE),
  adv30_shares: wire.nullableInteger(
    '30-day average daily share volume; used for a liquidity hard gate of >= 500k.',
    wire.NOT_NEGATIVE,
  ),
  rel_volume: wire.nullableNumber(
    'Relative volume of the prior day: its volume / 20-day average daily volume. Not rvol, which is volume / adv30_shares of the session so far.',
    wire.NOT_NEGATIVE,
  ),
  rel_vol_5d: wire.nullableNumber('5-day average volume / 20-day average volume.', wire.NOT_NEGATIVE),
  volume_trend: wire.nullableOneOf(
    ['increasing', 'decreasing', 'stable'],
    'Least-squares line through the last 20 session volumes: increasing or decreasing when it changes by more than 30 % of their mean, else stable.',
  ),
};

/** The newest price and trading activity. Averages are over completed sessions and null with shorter history. */
export const priceVolume = flatBlock({
  name: 'price_volume',
  ofBars: true,
  flat,
  derive(view) {
    const { daily, priorRow } = view;
    const lastPrice = newestBar(view)?.close ?? null;
    const shares = finiteOrNull(sessionSoFar(view)?.volume ?? 0);
    const volume = shares === null ? null : Math.round(shares);
    const row = daily.volume.length - 1;
    const averageDollars = (sessions: number): number =>
      averageDollarVolume(daily.close, daily.volume, row, sessions);
    const averageShares = finiteOrNull(averageVolume(daily.volume, row, 30));
    return {
      last_price: lastPrice,
      volume,
      dollar_volume: finiteOrNull(averageDollars(Math.min(row + 1, 20))) ?? 0,
      dollar_volume_today:
        lastPrice === null || volume === null || incompleteAfter(view) !== null ? null : lastPrice * volume,
      adv20_usd: finiteOrNull(averageDollars(20)),
      adv30_usd: finiteOrNull(averageDollars(30)),
      adv30_shares: averageShares === null ? null : Math.round(averageShares),
      rel_volume: finiteOrNull(relativeVolume(daily.volume, priorRow)),
      rel_vol_5d: finiteOrNull(relativeVolume5d(daily.volume, row)),
      volume_trend: volumeTrend(daily.volume, row),
    };
  },
});
