import { afterEach, describe, expect, it, vi } from 'vitest';
import { refusalLines, takenLine } from '../../../src/cli/import-feed.ts';
import { withProgress } from '../../../src/cli/progress.ts';
import type { RefusalSummary } from '../../../src/tape/ingest.ts';

/** What the command line says of its arguments and of its work. */

describe('the account of an import', () => {
  const summary = (reason: RefusalSummary['reason'], rows: number): RefusalSummary => ({
    reason,
    rows,
    units: 1,
    where: 'A.csv:5',
    example: 'x',
  });

  it('names the symbol that it took and by what, and of many a few with their rows', () => {
    const named = (symbols: Record<string, number>, ...namedBy: string[]): string =>
      takenLine({ taken: new Map(Object.entries(symbols)), namedBy });
    expect(named({ QBGA: 5 }, 'the name of the file')).toBe('  symbol QBGA, from the name of the file');
    expect(named({ SPY: 1_200, IBM: 3 }, '--symbol')).toBe('  2 symbols, from --symbol: IBM 3, SPY 1,200');
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`S${at + 10}`, 1]));
    expect(named(many)).toBe(
      '  12 symbols: S10 1, S11 1, S12 1, S13 1, S14 1, S15 1, S16 1, S17 1 and 4 more',
    );
  });

  it('counts refused rows, and separates repaired rows from unread ones', () => {
    const lines = refusalLines([
      summary('not_read', 40),
      summary('not_a_number', 2),
      summary('untraded', 5),
      summary('repaired', 7),
      summary('high_below_low', 1),
    ]);
    expect(lines.map((line) => line.replace(/: .*/, ':'))).toEqual([
      '  3 rows or files refused:',
      '    2 not_a_number:',
      '    1 high_below_low:',
      '  40 files not read:',
      '  5 rows without trades:',
      '  7 values repaired:',
    ]);
  });

  it('stays one line for each reason, whatever a file is called', () => {
    const lines = refusalLines([{ ...summary('bad_time', 1), where: 'A\n\u001b[2K\u202e.csv:5' }]);
    expect(lines.at(-1)).toContain('first at A\\u{a}\\u{1b}[2K\\u{202e}.csv:5: x');
  });

  it('says nothing of refusals where there was none', () => {
    expect(refusalLines([])).toEqual([]);
    expect(refusalLines([summary('repaired', 1)]).join()).not.toContain('refused');
  });
});

describe('progress without a terminal', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('keeps saying what is waited for, also without progress', async () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
    await withProgress('sync', async ({ update, waitFor }) => {
      waitFor('peers of the newest session');
      vi.advanceTimersByTime(5_000);
      update({ done: 95, total: 100, detail: '95 stock-days' });
      vi.advanceTimersByTime(10_000);
      waitFor('rows for screens');
      vi.advanceTimersByTime(5_000);
    });
    vi.advanceTimersByTime(60_000);
    expect(lines).toEqual([
      'sync: 0% peers of the newest session (5 s)',
      'sync: 95% 95 stock-days (10 s)',
      'sync: 95% 95 stock-days (15 s)',
      'sync: 95% rows for screens (20 s)',
    ]);
  });
});
