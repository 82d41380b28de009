import { gapMinutesOf, newTrack, outcomeOf, trackBars } from '../../analysis/level-state.ts';
import { isDownTo, isUpTo } from '../../analysis/records/barriers.ts';
import type { SessionBars } from '../../analysis/records/level-events.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { instantText } from '../../base/wire.ts';
import type { PlanStock, ReviewStock } from './schema.ts';
import { say } from './sentences.ts';

/** What is seen of a session: a function of it and of the plan of its morning is the review. */
export interface SeenSession {
  /** Epoch milliseconds. */
  readonly open: number;
  /** Minutes of the regular session so far; null without one. */
  readonly bars: Omit<SessionBars, 'range'> | null;
  /** Official close; null before it, and where no daily bar is known. */
  readonly close: number | null;
  readonly isOver: boolean;
}

const GAP_MINUTES = gapMinutesOf(1);

/** What became of the plan of a stock: every level where the plan had it. */
export function reviewOfStock(plan: PlanStock, seen: SeenSession): ReviewStock {
  const { symbol, name, simulated, price, expected_move: move } = plan;
  const last = seen.close ?? seen.bars?.close.at(-1) ?? null;
  const levels = [...plan.above.toReversed(), ...plan.below];
  return {
    symbol,
    name,
    simulated,
    plan_price: price,
    price: last,
    change_pct: price === null || last === null ? null : (last / price - 1) * 100,
    levels: levels.map((level) => ({
      name: level.name,
      family: level.family,
      with: level.with,
      price: level.price,
      side: level.side,
      distance_atr: level.distance_atr,
      ...levelOf(level.price, plan.atr, seen),
      chance: level.record?.chance ?? null,
    })),
    expected_move: move === null || last === null ? null : moveOf(move, last, seen.isOver),
    setups: plan.setups.map((setup) => ({
      strategy: setup.strategy,
      name: setup.name,
      direction: setup.direction,
      trigger: setup.trigger,
      stop: setup.stop,
      target: setup.target,
      ...setupOf(setup, price, seen),
    })),
    missing: seen.bars === null ? [{ field: 'levels', reason: say('review.no_minutes') }] : [],
  };
}

type LevelSeen = Pick<
  ReviewStock['levels'][number],
  'state' | 'touched_at' | 'decided_at' | 'holds' | 'reach_atr'
>;

/** By the definition of the ladder (`analysis/level-state.ts`), of a level that holds still. */
function levelOf(price: number, atr: number | null, { open, bars, isOver }: SeenSession): LevelSeen {
  if (bars === null || atr === null || !(atr > 0))
    return { state: null, touched_at: null, decided_at: null, holds: null, reach_atr: null };
  const rows = bars.minute.length;
  const track = newTrack();
  trackBars(track, { bars, atr, gapMinutes: GAP_MINUTES }, price, { from: 0, to: rows }, 0);
  const { state, touched, decided, holds } = outcomeOf(track, bars, isOver ? rows - 1 : -1);
  const from = state === 'broken' ? decided : touched;
  const endOf = (row: number): string | null => (row < 0 ? null : endText(open, bars.minute[row]!));
  return {
    state,
    touched_at: endOf(touched),
    decided_at: endOf(decided),
    holds,
    reach_atr:
      state === 'untouched' || track.from === 0
        ? null
        : reach(bars, from, price, state === 'broken' ? -track.from : track.from) / atr,
  };
}

const endText = (open: number, minute: number): string => instantText(open + (minute + 1) * MINUTE_MS);

/** How far price went from a level to one side of it, from a row on, dollars. */
function reach({ high, low }: Pick<SessionBars, 'high' | 'low'>, row: number, price: number, side: number) {
  let farthest = 0;
  for (let at = row; at < high.length; at++)
    farthest = Math.max(farthest, side > 0 ? high[at]! - price : price - low[at]!);
  return farthest;
}

function moveOf(
  { low, high, move, move_pct, from }: NonNullable<PlanStock['expected_move']>,
  last: number,
  isOver: boolean,
): ReviewStock['expected_move'] {
  const position = (last - from) / move;
  return { low, high, move, move_pct, position, kept: isOver ? Math.abs(position) <= 1 : null };
}

type SetupSeen = Pick<ReviewStock['setups'][number], 'outcome' | 'triggered_at' | 'decided_at' | 'r'>;

const NOT_TRIGGERED: SetupSeen = { outcome: 'not_triggered', triggered_at: null, decided_at: null, r: null };

/**
 * A setup by the minutes of the session: entered at its trigger, or at the open of a bar that jumped over it; stopped where a
 * bar reaches stop and target, and in the bar of the entry by its stop alone. Without costs.
 */
function setupOf(
  { direction, trigger, stop, target }: PlanStock['setups'][number],
  price: number | null,
  { open, bars, isOver }: SeenSession,
): SetupSeen {
  if (direction === 'neutral' || trigger === null || stop === null || target === null)
    return { ...NOT_TRIGGERED, outcome: 'no_prices' };
  if (bars === null || price === null) return { ...NOT_TRIGGERED, outcome: null };
  const side = direction === 'bullish' ? 1 : -1;
  const entered = entryRow(bars, trigger, price);
  if (entered < 0) return NOT_TRIGGERED;
  const isWithin = bars.low[entered]! <= trigger && trigger <= bars.high[entered]!;
  const entry = isWithin ? trigger : bars.open[entered]!;
  const risk = (entry - stop) * side;
  // Where the session opened beyond stop or target there was nothing to enter.
  if (!(risk > 0) || !((target - entry) * side > 0)) return NOT_TRIGGERED;
  const triggered_at = endText(open, bars.minute[entered]!);
  const decided = (row: number, outcome: 'stopped' | 'target', at: number): SetupSeen => ({
    outcome,
    triggered_at,
    decided_at: endText(open, bars.minute[row]!),
    r: ((at - entry) * side) / risk,
  });
  for (let row = entered; row < bars.minute.length; row++) {
    const [worst, best] = side > 0 ? [bars.low[row]!, bars.high[row]!] : [bars.high[row]!, bars.low[row]!];
    if (side > 0 ? isDownTo(worst, stop) : isUpTo(worst, stop)) return decided(row, 'stopped', stop);
    const isReached = side > 0 ? isUpTo(best, target) : isDownTo(best, target);
    if (row > entered && isReached) return decided(row, 'target', target);
  }
  const r = ((bars.close.at(-1)! - entry) * side) / risk;
  return { outcome: isOver ? 'closed' : 'open', triggered_at, decided_at: null, r };
}

/** The first bar that comes to the trigger from where price was; -1 for none. */
function entryRow({ high, low }: Pick<SessionBars, 'high' | 'low'>, trigger: number, price: number): number {
  return trigger >= price
    ? high.findIndex((top) => isUpTo(top, trigger))
    : low.findIndex((bottom) => isDownTo(bottom, trigger));
}
