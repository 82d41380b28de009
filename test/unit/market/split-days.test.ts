import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { dateOf, midnightUtc } from '../../../src/base/dates.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import type { CorporateAction } from '../../../src/market/observations.ts';
import { barsIn, deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';

const calendar = newYorkCalendar();
const folder = temporaryFolder();
const HEAD = 'Date,Open,High,Low,Close,Volume,Dividends,Stock Splits';
const SESSIONS = calendar.sessionsBetween('2024-04-01', '2024-06-14');

async function imported(text: string, options: Partial<CsvOptions> = {}) {
  const path = join(folder, 'QZSP.csv');
  writeFileSync(path, text);
  const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar, ...options }));
  const closes = barsIn(deliveries).flatMap(({ columns }) => [...columns.close]);
  const actions = deliveries.flatMap((it) => (it.kind === 'actions' ? it.actions : []));
  return { closes, actions, refused: refusalsIn(deliveries) };
}

const said = (actions: readonly CorporateAction[]): string[] =>
  actions.map(({ kind, exDate, value }) => `${dateOf(exDate)} ${kind} ${value}`);

interface World {
  readonly ratio: number;
  readonly moves: readonly number[];
  /** The row of the split. */
  readonly at: number;
}

/** Closes as traded, whole cents. */
const tradedOf = ({ ratio, moves, at }: World): number[] => {
  let price = 400 * Math.max(1, ratio);
  return moves.map((move, row) => {
    price *= move / (row === at ? ratio : 1);
    return Math.round(price * 100) / 100;
  });
};

/** A file whose rows have one price each; `written` is the split by its date. */
function fileOf(closes: readonly number[], written: Readonly<Record<string, string>>): string {
  const days = new Set([...SESSIONS.slice(0, closes.length), ...Object.keys(written)]);
  const rows = [...days].toSorted().map((date) => {
    const close = closes[SESSIONS.indexOf(date)];
    const price = close === undefined ? ',,,,' : `${close},${close},${close},${close},1000`;
    return `${date},${price},0.0,${written[date] ?? '0.0'}`;
  });
  return `${HEAD}\n${rows.join('\n')}\n`;
}

const worlds = fc.record({
  ratio: fc.constantFrom(1.5, 2, 3, 4, 7, 10, 20, 1 / 2, 1 / 5, 1 / 10, 1 / 25),
  moves: fc.array(fc.double({ min: 0.95, max: 1.05, noNaN: true }), { minLength: 51, maxLength: 51 }),
  at: fc.integer({ min: 5, max: 45 }),
});

