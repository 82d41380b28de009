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

/** Playbooks that can be traded and whose first condition holds with 60 % of all, best first, then as listed. */
export function matchPlaybooks(inputs: PlaybookInputs): PlaybookMatch[] {
  const found = PLAYBOOKS.filter(({ conditions }) => verdictOf(conditions[0]!, inputs) === 'met')
    .map((playbook) => matchOf(playbook, inputs))
    .filter((match) => match.score >= MATCH_FROM && isTradable(match, inputs))
    .sort((one, other) => other.score - one.score);
  return found.map((match) => {
    const against = found.filter(({ playbook }) => areOpposed(match.playbook, playbook));
    return { ...match, opposedBy: against.map(({ playbook }) => playbook.strategy) };
  });
}

/**
 * Whether a trade can be made of a match: it wins at least what it risks, its stop is beyond the noise, and the price is
 * between stop and target. Of a playbook whose side is still open no price is asked.
 */
export function isTradable(
  { playbook, trigger, stop, target, rewardRisk }: PlaybookMatch,
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
  const [trigger, stop, target] = [
    priceOf(playbook.prices.trigger, inputs),
    priceOf(playbook.prices.stop, inputs),
    priceOf(playbook.prices.target, inputs),
  ];
  return {
    playbook,
    score: (met.length / playbook.conditions.length) * 100,
    met,
    missed: playbook.conditions.filter((each) => !met.includes(each)),
    trigger,
    stop,
    target,
    rewardRisk: (target - trigger) / (trigger - stop),
    opposedBy: [],
  };
}
