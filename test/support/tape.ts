import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { type Columns, columnsOf, isIntraday, type SeriesKind, tradeDay } from '../../src/market/series.ts';
import type { Tape } from '../../src/tape/index.ts';
import { SegmentReader } from '../../src/tape/segment-reader.ts';
import type { Slice, SymbolTape } from '../../src/tape/symbol-tape.ts';
import { segmentImage as imageInSteps } from '../../src/tape/write-segment.ts';

/** A folder that goes away with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tigraph-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The directory of the segment files of a tape that has one. */
export function directoryOf({ location }: Pick<Tape, 'location'>): string {
  if (location.kind !== 'directory') throw new Error('the tape lies in a bucket');
  return location.directory;
}

/** Bars as rows of [time, open, high, low, close, volume]. */
export type BarRow = readonly [number, number, number, number, number, number];

export function barsOf(kind: SeriesKind, rows: readonly BarRow[]): Columns {
  return columnsOf(kind, (_, index) => Float64Array.from(rows, (row) => row[index]!));
}

/** A segment in one go. */
export function segmentImage(...segment: Parameters<typeof imageInSteps>) {
  const steps = imageInSteps(...segment);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A tape of one symbol without a database: each part becomes a segment, later parts are the newer version. */
export function handMadeTape(
  symbol: string,
  parts: readonly { readonly kind: SeriesKind; readonly columns: Columns; readonly feed?: string }[],
  facts: Partial<Pick<SymbolTape, 'actions' | 'facts' | 'running' | 'chains'>> = {},
): { tape: SymbolTape; reader: SegmentReader } {
  const directory = temporaryDirectory();
  const slices = parts.map(({ kind, columns, feed = 'test' }, index): Slice => {
    const file = `part-${index}.arrow`;
    const { image, placements } = segmentImage(kind, [{ symbol, columns }]);
    writeFileSync(join(directory, file), image);
    const days: number[] = [];
    const starts: number[] = [];
    for (const [row, time] of columns.time.entries()) {
      if (!isIntraday(kind) || tradeDay(kind, time) === days.at(-1)) continue;
      days.push(tradeDay(kind, time));
      starts.push(row);
    }
    return {
      kind,
      segmentId: index + 1,
      file,
      feed,
      simulated: false,
      bodyOffset: placements[0]!.bodyOffset,
      checksum: placements[0]!.checksum,
      rows: columns.time.length,
      firstDay: tradeDay(kind, columns.time[0]!),
      lastDay: tradeDay(kind, columns.time.at(-1)!),
      days,
      starts,
    };
  });
  const reader = new SegmentReader({ kind: 'directory', directory });
  onTestFinished(() => reader.close());
  return { tape: { symbol, slices, running: [], actions: [], facts: [], chains: [], ...facts }, reader };
}

/** The instant of a New York wall-clock time on a session, e.g. `at('2013-10-10', '09:30')`. */
export function at(tradeDate: string, clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return newYorkCalendar().session(tradeDate)!.midnight + hours! * 3_600_000 + minutes! * 60_000;
}
