import { above, atLeast, be, below, type Rule } from './rule.ts';

const FLIP = 'stock.confluence_v5.nearest_flip';
const SMA_200 = 'stock.technical.moving_averages.sma_200';
const PRICE = 'stock.last_price';
const DUE = 'stock.earnings.days_until';
const GAMMA = 'exposure.gamma_flip';

const flips = (side: 'bull' | 'bear'): Rule => ({
  id: `change.${side}.score`,
  side,
  weight: 6,
  when: [be(`${FLIP}.weakens`, side)],
  says: `The nearest flip of the score: with all else held, the {${FLIP}.of} turns from {${FLIP}.label_from} to {${FLIP}.label_to} once {${FLIP}.input} goes from {${FLIP}.from} to {${FLIP}.to}.`,
});

const earnings = (side: 'bull' | 'bear', outcome: string): Rule => ({
  id: `change.${side}.earnings`,
  side,
  weight: 3,
  when: [atLeast(DUE, 0), below(DUE, 31)],
  says: `A report ${outcome}, due in {${DUE}} days.`,
});

/** What would change a mind; the side is the one whose mind it is. */
export const CHANGES: readonly Rule[] = [
  flips('bull'),
  flips('bear'),
  earnings('bull', 'that disappoints'),
  earnings('bear', 'that surprises upward'),
  {
    id: 'change.bull.support',
    side: 'bull',
    weight: 5,
    when: [],
    says: 'A close below the support at {level.support.clear.price}, {level.support.clear.away} average true ranges below.',
  },
  {
    id: 'change.bull.pattern',
    side: 'bull',
    weight: 4,
    when: [be('pattern.bullish.family', 'chart'), below('pattern.bullish.invalidation', PRICE)],
    says: 'A close below {pattern.bullish.invalidation}, which would refute the pattern ({pattern.bullish.name}).',
  },
  {
    id: 'change.bull.long_average',
    side: 'bull',
    weight: 4,
    when: [above(PRICE, SMA_200)],
    says: `A close below the two-hundred-session average of {${SMA_200}}.`,
  },
  {
    id: 'change.bull.gamma',
    side: 'bull',
    weight: 3,
    when: [be('exposure.regime', 'long_gamma'), above('exposure.spot', GAMMA)],
    says: `A fall through the gamma flip of {${GAMMA}}, below which hedging enlarges moves.`,
  },
  {
    id: 'change.bull.fear',
    side: 'bull',
    weight: 2,
    when: [below('market.vix.level', 'market.vix.edge_above')],
    says: 'A volatility index of {market.vix.edge_above} or more, the next regime above the {market.vix.level} of now.',
  },
  {
    id: 'change.bear.resistance',
    side: 'bear',
    weight: 5,
    when: [],
    says: 'A close above the resistance at {level.resistance.clear.price}, {level.resistance.clear.away} average true ranges above.',
  },
  {
    id: 'change.bear.pattern',
    side: 'bear',
    weight: 4,
    when: [be('pattern.bearish.family', 'chart'), above('pattern.bearish.invalidation', PRICE)],
    says: 'A close above {pattern.bearish.invalidation}, which would refute the pattern ({pattern.bearish.name}).',
  },
  {
    id: 'change.bear.long_average',
    side: 'bear',
    weight: 4,
    when: [below(PRICE, SMA_200)],
    says: `A close above the two-hundred-session average of {${SMA_200}}.`,
  },
  {
    id: 'change.bear.gamma',
    side: 'bear',
    weight: 3,
    when: [below('exposure.spot', GAMMA)],
    says: `A rise through the gamma flip of {${GAMMA}}, above which hedging dampens moves.`,
  },
  {
    id: 'change.bear.calm',
    side: 'bear',
    weight: 2,
    when: [atLeast('market.vix.level', 20)],
    says: 'A volatility index back under {market.vix.edge_below}, from {market.vix.level} now.',
  },
  {
    id: 'change.bear.high',
    side: 'bear',
    weight: 3,
    when: [above('stock.range_3d.high', PRICE)],
    says: 'Trade above the three-session high of {stock.range_3d.high}.',
  },
];
