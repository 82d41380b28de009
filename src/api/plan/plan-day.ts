import { type Calendar, DAY_MS, dayOf, requireSession, type Session } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import type { PlanDay } from './stock-answer.ts';

/** The instant of a past plan, unless another is asked for: prints of the morning are there, and time to act. */
const BEFORE_OPEN_MS = 5 * MINUTE_MS;

/** The session of a plan, the one before, and the instant that it is of; null for the newest of the caller. */
export interface PlanSession {
  readonly session: Session;
  readonly previous: Session;
  readonly at: number | null;
}

/**
 * The session that a plan is of, and its instant.
 *
 * @param visible the newest instant of the caller, or the one asked for, epoch milliseconds
 * @param isAsked whether the instant was asked for
 * @throws CodedError no_session; no_data_for_date for an instant that no plan of the date has
 */
export function planSession(
  calendar: Calendar,
  date: string | undefined,
  visible: number,
  isAsked: boolean,
): PlanSession {
  const session = date === undefined ? coming(calendar, visible) : requireSession(calendar, date);
  const { tradeDate } = session;
  const previous = calendar.session(calendar.previousSession(tradeDate) ?? '');
  if (previous === null) throw new CodedError('no_data_for_date', `No session is known before ${tradeDate}`);
  if (visible < previous.close)
    throw new CodedError(
      'no_data_for_date',
      `The plan of ${tradeDate} is made from the close of ${previous.tradeDate} on; ask for an earlier date`,
    );
  if (isAsked && visible >= session.close)
    throw new CodedError(
      'no_data_for_date',
      `The session of ${tradeDate} was over at that minute; GET /api/graph/v1/review says what became of its plan`,
    );
  const morning = session.open - BEFORE_OPEN_MS;
  const at = isAsked ? visible : date !== undefined && morning < visible ? morning : null;
  return { session, previous, at };
}

/** The session that runs at an instant, else the next one. */
function coming(calendar: Calendar, instant: number): Session {
  const today = calendar.tradeDateOf(instant);
  const running = calendar.session(today);
  if (running !== null && instant < running.close) return running;
  return calendar.session(calendar.nextSession(today) ?? '') ?? requireSession(calendar, today);
}

/** A session with which of its levels are of another week or month. */
export const planDay = ({ session, previous }: PlanSession, all: boolean): PlanDay => ({
  date: session.tradeDate,
  previous: previous.tradeDate,
  isNewWeek: weekOf(session) !== weekOf(previous),
  isNewMonth: session.tradeDate.slice(0, 7) !== previous.tradeDate.slice(0, 7),
  previousClose: previous.close,
  all,
});

/** Weeks begin on Monday, and 1970 on a Thursday. */
const weekOf = ({ tradeDate }: Session): number => Math.floor((dayOf(tradeDate) + 3) / 7);

/** `13:00`, the close of a session in New York. */
export function closesAt({ midnight, close }: Session): string {
  const minutes = Math.round(((close - midnight) % DAY_MS) / MINUTE_MS);
  return `${Math.floor(minutes / 60)}:${`${minutes % 60}`.padStart(2, '0')}`;
}
