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
  /** Playbooks of its family that fit too and would trade the other way. */
  readonly opposedBy: readonly string[];
}

/** A playbook is named from this share of its conditions on, percent. */
export const MATCH_FROM = 60;

/** Playbooks that can be traded and whose first condition holds with 60 % of all, best first, then as listed. */
export function matchPlaybooks(inputs: PlaybookInputs): PlaybookMatch[] {
  const found = PLAYBOOKS.filter(({ conditions }) => verdictOf(conditions[0]!, inputs) === 'met')
    .map((playbook) => matchOf(playbook, inputs))
    .filter((match) => match.score >= MATCH_FROM && isTradable(match, inputs.price))
    .sort((one, other) => other.score - one.score);
  return found.map((match) => {
    const against = found.filter(({ playbook }) => areOpposed(match.playbook, playbook));
    return { ...match, opposedBy: against.map(({ playbook }) => playbook.strategy) };
  });
}

/**
 * Whether a trade can be made of a match: stop, trigger and target in that order, upwards for a long and downwards for a
 * short, and the price between stop and target. What a price cannot be named for is not asked.
 */
export function isTradable({ playbook, trigger, stop, target }: PlaybookMatch, price: number): boolean {
  const side = playbook.direction === 'bearish' ? -1 : 1;
  // NaN is neither below nor above: a price that is not known disturbs no order.
  const isInOrder = (one: number, other: number): boolean => !(one * side >= other * side);
  return (
    isInOrder(stop, trigger) &&
    isInOrder(trigger, target) &&
    isInOrder(stop, target) &&
    isInOrder(stop, price) &&
    isInOrder(price, target)
  );
}

/** How one playbook fits, whether or not it would be named or can be traded. */
export function matchOf(playbook: Playbook, inputs: PlaybookInputs): PlaybookMatch {
  const met = playbook.conditions.filter((each) => verdictOf(each, inputs) === 'met');
  return {
    playbook,
    score: (met.length / playbook.conditions.length) * 100,
    met,
    missed: playbook.conditions.filter((each) => !met.includes(each)),
    trigger: priceOf(playbook.prices.trigger, inputs),
    stop: priceOf(playbook.prices.stop, inputs),
    target: priceOf(playbook.prices.target, inputs),
    opposedBy: [],
  };
}
