import type { LedgerLine } from '../api/queries.ts';
import { inputTitle, inputValue, startLow } from '../input-words.ts';
import { labelOf } from '../levels.ts';
import { formatPrice } from '../ui/number.tsx';
import type { Choice, Draft } from './draft.ts';

/** What is offered where an alert is made: the likeliest first. */

const crossing = (words: string, parameters: Record<string, unknown>): Choice => ({
  words,
  kind: 'crosses',
  parameters: { field: 'last_price', ...parameters },
});

const BREAKS_RANGE: Choice = {
  words: 'breaks its 15-minute range',
  kind: 'enters',
  parameters: { field: 'levels.orb_15m_status', words: ['breakout_up', 'breakout_down'] },
};

/** For a stock: what its price meets, and what becomes of it. */
export const choicesOfStock = (symbol: string): Draft => ({
  symbol,
  choices: [
    crossing('crosses VWAP', { other: 'levels.vwap' }),
    crossing('crosses above VWAP', { direction: 'above', other: 'levels.vwap' }),
    crossing('crosses below VWAP', { direction: 'below', other: 'levels.vwap' }),
    crossing('crosses the gamma flip', { other: 'gex_gamma_flip' }),
    BREAKS_RANGE,
    { words: 'breaks the high of the day before', kind: 'level', parameters: { level: 'levels.pdh' } },
    { words: 'breaks the low of the day before', kind: 'level', parameters: { level: 'levels.pdl' } },
    { words: 'opens 2 % away from its close', kind: 'gap', parameters: { percent: 2 } },
    { words: 'is halted', kind: 'enters', parameters: { field: 'halted', words: ['true'] } },
    { words: 'has no trade for 5 minutes', kind: 'silent', parameters: { minutes: 5 } },
  ],
});

/** Levels that move with price: they are crossed, and have no fate of a session. */
const MOVING = /^(?:vwap|developing_|sma_|ema_)/;
const AVERAGE = /^(?:sma|ema)_/;

/** The field of a level, which the block of averages or of the last three days may have. */
const pathOf = (name: string): string =>
  AVERAGE.test(name)
    ? `technical.moving_averages.${name}`
    : name.replace(/^(range_3d)_|^/, (_, range?: string) => `${range ?? 'levels'}.`);

/** For a level of the ladder. */
export function choicesOfLevel(symbol: string, name: string, price: number): Draft {
  const label = `${labelOf(name)} ${formatPrice(price)}`;
  const path = pathOf(name);
  const isNamed = /^[a-z0-9_]+$/.test(name) && !/_(?:trigger|wall)|^gamma|^flip|hvn/.test(name);
  const other = isNamed ? { other: path } : { value: price };
  const staysNamed = isNamed && !MOVING.test(name) && path.startsWith('levels.');
  const became = staysNamed ? { level: path } : { price };
  const fates = MOVING.test(name)
    ? []
    : (['broken', 'held', 'touched'] as const).map(
        (word): Choice => ({
          words: `${{ broken: 'breaks', held: 'holds', touched: 'touches' }[word]} ${label}`,
          kind: 'level',
          parameters: { became: word, ...became },
        }),
      );
  return {
    symbol,
    choices: [
      ...fates,
      crossing(`crosses ${label}`, other),
      crossing(`crosses above ${label}`, { ...other, direction: 'above' }),
      crossing(`crosses below ${label}`, { ...other, direction: 'below' }),
    ],
  };
}

const TIERS = ['EXCELLENT', 'GOOD', 'MODERATE', 'WEAK', 'POOR'];

