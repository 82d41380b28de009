import { flipWords } from '../../texts/flip.ts';
import type { Turn } from './schema.ts';
import { inWords, priceText, say } from './sentences.ts';
import type { StockAnswer } from './stock-answer.ts';

/** Prices farther away than this change no view in a day, ATR. */
const REACH_ATR = 1.5;
/** Prices that are named. */
const NAMED = 3;
const AVERAGES = ['20', '50', '200'] as const;

interface Priced extends Turn {
  readonly price: number;
}

/** What would change the view of a stock: the nearest prices, and the nearest change of an input of its score. */
export function turnsOf(stock: StockAnswer): Turn[] {
  const { last_price: price, level_ladder: ladder } = stock;
  const flip = stock.confluence_v5?.nearest_flip;
  const score: Turn[] =
    flip == null
      ? []
      : [{ kind: 'score', price: null, says: say('plan.turn_score', { ...flipWords(flip), ...ends(flip) }) }];
  const atr = ladder?.atr;
  if (price === null || !atr) return score;
  const near = [...patternTurns(stock, price), ...gammaTurns(stock, price), ...averageTurns(stock, price)]
    .filter((turn) => Math.abs(turn.price - price) <= REACH_ATR * atr)
    .sort((one, other) => Math.abs(one.price - price) - Math.abs(other.price - price));
  return [...near.slice(0, NAMED), ...score];
}

const ends = ({ from, to }: { readonly from: number; readonly to: number }) => ({
  from: from.toFixed(2),
  to: to.toFixed(2),
});

/** Confirmed patterns stand until a close beyond their invalidation. */
const patternTurns = ({ patterns }: StockAnswer, price: number): Priced[] =>
  (patterns ?? []).flatMap(({ type, status, direction, invalidation_price: at }) => {
    const where = direction === 'bullish' ? 'below' : 'above';
    const stands = at !== null && (where === 'below' ? price > at : price < at);
    return status === 'confirmed' && direction !== 'neutral' && stands
      ? [{ kind: 'pattern', price: at, says: say('plan.turn_pattern', failure(type, where, at)) }]
      : [];
  });

const failure = (type: string, where: string, price: number) => ({
  pattern: inWords(type),
  where,
  price: priceText(price),
});

function gammaTurns({ gex_gamma_flip: at, gex_regime: regime }: StockAnswer, price: number): Priced[] {
  if (at === null || regime === null) return [];
  const isAbove = at > price;
  const figures = {
    regime: isAbove ? 'long' : 'short',
    where: isAbove ? 'above' : 'below',
    price: priceText(at),
  };
  return [{ kind: 'gamma', price: at, says: say('plan.turn_gamma', figures) }];
}

const averageTurns = ({ technical }: StockAnswer, price: number): Priced[] =>
  AVERAGES.flatMap((sessions) => {
    const at = technical?.moving_averages?.[`sma_${sessions}`] ?? null;
    if (at === null) return [];
    const figures = { sessions, price: priceText(at) };
    const says =
      at > price
        ? say('plan.turn_average_back', { ...figures, where: 'above' })
        : say('plan.turn_average', { ...figures, where: 'below' });
    return [{ kind: 'average', price: at, says }];
  });
