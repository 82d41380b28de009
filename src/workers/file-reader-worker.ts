import { parentPort, workerData } from 'node:worker_threads';
import { openCalendar } from '../base/calendar.ts';
import { stopwatch } from '../base/timers.ts';
import { type AnyFiles, anyFiles } from '../files/any-file.ts';
import type { FileReading } from '../files/bars/csv.ts';
import type { Delivery, SourceUnit } from '../market/feed.ts';
import type { Known } from '../market/known-bars.ts';
import type { Asked, FileReaderData, ShownReading, ToReader } from './file-reader.ts';
import { lowerPriority } from './thread.ts';

/** Reads files beside the event loop: what is asked of it is answered in the order of the questions. */

/** Deliveries are sent together as long as they come within this time. */
const TOGETHER_MS = 20;

const port = parentPort!;
const { paths, choices, now, calendarPath } = workerData as FileReaderData;
const calendar = openCalendar(calendarPath);
const awaited = new Map<number, PromiseWithResolvers<Known>>();
let asked = 0;

/** The tape is read by the thread that started this one. */
function known(...range: readonly [string, string, number, number]): Promise<Known> {
  const answer = Promise.withResolvers<Known>();
  awaited.set(++asked, answer);
  port.postMessage({ kind: 'known', id: asked, range });
  return answer.promise;
}

let files: Promise<AnyFiles> | undefined;
let units: readonly (readonly SourceUnit[])[] = [];
let reading: { readonly unit: SourceUnit; readonly rows: AsyncIterator<Delivery> } | null = null;

const answers: {
  readonly [Question in Asked['what']]: (asked: Extract<Asked, { what: Question }>) => unknown;
} = {
  async readings() {
    const { readings } = await opened();
    for await (const one of readings()) port.postMessage({ kind: 'reading', reading: shown(one) });
  },
  async feeds() {
    const { feeds } = await opened();
    units = await Promise.all(feeds.map((feed) => feed.units()));
    return feeds.map(({ name, simulated }, at) => ({
      name,
      simulated,
      units: units[at]!.map(({ key, weight }) => ({ key, weight })),
    }));
  },
  fingerprint: ({ feed, unit }) => units[feed]![unit]!.fingerprint(),
  async rows({ feed, unit, isFirst }) {
    const of = units[feed]![unit]!;
    if (isFirst) reading = { unit: of, rows: of.read()[Symbol.asyncIterator]() };
    const { rows } = reading!;
    const deliveries: Delivery[] = [];
    const until = stopwatch() + TOGETHER_MS;
    let isDone = false;
    while (!isDone && (deliveries.length === 0 || stopwatch() < until)) {
      const next = await rows.next();
      if (next.done) isDone = true;
      else deliveries.push(next.value);
    }
    return { deliveries, isDone, weightRead: of.weightRead?.() ?? 0 };
  },
};

function opened(): Promise<AnyFiles> {
  files ??= anyFiles(paths, { ...choices, calendar, now, known });
  return files;
}

/** Without what only the reader of the rows needs. */
function shown({ where, read, first = [] }: FileReading): ShownReading {
  if ('reason' in read) return { where, read: { reason: read.reason, example: read.example } };
  return {
    where,
    first,
    read:
      'reading' in read
        ? { what: 'bars', parts: { ...read.reading } }
        : { what: read.what, parts: read.parts },
  };
}

lowerPriority('behind_answers');
port.on('message', (message: ToReader) => {
  if (message.kind === 'known') {
    const waiting = awaited.get(message.id)!;
    awaited.delete(message.id);
    if ('error' in message) waiting.reject(message.error);
    else waiting.resolve(message.known);
    return;
  }
  const { id, asked: question } = message;
  Promise.resolve((answers[question.what] as (asked: Asked) => unknown)(question)).then(
    (answer) => port.postMessage({ kind: 'answer', id, answer }),
    (error: unknown) => port.postMessage({ kind: 'failed', id, error }),
  );
});
