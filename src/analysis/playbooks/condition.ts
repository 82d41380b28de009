import { type Condition, type ConditionVerdict, inputsOf, named, verdict } from '../conditions.ts';
import { PLAYBOOK_INPUTS, type PlaybookInput, type PlaybookInputs } from './inputs.ts';
import { PLAYBOOK_THRESHOLDS as LIMITS } from './thresholds.ts';

export interface PlaybookCondition {
  readonly name: string;
  readonly when: Condition<PlaybookInput>;
  /** A sentence for people, with its figures. */
  readonly meaning: string;
  /** Everything that `when` reads, each once, in the order of `PLAYBOOK_INPUTS`. */
  readonly inputs: readonly PlaybookInput[];
}

/** A condition as it is written in a playbook, under its name. */
type Written = Pick<PlaybookCondition, 'when' | 'meaning'>;

export const conditionsOf = (written: Readonly<Record<string, Written>>): readonly PlaybookCondition[] =>
  named(written).map(withInputs);

export function withInputs(condition: Omit<PlaybookCondition, 'inputs'>): PlaybookCondition {
  const read = new Set(inputsOf(condition.when));
  return { ...condition, inputs: PLAYBOOK_INPUTS.filter((input) => read.has(input)) };
}

export const verdictOf = ({ when }: PlaybookCondition, inputs: PlaybookInputs): ConditionVerdict =>
  verdict(when, (input) => inputs[input]);

/** Conditions of several playbooks. */
export const SHARED = {
  vwap_behind: { when: ['vwap_atr', '>', 0], meaning: 'Price is [above|below] VWAP.' },
  volume_brisk: {
    when: ['volume_pace', '>=', LIMITS.brisk_pace],
    meaning: `Volume since the open is at least ${LIMITS.brisk_pace} times that of the session before by the same time.`,
  },
  opening_range_agrees: {
    when: ['orb_lean', '>', 0],
    meaning: 'The opening ranges of 5, 15 and 30 minutes speak for [longs|shorts].',
  },
  trend_day: {
    when: ['trend_score', '>=', LIMITS.trend_day],
    meaning: `The trend score of the day is at least ${LIMITS.trend_day} to the [up|down]side.`,
  },
  day_leans_along: {
    when: ['trend_score', '>', 0],
    meaning: 'The trend score of the day is [above|below] 0.',
  },
  no_results_near: {
    when: ['days_to_earnings', '>', LIMITS.event_clear_days],
    meaning: `The next results are more than ${LIMITS.event_clear_days} days away.`,
  },
} as const satisfies Readonly<Record<string, Written>>;
