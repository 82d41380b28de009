import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAULT_POINTS } from '../../../src/base/fault-points.ts';
import { loadConfig } from '../../../src/config.ts';
import { words } from '../../support/tables.ts';

const SOURCE = resolve(import.meta.dirname, '../../../src');
const NAMES = Object.keys(FAULT_POINTS);

/** Names in the calls of `at`, one for each call. */
const called = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'base/fault-points.ts')
  .flatMap((file) => Array.from(readFileSync(resolve(SOURCE, file), 'utf8').matchAll(/\bat\('([^']+)'\)/g)))
  .map(([, name]) => name!);

describe('the list of fault points', () => {
  it('is that of the calls in src', () => expect([...new Set(called)].sort()).toEqual(NAMES.toSorted()));

  it('names what has been done, in a sentence each', () => {
    expect(NAMES.filter((name) => !/^[a-z-]+\.[a-z-]+$/.test(name))).toEqual([]);
    expect(Object.values(FAULT_POINTS).filter((says) => !/^[A-Z].*\.$/.test(says))).toEqual([]);
  });
});

describe('TIGRAPH_FAULT', () => {
  it.each(['segment.stored:1', 'segment.stored:10', 'trace:/tmp/passed'])('may be %s', (fault) => {
    expect(loadConfig({ TIGRAPH_FAULT: fault }).fault).toBe(fault);
  });

  it.each(
    words`
    segment.lost:1 segment.stored segment.stored:0 segment.stored:x segment.stored:1,segment.stored:2
    segmentxstored:1 trace:`,
  )('cannot be %j, which is refused in a sentence', (fault) => {
    const refused = () => loadConfig({ TIGRAPH_FAULT: fault });
    expect(refused).toThrow(/^TIGRAPH_FAULT cannot be .*: it must be a point of docs\/reliability\.md/);
  });
});
