import type { LedgerLine, Stock } from './api/queries.ts';

/** What a line of a ledger was computed from, by the names that chart, ladder and tabs select. */

type Causes = (stock: Stock) => readonly (string | null | undefined)[];

const nearest = ({ level_ladder }: Stock) => [
  level_ladder?.nearest_support?.name,
  level_ladder?.nearest_resistance?.name,
];
const patternsOf = (direction: string) => (stock: Stock) =>
  (stock.patterns ?? [])
    .filter((pattern) => pattern.direction === direction)
    .map((pattern) => patternId(pattern));

/** Identity of a pattern on the page. */
export const patternId = ({ type, first_seen_at }: { type: string; first_seen_at: string | null }): string =>
  `pattern:${type}@${first_seen_at}`;

/** Identity of a setup on the page. */
export const setupId = (strategy: string): string => `setup:${strategy}`;

const BY_INPUT: Readonly<Record<string, Causes>> = {
  support_atr: (stock) => [stock.level_ladder?.nearest_support?.name],
  support_strength: (stock) => [stock.level_ladder?.nearest_support?.name],
  resistance_atr: (stock) => [stock.level_ladder?.nearest_resistance?.name],
  resistance_strength: (stock) => [stock.level_ladder?.nearest_resistance?.name],
  level_below_atr: (stock) => [stock.level_ladder?.nearest_support?.name],
  level_above_atr: (stock) => [stock.level_ladder?.nearest_resistance?.name],
  vwap_atr: () => ['vwap'],
  ib_extension: () => ['ib_high', 'ib_low', 'ib_1_5x_high', 'ib_1_5x_low'],
  orb_lean: () => ['orb_5m_high', 'orb_5m_low', 'orb_15m_high', 'orb_15m_low', 'orb_30m_high', 'orb_30m_low'],
  orb_high_atr: () => ['orb_5m_high', 'orb_15m_high', 'orb_30m_high'],
  orb_low_atr: () => ['orb_5m_low', 'orb_15m_low', 'orb_30m_low'],
  bullish_patterns: patternsOf('bullish'),
  bearish_patterns: patternsOf('bearish'),
  percent_b: () => ['sma_20'],
  ema_spread_atr: () => ['ema_9', 'ema_20'],
  distance_sma20_atr: () => ['sma_20'],
  intraday_return_atr: () => ['pdc'],
  off_high_atr: () => ['group:opening'],
  off_low_atr: () => ['group:opening'],
  greek_lean: () => ['group:option'],
  pricing_edge_bull: () => ['group:option'],
  pricing_edge_bear: () => ['group:option'],
  news_sentiment: () => ['group:news'],
};

const BY_COMPONENT: Readonly<Record<string, Causes>> = {
  proximity: nearest,
  pricing_edge: () => ['group:option'],
  greek_alignment: () => ['group:option'],
  event_proximity: () => ['group:events'],
};

/** Names that a line selects; its own name first, so that every line can be selected. */
export function causesOf(
  { component, inputs }: Pick<LedgerLine, 'component' | 'inputs'>,
  stock: Stock,
): string[] {
  const found = Object.keys(inputs ?? {}).flatMap((input) => BY_INPUT[input]?.(stock) ?? []);
  const names = found.length > 0 ? found : (BY_COMPONENT[component]?.(stock) ?? []);
  return [
    `component:${component}`,
    ...new Set(names.filter((name): name is string => typeof name === 'string')),
  ];
}
