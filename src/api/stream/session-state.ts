import type { Banded, SessionState } from '../../analysis/session-events.ts';
import { PIVOT_FIELDS } from '../../blocks/level-ladder.ts';

/** Fields of `levels` that send an event when broken. Opening ranges have their own events. */
const LEVELS = [
  ...'pdh pdl pdc prior_week_high prior_week_low prior_month_high prior_month_low'.split(' '),
  ...['overnight_high', 'overnight_low', ...PIVOT_FIELDS],
  ...'ib_high ib_low prior_poc prior_vah prior_val vwap'.split(' '),
];

const OPENING_RANGES_MINUTES = [5, 15, 30] as const;

const TIERS = {
  confluence_tier: 'confluence_score',
  bullish_tier: 'bullish_confluence',
  bearish_tier: 'bearish_confluence',
} as const;

const BIASES = {
  directional_bias: 'net_confluence',
  directional_bias_v5: 'net_confluence',
  pulse_bias: 'pulse_net',
  orb_directional_bias: null,
} as const;

/** The state that events follow from, read from the JSON text of fields and levels. */
export function sessionState(
  tradeDate: string,
  fields: ReadonlyMap<string, string>,
  levelsText: string,
): SessionState {
  const known = (name: string): unknown => JSON.parse(fields.get(name) ?? 'null');
  const levels = (JSON.parse(levelsText) ?? {}) as Record<string, number | string | null | undefined>;
  const priceOf = (name: string): number | null => (levels[name] as number | null | undefined) ?? null;
  const banded = (names: Readonly<Record<string, string | null>>): Record<string, Banded> =>
    Object.fromEntries(
      Object.entries(names).map(([field, figureName]) => [
        field,
        {
          word: known(field) as string | null,
          figureName,
          figure: figureName === null ? null : (known(figureName) as number | null),
        },
      ]),
    );
  return {
    tradeDate,
    lastPrice: known('last_price') as number | null,
    halted: known('halted') === true,
    levels: Object.fromEntries(LEVELS.map((name) => [name, priceOf(name)])),
    openingRanges: OPENING_RANGES_MINUTES.map((minutes) => ({
      minutes,
      status: (levels[`orb_${minutes}m_status`] as string | null | undefined) ?? null,
      high: priceOf(`orb_${minutes}m_high`),
      low: priceOf(`orb_${minutes}m_low`),
    })),
    tiers: banded(TIERS),
    biases: banded(BIASES),
  };
}
