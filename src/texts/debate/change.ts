import { flipSays } from '../flip.ts';
import { rulesOf } from './rule.ts';

const FLIP = 'stock.confluence_v5.nearest_flip';
const SMA_200 = 'stock.technical.moving_averages.sma_200';
const PRICE = 'stock.last_price';
const DUE = 'stock.earnings.days_until';
const GAMMA = 'exposure.gamma_flip';
const LEVEL = 'level.[support|resistance].strong';
const PATTERN = 'pattern.[bullish|bearish]';

/** What would change a mind; the side is the one whose mind it is. */
export const CHANGES = rulesOf(`
change.[bull|bear].score (6): ${FLIP}.weakens is [bull|bear]
  ${flipSays(`${FLIP}.`)}
change.[bull|bear].earnings (3): ${DUE} >= 0, ${DUE} < 31
  [A disappointing|A surprisingly good] earnings report; days to it: {${DUE}}.
change.[bull.support|bear.resistance] (5):
  A close [below|above] {${LEVEL}.broken}, a quarter of an ATR beyond [support|resistance] {${LEVEL}.price}.
change.[bull|bear].pattern (4): ${PATTERN}.family is chart, ${PATTERN}.invalidation < ${PRICE}
  A close [below|above] {${PATTERN}.invalidation}, which invalidates the pattern ({${PATTERN}.name}).
change.[bull|bear].long_average (4): ${PRICE} > ${SMA_200}
  A close [below|above] the two-hundred-day SMA of {${SMA_200}}.
change.[bull|bear].gamma (3): exposure.regime is long_gamma, exposure.spot > ${GAMMA} | exposure.regime is short_gamma, exposure.spot < ${GAMMA}
  A move [below|above] the gamma flip of {${GAMMA}}, where hedging [amplifies|dampens] moves.
change.bull.fear (bull 2): market.vix.level < market.vix.edge_above
  VIX at {market.vix.edge_above} or higher, the next regime, from {market.vix.level} now.
change.bear.calm (bear 2): market.vix.level >= 20
  VIX back under {market.vix.edge_below}, from {market.vix.level} now.
change.bear.high (bear 3): stock.range_3d.high > ${PRICE}, stock.range_3d.break_high is false
  Trade above the three-day high of {stock.range_3d.high}.
`);
