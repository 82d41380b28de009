import type { Calendar } from '../../base/calendar.ts';

/** The newest session up to a date that had closed at an instant; null without one. */
export function newestClosed(calendar: Calendar, until: string, instant: number): string | null {
  let date: string | null = calendar.isSession(until) ? until : calendar.previousSession(until);
  while (date !== null && calendar.session(date)!.close > instant) date = calendar.previousSession(date);
  return date;
}
