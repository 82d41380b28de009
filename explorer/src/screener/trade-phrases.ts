/** Words of screens: joins, comparisons, phrases of the trade, and amounts with their units. */

export const JOINS = new Set(['and', '&', ',', 'with', 'but']);
export const COMPARISONS: readonly (readonly [words: string, op: string])[] = [
  ['is greater than or equal to', '>='],
  ['is less than or equal to', '<='],
  ['greater than or equal to', '>='],
  ['less than or equal to', '<='],
  ['no more than', '<='],
  ['no less than', '>='],
  ['is more than', '>'],
  ['is less than', '<'],
  ['more than', '>'],
  ['greater than', '>'],
  ['less than', '<'],
  ['is at least', '>='],
  ['is at most', '<='],
  ['at least', '>='],
  ['at most', '<='],
  ['is above', '>'],
  ['is below', '<'],
  ['is over', '>'],
  ['is under', '<'],
  ['is not', '!='],
  ['above', '>'],
  ['over', '>'],
  ['below', '<'],
  ['under', '<'],
  ['equals', '='],
  ['is', '='],
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ...['<=', '>=', '!=', '<', '>', '='].map((op) => [op, op] as const),
];

/** What says a condition without a number. */
export const PHRASES: Readonly<Record<string, string>> = {
  'gap up': 'price.gap_pct > 0',
  'gap down': 'price.gap_pct < 0',
  up: 'price.change_pct > 0',
  green: 'price.change_pct > 0',
  down: 'price.change_pct < 0',
  red: 'price.change_pct < 0',
  oversold: 'technical.rsi_14 < 30',
  overbought: 'technical.rsi_14 > 70',
  bullish: 'directional_bias = bullish',
  bearish: 'directional_bias = bearish',
  'inside day': 'compression.is_inside_day = true',
  nr7: 'compression.is_nr7 = true',
  overextended: 'is_overextended = true',
  'short gamma': 'gex_regime = short_gamma',
  'negative gamma': 'gex_regime = short_gamma',
  'long gamma': 'gex_regime = long_gamma',
  'positive gamma': 'gex_regime = long_gamma',
  'trend day': 'day_context.day_type = trending',
  'near support': 'nearest_level_type = support',
  'near resistance': 'nearest_level_type = resistance',
  'orb breakout': 'levels.orb_15m_status = breakout_up',
  'orb breakdown': 'levels.orb_15m_status = breakout_down',
  'unusual options': 'options.unusual_activity = true',
  accumulation: 'cvd_trend = accumulating',
  distribution: 'is_distribution = true',
  'reports today': 'earnings.days_until = 0',
  'golden stack': 'technical.trend_stack_valid = true',
  'trend stack': 'technical.trend_stack_valid = true',
  '3-day high': 'range_3d.break_high = true',
  '3-day low': 'range_3d.break_low = true',
  'bullish divergence': 'cvd_divergence = bullish_div',
  'bearish divergence': 'cvd_divergence = bearish_div',
  squeeze: 'computed.bands_atr < 3',
  'in a squeeze': 'computed.bands_atr < 3',
  'flip crossed': 'computed.sides_of_flip < 0',
  'crossed the flip': 'computed.sides_of_flip < 0',
};

/** Begins what a size completes: `gap up 3 %`, `down more than 2 %`. */
export const MOVES: Readonly<Record<string, readonly [field: string, sign: 1 | -1]>> = {
  'gap up': ['price.gap_pct', 1],
  'gaps up': ['price.gap_pct', 1],
  'gapping up': ['price.gap_pct', 1],
  'gap down': ['price.gap_pct', -1],
  'gaps down': ['price.gap_pct', -1],
  'gapping down': ['price.gap_pct', -1],
  up: ['price.change_pct', 1],
  down: ['price.change_pct', -1],
};

/** Has a sign that says something, and a size that does not. */
export const SIDES_OF_FLIP = 'sides_of_flip';

/** Numbers that phrases of the trade need and no field has. */
export const COMPUTED: Readonly<Record<string, string>> = {
  volume_over_average: 'volume / adv30_shares',
  // Bands of 2 deviations within the channel of 1.5 ATR to each side: the squeeze of Carter, Mastering the Trade.
  bands_atr: '(technical.bollinger.upper - technical.bollinger.lower) / technical.atr_14',
  // Below 0 where the close before and the price lie on two sides of the flip.
  [SIDES_OF_FLIP]: '(levels.pdc - gex_gamma_flip) * (last_price - gex_gamma_flip)',
};
export const FACTORS: Readonly<Record<string, number>> = { twice: 2, double: 2, triple: 3, 'three times': 3 };

export const TIMES_VOLUME =
  /^(?:([\d.]+) ?(?:x|times)|(twice|double|triple|three times))(?: (?:the|its|average|usual|normal))* volume$/;

const MAGNITUDES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  billion: 1e9,
};
export const MIRRORED: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

export interface Amount {
  readonly number: number;
  readonly unit: 'percent' | 'USD' | 'times' | 'ATR' | null;
}

/** `3 %`, `$5`, `10 million`, `2x`, `0.5 ATR`, `5 days` as a number and its unit; null for what is none. */
export function amountOf(text: string): Amount | null {
  const match =
    /^([-+−]?)(\$?)([-+]?\d[\d,]*(?:\.\d+)?|\.\d+)(e[-+]?\d+)? ?(k|m|b|thousand|million|billion)? ?(%|percent|x|times|atr|dollars?|usd|days?|sessions?|points?|shares)?$/i.exec(
      text.trim(),
    );
  if (match === null) return null;
  const [, sign, dollar, digits, exponent = '', magnitude = '', word = ''] = match;
  const size =
    Number(`${digits!.replaceAll(',', '')}${exponent}`) * (MAGNITUDES[magnitude.toLowerCase()] ?? 1);
  const said = word.toLowerCase();
  return {
    number: sign === '-' || sign === '−' ? -size : size,
    unit:
      said === '%' || said === 'percent'
        ? 'percent'
        : dollar === '$' || /^(?:dollar|usd)/.test(said)
          ? 'USD'
          : said === 'x' || said === 'times'
            ? 'times'
            : said === 'atr'
              ? 'ATR'
              : null,
  };
}
