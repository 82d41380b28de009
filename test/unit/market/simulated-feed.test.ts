import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Feed, SourceUnit } from '../../../src/market/feed.ts';
import { type Delivered, deliveredBySymbol, END, feedOf, rowsByTime } from './simulated-probe.ts';

async function sha256(feed: Feed): Promise<string> {
  const hash = createHash('sha256');
  for (const unit of await feed.units()) {
    hash.update(unit.key);
    for await (const delivery of unit.read()) {
      if ('columns' in delivery) for (const column of Object.values(delivery.columns)) hash.update(column);
      else hash.update(JSON.stringify(delivery));
    }
  }
  return hash.digest('hex');
}

/** Every row of the smaller window is, unchanged, a row of the larger one. */
function expectWithin(smaller: Map<string, Delivered>, larger: Map<string, Delivered>): void {
  assert(smaller.size > 0);
  for (const [symbol, part] of smaller) {
    const whole = larger.get(symbol)!;
    const known = new Set(whole.facts.map((fact) => JSON.stringify(fact)));
    assert(part.facts.length > 0);
    for (const fact of part.facts) assert(known.has(JSON.stringify(fact)));
    expect(whole.actions).toEqual(expect.arrayContaining([...part.actions]));
    for (const kind of ['daily', 'minutes', 'quotes', 'flowMinutes', 'volatility'] as const) {
      const rows = rowsByTime([part[kind] ?? []].flat());
      const wholeRows = rowsByTime([whole[kind] ?? []].flat());
      for (const [time, row] of rows) assert.equal(wholeRows.get(time), row);
    }
  }
}

describe('determinism', () => {
  // The only numbers here that no outside source gives: they pin the model. A change of the model changes them together
  // with MODEL_VERSION.
  it.each([
    [
      'bars, quotes, facts and volatility',
      0,
      '24c6ff71949b208be4451de1110749a2a992a5b75bc5976238231d5e739e40f4',
    ],
    ['and order flow', 1, '87f38de8ffdf8eb2a552e7d2e25d6ba51ae42f8de76434f030db667a4f287ab8'],
  ])('gives the same bytes for the same seed, on every machine: %s', async (_, tickSessions, digest) => {
    expect(await sha256(feedOf({ symbols: 30, days: 300, tickSessions, chainSessions: 0 }))).toBe(digest);
  });

  it('gives another market for another seed', async () => {
    const daily = async (seed: number) =>
      rowsByTime([(await deliveredBySymbol({ seed, symbols: 1, minuteSessions: 0 })).get('SIMX')!.daily!]);
    expect([...(await daily(7)).values()]).not.toEqual([...(await daily(8)).values()]);
  });

  it('reads units in any order, more than once and side by side with the same result', async () => {
    const units = await feedOf({ symbols: 4 }).units();
    const rowsOf = async (unit: SourceUnit) => {
      const rows: string[] = [];
      for await (const delivery of unit.read()) {
        if ('columns' in delivery) rows.push(...rowsByTime([delivery.columns]).values());
      }
      return rows;
    };
    const together = await Promise.all([...units].reverse().map(rowsOf));
    for (const [place, unit] of units.entries()) {
      expect(await rowsOf(unit)).toEqual(together[units.length - 1 - place]);
    }
  });
});

describe('independence of the window', () => {
  const small = { symbols: 4, days: 10, minuteSessions: 2, quoteSessions: 1, tickSessions: 1 };

  it('yields the same for a date whatever else is requested', async () => {
    const larger = await deliveredBySymbol({
      symbols: 6,
      days: 300,
      minuteSessions: 5,
      quoteSessions: 4,
      tickSessions: 2,
    });
    expectWithin(await deliveredBySymbol(small), larger);
  });

  it('extends the market of today when it is made again later', async () => {
    const later = {
      symbols: 4,
      days: 60,
      minuteSessions: 8,
      quoteSessions: 7,
      tickSessions: 6,
      end: '2025-12-12',
    };
    expectWithin(await deliveredBySymbol(small), await deliveredBySymbol(later));
  });

  it('ends with the session before an end that is none', async () => {
    const onSunday = await deliveredBySymbol({ symbols: 1, minuteSessions: 0, end: '2025-12-07' });
    expect(onSunday.get('SIMX')!.daily!.time.at(-1)).toBe(Date.UTC(2025, 11, 5));
  });
});

describe('units', () => {
  it('are one for each symbol, with the index fund and the volatility index first', async () => {
    const units = await feedOf({ symbols: 3 }).units();
    expect(units).toHaveLength(5);
    expect(units.slice(0, 2).map(({ key }) => key)).toEqual([
      'simulated/seed-7/SIMX',
      'simulated/seed-7/^SIMVIX',
    ]);
    expect(units.every(({ weight }) => weight > 0)).toBe(true);
  });

  it('list ten thousand symbols without making a row', async () => {
    expect(await feedOf({ symbols: 10_000 }).units()).toHaveLength(10_002);
  });

  it('have a fingerprint that changes with whatever changes the rows', async () => {
    const print = async (options: Parameters<typeof feedOf>[0]) =>
      (await feedOf(options).units())[2]!.fingerprint();
    const prints = await Promise.all([
      print({}),
      print({ seed: 8 }),
      print({ days: 41 }),
      print({ end: '2025-12-08' }),
      print({ minuteSessions: 9 }),
      print({ quoteSessions: 1 }),
      print({ tickSessions: 1 }),
    ]);
    expect(new Set(prints).size).toBe(prints.length);
    expect(await print({})).toBe(prints[0]);
  });

  it('hand out chunks of at most 50,000 rows', async () => {
    for (const unit of await feedOf({
      symbols: 1,
      days: 100,
      minuteSessions: 100,
      quoteSessions: 60,
    }).units()) {
      for await (const delivery of unit.read()) {
        if ('columns' in delivery) expect(delivery.columns.time.length).toBeLessThanOrEqual(50_000);
      }
    }
  });

  it('deliver the requested days', async () => {
    const { daily } = (await deliveredBySymbol({ days: 25, minuteSessions: 0 })).get('SIMX')!;
    expect(daily!.time).toHaveLength(25);
    expect(daily!.time.at(-1)).toBe(Date.parse(`${END}T00:00:00Z`));
  });
});

describe('options', () => {
  it.each([
    [{ symbols: -1 }, /^symbols /],
    [{ symbols: 50_001 }, /^symbols /],
    [{ days: 0 }, /^days /],
    [{ seed: 1.5 }, /^seed /],
    [{ minuteSessions: -1 }, /^minuteSessions /],
    [{ quoteSessions: 9 }, /^quoteSessions /],
    [{ tickSessions: Number.NaN }, /^tickSessions /],
    [{ end: '2017-12-29' }, /^end /],
    [{ end: '2025-02-30' }, /^end /],
    [{ end: '2999-01-02' }, /^end /],
  ])('out of range are refused: %o', (options, message) => {
    expect(() => feedOf(options)).toThrow(message);
  });
});
