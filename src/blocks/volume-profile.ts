import { intradayBars, regularRows, tradeDay } from '../analysis/sessions.ts';
import {
  volumeProfile as profileOf,
  type VolumeNode,
  type VolumeProfile,
} from '../analysis/volume-profile.ts';
import { dateOf } from '../base/calendar.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { withLate } from '../base/with-late.ts';
import type { BarColumns, Interval, SessionBounds } from '../market/observations.ts';
import { nestedBlock } from './block.ts';

const Node = wire.record('VolumeNode', 'A price row that stands out.', {
  price: wire.number('Middle of the row, USD.', wire.NOT_NEGATIVE),
  volume: wire.number('Shares in the row.', wire.NOT_NEGATIVE),
});

const SessionProfile = wire.record(
  'SessionVolumeProfile',
  'Volume by price of one regular session, USD and shares.',
  {
    trade_date: wire.date('Session.'),
    developing: wire.flag('True while the session runs and the profile may still change.'),
    poc: wire.number(
      'Point of control: middle of the row with most volume; of equals the one nearest the middle; USD.',
      wire.NOT_NEGATIVE,
    ),
    vah: wire.number('Upper edge of the value area, USD.', wire.NOT_NEGATIVE),
    val: wire.number('Lower edge of the value area, USD.', wire.NOT_NEGATIVE),
    value_area_pct: wire.number(
      'Share of the volume inside the value area, percent; at least 70.',
      wire.HUNDRED,
    ),
    row_size: wire.number('Height of a row, USD.', wire.NOT_NEGATIVE),
    method: wire.oneOf(
      ['bar_range_even'],
      "How volume is put on rows: each bar's, evenly over the rows between its low and high.",
    ),
    total_volume: wire.number('Volume of the session so far.', wire.NOT_NEGATIVE),
    high_volume_nodes: wire.listOf(Node, 'Prices that the market accepted, ascending.'),
    low_volume_nodes: wire.listOf(Node, 'Prices that the market hurried through, ascending.'),
    base_price: wire.number('Lowest price of the lowest row, USD.', wire.NOT_NEGATIVE),
    rows: wire.listOf(
      wire.number('Shares.', wire.NOT_NEGATIVE),
      'Volume of every row from the lowest price traded to the highest; row k begins k * row_size above base_price.',
    ),
  },
);

const Profiles = wire.record(
  'VolumeProfile',
  'Volume by price of the prior and the developing regular session.',
  {
    prior: wire.nullable(SessionProfile),
    developing: wire.nullable(SessionProfile),
  },
);

/** No profile of a past session that the tape has only in part; null when there is neither. */
export const volumeProfile = nestedBlock({
  name: 'volume_profile',
  ofBars: true,
  include: 'volume_profile',
  schema: Profiles,
  derive(view) {
    const { asOf } = view;
    const prior = view.priorIntradayWhole
      ? priorProfile(
          view.priorIntraday,
          view.priorIntradayInterval,
          view.priorSession,
          Math.min(asOf, view.priorSession.postClose),
        )
      : null;
    const developing = view.intradayWhole
      ? sessionProfile(view.intraday, view.intradayInterval, view.session, asOf)
      : null;
    return prior === null && developing === null ? null : { prior, developing };
  },
});

function sessionProfile(
  columns: BarColumns,
  interval: Interval | null,
  session: SessionBounds,
  asOf: number,
) {
  const rows = regularRows(intradayBars(columns, interval, asOf), session);
  const profile = profileOf(columns, rows);
  return profile === null ? null : wireProfile(profile, session, asOf);
}

const priorProfile = onceFor(sessionProfile);

function wireProfile(profile: VolumeProfile, session: SessionBounds, asOf: number) {
  return withLate(
    {
      trade_date: dateOf(tradeDay(session)),
      developing: asOf < session.close,
      poc: profile.poc,
      vah: profile.vah,
      val: profile.val,
      value_area_pct: (profile.valueAreaVolume / profile.totalVolume) * 100,
      row_size: profile.rowSize,
      method: profile.method,
      total_volume: profile.totalVolume,
      high_volume_nodes: profile.highVolumeNodes.map(wireNode),
      low_volume_nodes: profile.lowVolumeNodes.map(wireNode),
      base_price: profile.base,
    },
    {
      rows: () => Array.from(profile.rows),
    },
  );
}

function wireNode({ price, volume }: VolumeNode) {
  return { price, volume };
}
