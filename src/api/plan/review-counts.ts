import type { ReviewCounts, ReviewStock } from './schema.ts';
import { say, signed } from './sentences.ts';

/** What of a review is counted, over all of its stocks. */
export function reviewCounts(
  stocks: readonly Pick<ReviewStock, 'levels' | 'expected_move' | 'setups'>[],
): ReviewCounts {
  const levels = stocks.flatMap((stock) => stock.levels).filter(({ state }) => state !== null);
  const touched = levels.filter(({ state }) => state !== 'untouched');
  const decided = touched.filter(({ state }) => state !== 'touched');
  const moves = stocks.flatMap(({ expected_move: move }) => (move?.kept == null ? [] : [move.kept]));
  const setups = stocks.flatMap((stock) => stock.setups).filter(({ outcome }) => outcome !== 'no_prices');
  const triggered = setups.filter(({ r }) => r !== null);
  const isCounted = decided.length > 0 && decided.every(({ chance }) => chance !== null);
  return {
    levels: levels.length,
    touched: touched.length,
    held: decided.filter(({ state }) => state === 'held').length,
    broken: decided.filter(({ state }) => state === 'broken').length,
    chance: isCounted ? decided.reduce((sum, { chance }) => sum + chance!, 0) : null,
    moves: moves.length,
    kept: moves.filter(Boolean).length,
    setups: setups.length,
    triggered: triggered.length,
    reached: triggered.filter(({ outcome }) => outcome === 'target').length,
    stopped: triggered.filter(({ outcome }) => outcome === 'stopped').length,
    r: triggered.reduce((sum, { r }) => sum + r!, 0),
  };
}

/** The counts of several sessions as one; chance where each of them knows it that had anything decided. */
export function sumOfCounts(days: readonly ReviewCounts[]): ReviewCounts {
  const sum = (name: keyof ReviewCounts): number => days.reduce((total, day) => total + (day[name] ?? 0), 0);
  const decided = days.filter(({ held, broken }) => held + broken > 0);
  const isCounted = decided.length > 0 && decided.every(({ chance }) => chance !== null);
  return {
    levels: sum('levels'),
    touched: sum('touched'),
    held: sum('held'),
    broken: sum('broken'),
    chance: isCounted ? sum('chance') : null,
    moves: sum('moves'),
    kept: sum('kept'),
    setups: sum('setups'),
    triggered: sum('triggered'),
    reached: sum('reached'),
    stopped: sum('stopped'),
    r: sum('r'),
  };
}

/** `14 levels: 9 touched, 5 held (chance 4.2).` */
export function countsSay(counts: ReviewCounts, isOver: boolean): string {
  const { levels, touched, held, chance, moves, kept, setups, triggered, reached, stopped, r } = counts;
  const says = [
    say('review.levels', {
      ...{ levels, touched, held },
      chance: chance === null ? say('review.no_chance') : say('review.chance', { chance: chance.toFixed(1) }),
    }),
    moves === 0 ? '' : say('review.moves', { kept, moves }),
    setups === 0 ? '' : say('review.setups', { triggered, setups, reached, stopped, r: signed(r, 1) }),
  ]
    .filter(Boolean)
    .join(' ');
  return isOver ? says : say('review.so_far', { says });
}
