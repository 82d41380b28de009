import { parentPort, workerData } from 'node:worker_threads';
import { openCalendar } from '../base/calendar.ts';
import { anyFiles } from '../files/any-file.ts';
import type { FileReading } from '../files/bars/csv.ts';
import type { Known, KnownBars } from '../market/known-bars.ts';
import type { FileReaderData, FromReader, ShownReading, ToReader } from './file-reader.ts';
import { lowerPriority } from './thread.ts';

/** Reads beside the event loop how files are going to be read. */

const port = parentPort!;
const { paths, stated, now, calendarPath } = workerData as FileReaderData;
const calendar = openCalendar(calendarPath);
const awaited = new Map<number, PromiseWithResolvers<Known>>();
let asked = 0;

const send = (message: FromReader): void => port.postMessage(message);

/** The tape is read by the thread that started this one. */
function known(...range: Parameters<KnownBars>): Promise<Known> {
  const answer = Promise.withResolvers<Known>();
  awaited.set(++asked, answer);
  send({ kind: 'known', id: asked, range });
  return answer.promise;
}

/** Without what only the reader of the rows needs. */
function shown({ read, first = [], ...rest }: FileReading): ShownReading {
  if ('reason' in read) return { ...rest, read: { reason: read.reason, example: read.example } };
  return { ...rest, first, read: { what: read.what, parts: read.parts } };
}

lowerPriority('behind_answers');
port.on('message', (message: ToReader) => {
  const waiting = awaited.get(message.id)!;
  awaited.delete(message.id);
  if ('error' in message) waiting.reject(message.error);
  else waiting.resolve(message.known);
});
try {
  const { readings } = await anyFiles(paths, { ...stated, calendar, now, known });
  for await (const one of readings()) send({ kind: 'reading', reading: shown(one) });
  send({ kind: 'read' });
} catch (error) {
  send({ kind: 'failed', error });
}
