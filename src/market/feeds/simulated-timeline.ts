import { type Calendar, DAY_MS, midnightUtc, type Session } from '../../base/calendar.ts';

/** The first session of every simulated market: paths begin here, so that a later end only adds to them. */
export const EPOCH = '2018-01-02';

/** The sessions of the model as columns, from the epoch to the end. */
export interface Timeline {
  readonly sessions: readonly Session[];
  /** Days since 1970-01-01. */
  readonly day: Int32Array;
  /** Place of the session in its calendar quarter, from 0: companies report, pay and split by it. */
  readonly sessionOfQuarter: Int32Array;
  /** 1 on half days. */
  readonly earlyClose: Uint8Array;
  /** 1 on the third Friday of a quarter's last month, when index options, futures and baskets roll. */
  readonly quadWitching: Uint8Array;
}

/** The sessions of the exchange from the epoch up to and including the end. */
export function timelineOf(calendar: Calendar, end: string): Timeline {
  const dates = calendar.sessionsBetween(EPOCH, end);
  const timeline: Timeline = {
    sessions: dates.map((date) => calendar.session(date)!),
    day: new Int32Array(dates.length),
    sessionOfQuarter: new Int32Array(dates.length),
    earlyClose: new Uint8Array(dates.length),
    quadWitching: new Uint8Array(dates.length),
  };
  let quarter = '';
  for (const [index, date] of dates.entries()) {
    const month = Number(date.slice(5, 7));
    const dayOfMonth = Number(date.slice(8, 10));
    const day = midnightUtc(date) / DAY_MS;
    const ownQuarter = `${date.slice(0, 4)}-${Math.ceil(month / 3)}`;
    timeline.day[index] = day;
    timeline.sessionOfQuarter[index] = ownQuarter === quarter ? timeline.sessionOfQuarter[index - 1]! + 1 : 0;
    timeline.earlyClose[index] = timeline.sessions[index]!.earlyClose ? 1 : 0;
    // 1970-01-01 was a Thursday, so that a Friday leaves 1.
    timeline.quadWitching[index] =
      month % 3 === 0 && day % 7 === 1 && dayOfMonth > 14 && dayOfMonth < 22 ? 1 : 0;
    quarter = ownQuarter;
  }
  return timeline;
}
