import { labelOf } from '../levels.ts';
import { formatPrice } from '../ui/number.tsx';
import type { Choice, Draft } from './draft.ts';

/** What is offered where an alert is made: the likeliest first. */

const crossing = (words: string, parameters: Record<string, unknown>): Choice => ({
  words,
  kind: 'crosses',
  parameters: { field: 'last_price', ...parameters },
});

/** For a stock: what its price meets, and what becomes of it. */
export const choicesOfStock = (symbol: string): Draft => ({
  symbol,
  choices: [
    crossing('crosses VWAP', { other: 'levels.vwap' }),
    crossing('crosses above VWAP', { direction: 'above', other: 'levels.vwap' }),
    crossing('crosses below VWAP', { direction: 'below', other: 'levels.vwap' }),
    crossing('crosses the gamma flip', { other: 'gex_gamma_flip' }),
    {
      words: 'breaks its 15-minute range',
      kind: 'enters',
      parameters: { field: 'levels.orb_15m_status', words: ['breakout_up', 'breakout_down'] },
    },
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
