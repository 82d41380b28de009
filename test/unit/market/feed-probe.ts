import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import type { Delivery, Feed } from '../../../src/market/feed.ts';
import type { Refused } from '../../../src/market/refusals.ts';
import { zipOf } from './zip-of.ts';

/** A separate folder for a test file, removed at the end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-feed-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Writes files into a new folder. Texts are packed where the path ends in `.gz` or `.zip`; what is named within a `.zip` is an
 * entry of it.
 */
export function written(root: string, files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = mkdtempSync(join(root, 'files-'));
  const archives = Map.groupBy(Object.entries(files), ([name]) => /^.*\.zip(?=\/)/.exec(name)?.[0] ?? name);
  const paths = Array.from(archives, ([name, entries]) => {
    const path = join(folder, name);
    const [first, content] = entries[0]!;
    const isText = typeof content === 'string';
    mkdirSync(dirname(path), { recursive: true });
    if (first !== name || (isText && name.endsWith('.zip')))
      writeFileSync(
        path,
        zipOf(entries.map(([entry, data]) => ({ name: entry.slice(name.length + 1) || 'rows.csv', data }))),
      );
    else writeFileSync(path, isText && name.endsWith('.gz') ? gzipSync(content) : content);
    return path;
  });
  return { folder, paths };
}

/** Writes one file into a new folder; its path. */
export const fileIn = (root: string, name: string, content: string | Uint8Array): string =>
  written(root, { [name]: content }).paths[0]!;

export async function deliveriesOf(feed: Feed, key?: RegExp): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const unit of await feed.units()) {
    if (key !== undefined && !key.test(unit.key)) continue;
    for await (const delivery of unit.read()) deliveries.push(delivery);
  }
  return deliveries;
}

export function barsIn(deliveries: readonly Delivery[], symbol?: string) {
  return deliveries
    .filter((delivery) => delivery.kind === 'bars')
    .filter((delivery) => symbol === undefined || delivery.symbol === symbol);
}

/** Rows of every kind by what they are of, e.g. `bars 1d SPY`. */
export function rowsBySeries(deliveries: readonly Delivery[]): Record<string, number> {
  const rows: Record<string, number> = {};
  for (const delivery of deliveries) {
    if (!('columns' in delivery)) continue;
    const interval = 'interval' in delivery ? `${delivery.interval} ` : '';
    const series = `${delivery.kind} ${interval}${delivery.symbol}`;
    rows[series] = (rows[series] ?? 0) + delivery.columns.time.length;
  }
  return rows;
}

export function refusalsIn(deliveries: readonly Delivery[]): Refused[] {
  return deliveries.filter((delivery) => delivery.kind === 'refused');
}

/** Refused rows by reason. */
export function refusedByReason(deliveries: readonly Delivery[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason, count } of refusalsIn(deliveries)) counts[reason] = (counts[reason] ?? 0) + count;
  return counts;
}
