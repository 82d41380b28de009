import { type PlaybookCondition, verdictOf } from './condition.ts';
import type { PlaybookInputs } from './inputs.ts';
import { PLAYBOOKS } from './library.ts';
import type { Playbook } from './playbook.ts';
import { priceOf } from './prices.ts';

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
}

/** A playbook is named from this share of its conditions on, percent. */
export const MATCH_FROM = 60;

/** The playbooks whose first condition holds with at least 60 % of all, best first; of equals the order of the list. */
export function matchPlaybooks(inputs: PlaybookInputs): PlaybookMatch[] {
  return PLAYBOOKS.filter(({ conditions }) => verdictOf(conditions[0]!, inputs) === 'met')
    .map((playbook) => matchOf(playbook, inputs))
    .filter(({ score }) => score >= MATCH_FROM)
    .sort((one, other) => other.score - one.score);
}

/** How one playbook fits, whether or not it would be named. */
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
  };
}
