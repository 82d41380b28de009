import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { lineReader } from './lines.ts';
import type { RefusalTally } from './refusal-tally.ts';

/** Rows after which a series is handed out; deliveries hold at most about 50,000. */
export const DELIVERY_ROWS = 40_000;

/**
 * Fingerprint of a source unit: SHA-256 over the file's bytes and over how it is read (the reader's version and every
 * setting that changes a row).
 */
export async function fileFingerprint(path: string, reading: unknown): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.update(`\n${JSON.stringify(reading)}`).digest('hex');
}

/** Takes a row and answers null, or leaves it and answers why; see `lines.ts` for its bytes. */
export type TakeRow = (bytes: Uint8Array, start: number, end: number, line: number) => RefusalReason | null;

/**
 * Leads every line of a file through `take`, counts what it refuses, and hands out what is due after each chunk and all
 * the rest (`finished`) at the end: memory never grows with the file.
 */
export async function* deliverLines(
  file: TextFile,
  tally: RefusalTally,
  take: TakeRow,
  due: (finished: boolean) => Iterable<Delivery>,
): AsyncGenerator<Delivery> {
  const { where } = file;
  const lines = lineReader(
    (bytes, start, end, line) => {
      const reason = take(bytes, start, end, line);
      if (reason !== null) tally.row(reason, where, line, bytes, start, end);
    },
    (line, beginning) => tally.note('too_large', `${where}:${line}`, beginning),
  );
  for await (const chunk of file.chunks()) {
    lines.push(chunk);
    yield* due(false);
  }
  lines.end();
  yield* due(true);
}