/** For a side of a ledger: its tier, and a step of its score. */
export const choicesOfSide = (symbol: string, side: 'bullish' | 'bearish', total: number | null): Draft => ({
  symbol,
  choices: [
    ...TIERS.slice(0, 4).map(
      (tier, at): Choice => ({
        words: `is ${tier.toLowerCase()}${at === 0 ? '' : ' or better'} for the ${side === 'bullish' ? 'bulls' : 'bears'}`,
        kind: 'enters',
        parameters: { field: `${side}_tier`, words: TIERS.slice(0, at + 1) },
      }),
    ),
    ...(total === null
      ? []
      : [
          {
            words: `has a ${side} score across ${Math.round(total)}`,
            kind: 'crosses',
            parameters: { field: `${side}_confluence`, value: Math.round(total) },
          },
        ]),
    {
      words: 'changes its bias to bullish',
      kind: 'enters',
      parameters: { field: 'directional_bias', words: ['bullish'] },
    },
    {
      words: 'changes its bias to bearish',
      kind: 'enters',
      parameters: { field: 'directional_bias', words: ['bearish'] },
    },
  ],
});

/** Inputs of scores that compare one field with another, and what is crossed then. */
const COMPARED: Readonly<Record<string, readonly [words: string, field: string, other: string]>> = {
  vwap_atr: ['crosses VWAP', 'last_price', 'levels.vwap'],
  sma20_atr: ['crosses its 20-day average', 'last_price', 'technical.moving_averages.sma_20'],
  intraday_return_atr: ['crosses the close before', 'last_price', 'levels.pdc'],
  orb_high_atr: ['crosses the high of its 15-minute range', 'last_price', 'levels.orb_15m_high'],
  orb_low_atr: ['crosses the low of its 15-minute range', 'last_price', 'levels.orb_15m_low'],
  ib_extension: ['crosses the high of its first hour', 'last_price', 'levels.ib_high'],
  macd_gap_atr: ['has MACD cross its signal line', 'technical.macd', 'technical.macd_signal'],
  ema_spread_atr: [
    'has its averages of 20 and 50 days cross',
    'technical.moving_averages.ema_20',
    'technical.moving_averages.sma_50',
  ],
};

/** Inputs of scores that are a field of the stock. */
const FIELDS: Readonly<Record<string, string>> = {
  support_atr: 'level_ladder.nearest_support.distance_atr',
  support_strength: 'level_ladder.nearest_support.strength',
  resistance_atr: 'level_ladder.nearest_resistance.distance_atr',
  resistance_strength: 'level_ladder.nearest_resistance.strength',
  percent_b: 'technical.bollinger.percent_b',
  atr_compression_ratio: 'compression.atr_compression_ratio',
  rel_vol_5d: 'rel_vol_5d',
  iv_rank: 'options.iv_rank',
  iv_skew: 'options.iv_skew',
  pricing_edge_bull: 'options.pricing_edge_bull',
  pricing_edge_bear: 'options.pricing_edge_bear',
  trend_score: 'day_context.trend_score',
  vix: 'regime_v5.vix',
  days_to_earnings: 'earnings.days_until',
  surprise_pct: 'earnings.surprise_pct',
  news_sentiment: 'news.sentiment_score',
  momentum_blend: 'momentum_blend',
  momentum_slope_60d: 'momentum_slope_60d',
  adx_14: 'technical.adx_14',
  rsi_14: 'technical.rsi_14',
};

/** For a line of a ledger: what its inputs meet; null where none of them can be watched. */
export function choicesOfLine(symbol: string, { inputs }: Pick<LedgerLine, 'inputs'>): Draft | null {
  const choices = Object.entries(inputs ?? {}).flatMap(([name, value]): Choice[] => {
    const [words, field, other] = COMPARED[name] ?? [];
    if (words !== undefined) return [{ words, kind: 'crosses', parameters: { field, other } }];
    if (name === 'orb_lean') return [BREAKS_RANGE];
    const path = FIELDS[name];
    if (path === undefined || typeof value !== 'number') return [];
    const round = Number(value.toPrecision(2));
    return [
      {
        words: `has ${startLow(inputTitle(name))} cross ${inputValue(name, round)}`,
        kind: 'crosses',
        parameters: { field: path, value: round },
      },
    ];
  });
  return choices.length === 0 ? null : { symbol, choices };
}
