import type { Calendar } from '../../base/calendar.ts';
import { dateOf, midnightUtc } from '../../base/dates.ts';
import { actionFault } from '../../market/admit.ts';
import type { CorporateAction } from '../../market/observations.ts';
import { announcedSplit } from '../fields.ts';

const NO_ACTIONS: readonly CorporateAction[] = [];

/** What a row writes of a split (new shares for an old one) and of a dividend (dollars a share); 0 where it has none. */
export interface WrittenActions {
  readonly split: number;
  readonly dividend: number;
}

/**
 * The actions of a row, whatever becomes of its prices. They count from the session on or after its day: nothing trades on
 * a holiday.
 *
 * @param day midnight UTC
 * @param refused called where a number is none that a company can have announced
 */
export function actionsOn(
  day: number,
  { split, dividend }: WrittenActions,
  calendar: Calendar,
  refused: () => void = () => {},
): readonly CorporateAction[] {
  // Vendors write 1 or 0 on days without a split.
  const splits = split !== 0 && split !== 1;
  if (!splits && dividend === 0) return NO_ACTIONS;
  const exDate = sessionFrom(day, calendar);
  const written: CorporateAction[] = [];
  if (dividend !== 0) written.push({ kind: 'dividend', exDate, value: dividend });
  if (splits) written.push({ kind: 'split', exDate, value: announcedSplit(split) });
  const actions = written.filter((action) => actionFault(action) === null);
  if (actions.length < written.length) refused();
  return actions;
}

/** The session on or after a day; NaN where the calendar knows none. */
function sessionFrom(day: number, { isSession, nextSession }: Calendar): number {
  if (Number.isNaN(day)) return Number.NaN;
  const date = dateOf(day);
  return isSession(date) ? day : midnightUtc(nextSession(date) ?? '');
}
