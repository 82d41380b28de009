import { NOISE_ATR } from '../level-ladder.ts';
import { type PlaybookCondition, verdictOf } from './condition.ts';
import type { PlaybookInputs } from './inputs.ts';
import { PLAYBOOKS } from './library.ts';
import { areOpposed, type Playbook, priceOf } from './playbook.ts';

export interface PlaybookMatch {
  readonly playbook: Playbook;
  /** Share of the conditions met, 0 to 100. */
  readonly score: number;
  readonly met: readonly PlaybookCondition[];
  /** Those that do not hold, and those that cannot be known. */
  readonly missed: readonly PlaybookCondition[];
  /** Dollars; NaN where one cannot be named. */
  readonly trigger: number;
  readonly stop: number;
  readonly target: number;
  /** R: from the trigger to the target over from the trigger to the stop; NaN where one of them cannot be named. */
  readonly rewardRisk: number;
  /** Those that are offered too and would trade the other way. */
  readonly opposedBy: readonly string[];
}

/** A playbook is named from this share of its conditions on, percent. */
export const MATCH_FROM = 60;
/** A setup is offered from this R on: below it a trade wins less than it risks. */
export const REWARD_RISK_FROM = 1;

/**
 * Playbooks that can be traded, from the trigger and from where the price is now, and whose first condition holds with 60 % of
 * all; best first, then as listed.
 */
export function matchPlaybooks(inputs: PlaybookInputs): PlaybookMatch[] {
  const found = PLAYBOOKS.flatMap((playbook) => offeredMatch(playbook, inputs) ?? [])
    .filter((match) => !(rewardRiskAt(match, inputs.price) < REWARD_RISK_FROM))
    .sort((one, other) => other.score - one.score);
  return found.map((match) => {
    const against = found.filter(({ playbook }) => areOpposed(match.playbook, playbook));
    return { ...match, opposedBy: against.map(({ playbook }) => playbook.strategy) };
  });
}

/** R of an entry at a price with the same stop and target; NaN where the price is not between them, or one is not named. */
export function rewardRiskAt(
  { stop, target }: Pick<PlaybookMatch, 'stop' | 'target'>,
  price: number,
): number {
  const isBetween = (price - stop) * (target - price) > 0;
  return isBetween ? (target - price) / (price - stop) : Number.NaN;
}

/** The match of one playbook from its trigger, wherever the price has gone since; null where it cannot be traded so. Prices are looked at first, since they are cheap to ask for. */
export function offeredMatch(playbook: Playbook, inputs: PlaybookInputs): PlaybookMatch | null {
  if (!isTradable({ playbook, ...pricesOf(playbook, inputs) }, inputs)) return null;
  return isNamed(playbook, inputs) ? matchOf(playbook, inputs) : null;
}

/** Whether its first condition holds, and enough of all. */
function isNamed({ conditions }: Playbook, inputs: PlaybookInputs): boolean {
  let missed = 0;
  for (const [place, condition] of conditions.entries()) {
    if (verdictOf(condition, inputs) === 'met') continue;
    missed++;
    if (place === 0 || scoreOf(conditions.length - missed, conditions) < MATCH_FROM) return false;
  }
  return true;
}

/** Share of the conditions met, 0 to 100. */
const scoreOf = (met: number, conditions: readonly PlaybookCondition[]): number =>
  (met / conditions.length) * 100;

/**
 * Whether a trade can be made of a match: it wins at least what it risks, its stop is beyond the noise, and the price is
 * between stop and target. Of a playbook whose side is still open no price is asked.
 */
export function isTradable(
  {
    playbook,
    trigger,
    stop,
    target,
    rewardRisk,
  }: Pick<PlaybookMatch, 'playbook' | 'trigger' | 'stop' | 'target' | 'rewardRisk'>,
  { price, atr }: Pick<PlaybookInputs, 'price' | 'atr'>,
): boolean {
  if (playbook.direction === 'neutral') return true;
  const side = playbook.direction === 'bearish' ? -1 : 1;
  const isInOrder = (one: number, other: number): boolean => one * side < other * side;
  // With the stop before the trigger and an R above 0 the target is beyond it.
  return (
    rewardRisk >= REWARD_RISK_FROM &&
    isInOrder(stop, trigger) &&
    side * (trigger - stop) >= NOISE_ATR * atr &&
    isInOrder(stop, price) &&
    isInOrder(price, target)
  );
}

/** How one playbook fits, whether or not it would be named or can be traded. */
export function matchOf(playbook: Playbook, inputs: PlaybookInputs): PlaybookMatch {
  const met = playbook.conditions.filter((each) => verdictOf(each, inputs) === 'met');
  return {
    playbook,
    score: scoreOf(met.length, playbook.conditions),
    met,
    missed: playbook.conditions.filter((each) => !met.includes(each)),
    ...pricesOf(playbook, inputs),
    opposedBy: [],
  };
}

function pricesOf({ prices }: Playbook, inputs: PlaybookInputs) {
  const [trigger, stop, target] = [
    priceOf(prices.trigger, inputs),
    priceOf(prices.stop, inputs),
    priceOf(prices.target, inputs),
  ];
  return { trigger, stop, target, rewardRisk: (target - trigger) / (trigger - stop) };
}
