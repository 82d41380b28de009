import { above, atLeast, atMost, be, below, type Rule } from './rule.ts';

const SPOT = 'exposure.spot';
const FLIP = 'exposure.gamma_flip';

/** What the option chain and those who hedge it say. */
export const OPTIONS: readonly Rule[] = [
  {
    id: 'options.above_flip',
    side: 'bull',
    weight: 4,
    when: [be('exposure.regime', 'long_gamma'), above(SPOT, FLIP)],
    says: `The price is above the gamma flip of {${FLIP}}: dealers who hedge long gamma buy dips.`,
  },
  {
    id: 'options.put_wall_below',
    side: 'bull',
    weight: 3,
    when: [below('exposure.put_wall', SPOT)],
    says: 'Most put gamma sits at the strike of {exposure.put_wall}, under the price, where hedging often slows a fall.',
  },
  {
    id: 'options.calls_traded',
    side: 'bull',
    weight: 2,
    when: [atMost('stock.options.put_call_ratio', 0.6)],
    says: 'Put volume is only {stock.options.put_call_ratio} times call volume.',
  },
  {
    id: 'options.calls_dear',
    side: 'bull',
    weight: 2,
    when: [atMost('stock.options.iv_skew', -0.01)],
    says: 'The skew of {stock.options.iv_skew} is turned over: calls cost more than puts.',
  },
  {
    id: 'options.volatility_cheap',
    side: 'bull',
    weight: 2,
    when: [atMost('stock.options.iv_rank', 20)],
    says: 'Implied volatility stands at {stock.options.iv_rank} percent of its range of a year: nobody pays up for protection.',
  },
  {
    id: 'options.calls_underpriced',
    side: 'bull',
    weight: 2,
    when: [atLeast('stock.options.pricing_edge_bull', 3)],
    says: 'Against forecast volatility calls are cheap by {stock.options.pricing_edge_bull} points of ten.',
  },
  {
    id: 'options.call_wall_above',
    side: 'bear',
    weight: 3,
    when: [above('exposure.call_wall', SPOT)],
    says: 'Most call gamma sits at the strike of {exposure.call_wall}, above the price, where hedging often slows a rise.',
  },
  {
    id: 'options.put_wall_lost',
    side: 'bear',
    weight: 3,
    when: [above('exposure.put_wall', SPOT), below('exposure.put_wall', 'exposure.call_wall')],
    says: 'The price is under the strike of {exposure.put_wall} that carries the most put gamma.',
  },
  {
    id: 'options.below_flip',
    side: 'bear',
    weight: 4,
    when: [below(SPOT, FLIP)],
    says: `The price is below the gamma flip of {${FLIP}}: hedging by dealers sells into weakness.`,
  },
  {
    id: 'options.short_gamma',
    side: 'bear',
    weight: 3,
    when: [be('exposure.regime', 'short_gamma'), below('exposure.net_gamma', 0)],
    says: 'Dealers are short gamma on balance, {exposure.net_gamma} dollars for a move of one percent, so that hedging enlarges falls.',
  },
  {
    id: 'options.puts_traded',
    side: 'bear',
    weight: 2,
    when: [atLeast('stock.options.put_call_ratio', 1.2)],
    says: 'Put volume is {stock.options.put_call_ratio} times call volume.',
  },
  {
    id: 'options.puts_dear',
    side: 'bear',
    weight: 2,
    when: [atLeast('stock.options.iv_skew', 0.06)],
    says: 'The skew of {stock.options.iv_skew} says that puts are dear: protection is in demand.',
  },
  {
    id: 'options.volatility_dear',
    side: 'bear',
    weight: 3,
    when: [atLeast('stock.options.iv_rank', 80)],
    says: 'Implied volatility stands at {stock.options.iv_rank} percent of its range of a year: the market pays up for fear.',
  },
  {
    id: 'options.puts_underpriced',
    side: 'bear',
    weight: 2,
    when: [atLeast('stock.options.pricing_edge_bear', 3)],
    says: 'Against forecast volatility puts are cheap by {stock.options.pricing_edge_bear} points of ten.',
  },
];
