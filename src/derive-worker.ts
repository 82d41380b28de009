import { hash } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import {
  type Calendar,
  createCalendar,
  DAY_MS,
  dateOf,
  midnightUtc,
  newYorkCalendar,
  readCalendarData,
} from './base/calendar.ts';
import { isCoded } from './base/errors.ts';
import { deriveStock } from './blocks/compose.ts';
import type { DayOutcome, DeriveJob } from './blocks/deriver.ts';
import { readStockView, SegmentReader } from './market/tape/index.ts';
import { neighbouringDays } from './market/tape/read-view.ts';

/** What each derivation thread is started with. */
export interface DeriveWorkerData {
  readonly tapeDirectory: string;
  readonly calendarPath: string | null;
}

const { tapeDirectory, calendarPath } = workerData as DeriveWorkerData;
const calendar: Calendar =
  calendarPath === null ? newYorkCalendar() : createCalendar(readCalendarData(calendarPath));
const reader = new SegmentReader(tapeDirectory);

/** A batch of work, and the flag by which its caller calls it off. */
export interface DeriveTask {
  readonly jobs: readonly DeriveJob[];
  /** Shared memory: not 0 once nobody waits for the outcome any more. */
  readonly calledOff: Int32Array;
}

/** Composition root of a derivation thread: tape in, wire JSON out, one outcome for each day asked for. */
export default function derive({ jobs, calledOff }: DeriveTask): DayOutcome[] {
  const outcomes: DayOutcome[] = [];
  for (const job of jobs) {
    for (const day of job.days) {
      if (Atomics.load(calledOff, 0) !== 0) return outcomes;
      outcomes.push(deriveDay(job, day.tradeDate, day.asOf));
    }
  }
  return outcomes;
}

function deriveDay({ tape }: DeriveJob, tradeDate: string, asOf: number): DayOutcome {
  const { symbol } = tape;
  try {
    const view = readStockView(reader, tape, calendar, tradeDate, asOf);
    if (view === null) return { kind: 'missing', symbol, tradeDate, ...neighbours({ tape, tradeDate }) };
    const { core, includes, relations } = deriveStock(view, { tradeDate, asOf });
    const facts = { core, ...includes };
    const digest = hash('sha1', `${Object.values(facts).join('\n')}\n${JSON.stringify(relations)}`);
    return { kind: 'derived', symbol, tradeDate, asOf, digest, facts, relations };
  } catch (error) {
    const code = isCoded(error) ? error.code : 'internal';
    const message =
      code === 'internal' && error instanceof Error
        ? (error.stack ?? error.message)
        : (error as Error).message;
    return { kind: 'failed', symbol, tradeDate, code, message };
  }
}

function neighbours({ tape, tradeDate }: { tape: DeriveJob['tape']; tradeDate: string }) {
  const { before, after } = neighbouringDays(reader, tape, midnightUtc(tradeDate) / DAY_MS);
  const dateOrNull = (day: number | null): string | null => (day === null ? null : dateOf(day * DAY_MS));
  return { before: dateOrNull(before), after: dateOrNull(after) };
}