describe('a split in a table', () => {
  it('gives the prices of each day, or refuses the file where it is on another day or upside down', async () => {
    const written = fc.constantFrom('on its day', 'before', 'behind', 'upside down', 'no session');
    await fc.assert(
      fc.asyncProperty(worlds, written, fc.boolean(), async (world, where, isAdjusted) => {
        const traded = tradedOf(world);
        const shares = (row: number): number => (row < world.at ? world.ratio : 1);
        const closes = isAdjusted ? traded.map((close, row) => close / shares(row)) : traded;
        const step = where === 'before' ? -1 : where === 'behind' ? 1 : 0;
        const session = SESSIONS[world.at + step]!;
        // A day without a session before it, where there is one.
        const eve = dateOf(midnightUtc(session) - 86_400_000);
        const date = where === 'no session' && !calendar.isSession(eve) ? eve : session;
        const ratio = where === 'upside down' ? 1 / world.ratio : world.ratio;
        const read = await imported(fileOf(closes, { [date]: String(ratio) }));
        const isAmbiguous = read.refused.some(({ reason }) => reason === 'ambiguous');
        const isSound = where === 'on its day' || where === 'no session';
        if (isSound) expect(isAmbiguous).toBe(false);
        // Prices that are free of the split cannot show on which of two days it lies.
        if (!isSound && !isAdjusted) expect(isAmbiguous, JSON.stringify(read.refused)).toBe(true);
        if (isAmbiguous) expect([read.closes, read.actions]).toEqual([[], []]);
        if (!isSound) return;
        for (const [row, close] of read.closes.entries()) expect(close).toBeCloseTo(traded[row]!, 6);
        expect(read.closes).toHaveLength(traded.length);
        expect(read.actions).toMatchObject([{ exDate: midnightUtc(SESSIONS[world.at]!) }]);
        expect(read.actions[0]!.value).toBeCloseTo(world.ratio, 5);
      }),
      { numRuns: 60, seed: 52 },
    );
  });

  const flat = (close: (row: number) => number) => SESSIONS.slice(0, 51).map((_, row) => close(row));

  it('is found in the middle of a file, far from what is read of its beginning and end', async () => {
    const sessions = calendar.sessionsBetween('2004-01-02', '2024-06-14');
    const at = Math.floor(sessions.length / 2);
    for (const [step, basis] of [
      [0, 'traded'],
      [1, 'traded'],
      [-1, 'traded'],
      [0, 'split-adjusted'],
    ] as const) {
      const closes = sessions.map((_, row) => (row < at && basis === 'traded' ? 160 : 40) + (row % 9) / 4);
      const rows = sessions.map(
        (date, row) =>
          `${date},${Array(4).fill(closes[row]).join(',')},1000,0.0,${row === at + step ? '4.0' : '0.0'},${'as it was '.repeat(12)}`,
      );
      for (const newestFirst of [false, true]) {
        const lines = newestFirst ? rows.toReversed() : rows;
        const read = await imported(`${HEAD},Note\n${lines.join('\n')}\n`);
        const isRefused = read.refused.some(({ reason }) => reason === 'ambiguous');
        // What the sample takes for prices as traded is held to the split behind it.
        expect(isRefused, `${step} ${basis}`).toBe(step !== 0 || basis !== 'traded');
        expect(read.closes).toHaveLength(isRefused ? 0 : sessions.length);
      }
    }
  });

  it('is not seen in prices that are rounded to nothing', async () => {
    // A quarter of two cents is one cent when rounded: the fall of a moved split is lost, and the file shows nothing.
    const closes = SESSIONS.map((_, row) => (row < 20 ? 0.02 : 0.01));
    const read = await imported(fileOf(closes, { [SESSIONS[21]!]: '4.0' }));
    expect(read.refused).toMatchObject([{ reason: 'ambiguous' }]);
  });

  it('names both days of one that is beside its fall', async () => {
    const closes = flat((row) => (row < 30 ? 40 : 10) + row / 100);
    for (const prices of [undefined, 'traded', 'split-adjusted'] as const) {
      const { refused } = await imported(fileOf(closes, { '2024-05-15': '4:1' }), { prices });
      expect(refused[0]!.example).toBe(
        'the split of 4 on 2024-05-15 is behind the price, which falls to 0.256 of the close before on 2024-05-13: put it on the day of the move in the file',
      );
    }
  });

  it('asks of one on the last row, whose fall may come in the next', async () => {
    const file = fileOf(
      flat((row) => 40 + row / 100),
      { [SESSIONS[50]!]: '4' },
    );
    expect((await imported(file)).refused).toMatchObject([{ reason: 'ambiguous' }]);
    expect((await imported(file, { prices: 'split-adjusted' })).closes[0]).toBe(160);
  });

  it('counts on a session without prices', async () => {
    const closes: number[] = flat((row) => (row < 30 ? 40 : 10) + row / 100);
    delete closes[30];
    const { refused, actions } = await imported(fileOf(closes, { [SESSIONS[30]!]: '4' }));
    expect(refused).toMatchObject([{ reason: 'missing_value', count: 1 }]);
    expect(said(actions)).toEqual([`${SESSIONS[30]} split 4`]);
  });

  it('scales nothing where it is none', async () => {
    for (const none of ['1:0', '0:1', '0:0', '-2', '1e9', 'x']) {
      const closes = flat((row) => 40 + row / 100);
      const { refused, actions, closes: kept } = await imported(fileOf(closes, { [SESSIONS[20]!]: none }));
      expect(refused, none).toMatchObject([{ reason: 'bad_action', count: 1 }]);
      expect([actions, kept.length, kept[0]]).toEqual([[], 51, 40]);
    }
  });
});

describe('a dividend beside split-adjusted prices', () => {
  const file = (before: number, after: number): string => {
    const rows = SESSIONS.slice(0, 51).map((date, row) => {
      const close = 10 + row / 100;
      const dividend = row === 5 ? before : row === 45 ? after : 0;
      return `${date},${close},${close},${close},${close},1000,${dividend},${row === 25 ? 4 : 0}`;
    });
    return `${HEAD}\n${rows.join('\n')}\n`;
  };
  const paid = async (before: number, after: number, dividends?: 'paid' | 'adjusted') => {
    const options = { prices: 'split-adjusted', dividends } as const;
    const { actions, refused } = await imported(file(before, after), options);
    return refused[0]?.example ?? actions.find(({ kind }) => kind === 'dividend')?.value;
  };

  it('is kept as paid where it falls with the split, and multiplied where it goes on', async () => {
    expect(await paid(0.8, 0.2)).toBe(0.8);
    expect(await paid(0.2, 0.2)).toBe(0.8);
    expect(await paid(0.2, 0.25)).toBe(0.8);
  });

  it('is asked for where nothing behind the split tells', async () => {
    expect(await paid(0.8, 0)).toContain('⟨dividends⟩ decides');
    expect(await paid(0.8, 0, 'paid')).toBe(0.8);
    expect(await paid(0.8, 0, 'adjusted')).toBe(3.2);
  });
});
