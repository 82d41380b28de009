import { type Condition, inputsOf, type Verdict, verdict } from '../conditions.ts';
import { PLAYBOOK_INPUTS, type PlaybookInput, type PlaybookInputs } from './inputs.ts';
import { PLAYBOOK_LINES as LINES } from './lines.ts';

export interface PlaybookCondition {
  readonly name: string;
  readonly when: Condition<PlaybookInput>;
  /** A sentence for people, with its figures. */
  readonly meaning: string;
  /** Everything that `when` reads, each once, in the order of `PLAYBOOK_INPUTS`. */
  readonly inputs: readonly PlaybookInput[];
}

export function condition(name: string, when: Condition<PlaybookInput>, meaning: string): PlaybookCondition {
  const read = new Set(inputsOf(when));
  return { name, when, meaning, inputs: PLAYBOOK_INPUTS.filter((input) => read.has(input)) };
}

export const verdictOf = ({ when }: PlaybookCondition, inputs: PlaybookInputs): Verdict =>
  verdict(when, (input) => inputs[input]);

// Conditions of several playbooks.

export const VWAP_BEHIND = condition('vwap_behind', ['vwap_atr', '>', 0], 'Price is [above|below] VWAP.');
export const VOLUME_BRISK = condition(
  'volume_brisk',
  ['volume_pace', '>=', LINES.brisk_pace],
  `Volume since the open is at least ${LINES.brisk_pace} times that of the session before by the same time.`,
);
export const OPENING_RANGE_AGREES = condition(
  'opening_range_agrees',
  ['orb_lean', '>', 0],
  'The opening ranges of 5, 15 and 30 minutes speak for [longs|shorts].',
);
export const TREND_DAY = condition(
  'trend_day',
  ['trend_score', '>=', LINES.trend_day],
  `The trend score of the day is at least ${LINES.trend_day} to the [up|down]side.`,
);
export const DAY_LEANS_ALONG = condition(
  'day_leans_along',
  ['trend_score', '>', 0],
  'The trend score of the day is [above|below] 0.',
);
export const NO_RESULTS_NEAR = condition(
  'no_results_near',
  ['days_to_earnings', '>', LINES.event_clear_days],
  `The next results are more than ${LINES.event_clear_days} days away.`,
);
