import type { Static } from 'typebox';
import { bias, tier, V5_TIERS } from '../../analysis/scoring/tiers.ts';
import type { ScoreChange } from './schema.ts';
import type { ClosingScore, StockAnswer } from './stock-answer.ts';

/** Components that are named of each direction, and from how many points on. */
const NAMED = 2;
const POINTS_MIN = 0.5;

type Score = NonNullable<StockAnswer['confluence_v5']>;
type Side = 'bull' | 'bear';

/**
 * How the score of a stock changed since a close, and which components moved it most. Only components that both have are
 * compared, by the weights of today: in the morning those of a session's own bars are not there, and that is no change. Null
 * without both scores.
 */
export function scoreChange(
  { confluence_v5: now }: StockAnswer,
  before: ClosingScore | null,
): Static<typeof ScoreChange> | null {
  const then = before?.confluence_v5;
  if (then?.net == null || now?.net == null) return null;
  const shared = sharedWeights(then, now);
  const from = pointsOf(then, shared);
  const to = pointsOf(now, shared);
  const moved = [...shared.keys()]
    .map((component) => ({ component, points: netOf(to, component) - netOf(from, component) }))
    .filter(({ points }) => Math.abs(points) >= POINTS_MIN)
    .sort((one, other) => other.points - one.points);
  const [was, is] = [scoresOf(from), scoresOf(to)];
  return {
    since: before!.tradeDate,
    bias: [was.bias, is.bias],
    bullish_tier: [was.bullish, is.bullish],
    bearish_tier: [was.bearish, is.bearish],
    net: [was.net, is.net],
    gained: moved.filter(({ points }) => points > 0).slice(0, NAMED),
    lost: moved
      .filter(({ points }) => points < 0)
      .slice(-NAMED)
      .reverse(),
    is_new: was.bias !== is.bias,
  };
}

/** Shares of the weight of components that both scores have, by the newer one. */
function sharedWeights(then: Score, now: Score): ReadonlyMap<string, number> {
  const known = (score: Score, side: Side) => new Set(scored(score, side).map(({ component }) => component));
  const names = known(then, 'bull').intersection(known(then, 'bear')).intersection(known(now, 'bear'));
  const lines = scored(now, 'bull').filter(({ component }) => names.has(component));
  const sum = lines.reduce((total, { weight }) => total + weight, 0);
  return new Map(lines.map(({ component, weight }) => [component, weight / sum]));
}

const scored = (score: Score, side: Side) =>
  score[`${side}_ledger`].filter(({ status }) => status === 'scored');

type Points = Readonly<Record<Side, ReadonlyMap<string, number>>>;

function pointsOf(score: Score, weights: ReadonlyMap<string, number>): Points {
  const of = (side: Side) =>
    new Map(
      scored(score, side).flatMap(({ component, score: own, maximum }) => {
        const weight = weights.get(component);
        return weight === undefined ? [] : [[component, (100 * weight * own!) / maximum] as const];
      }),
    );
  return { bull: of('bull'), bear: of('bear') };
}

const netOf = ({ bull, bear }: Points, component: string): number =>
  (bull.get(component) ?? 0) - (bear.get(component) ?? 0);

function scoresOf({ bull, bear }: Points) {
  const sum = (points: ReadonlyMap<string, number>): number =>
    points.values().reduce((total, each) => total + each, 0);
  const [up, down] = [sum(bull), sum(bear)];
  return {
    net: up - down,
    bias: bias(up - down),
    bullish: tier(up, V5_TIERS),
    bearish: tier(down, V5_TIERS),
  };
}
