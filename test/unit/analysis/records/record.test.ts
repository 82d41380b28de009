import { describe, expect, it } from 'vitest';
import { LEVEL_FAMILIES, type LevelFamily } from '../../../../src/analysis/level-ladder.ts';
import { roundedDistance } from '../../../../src/analysis/records/barriers.ts';
import { daysTrade } from '../../../../src/analysis/records/playbook-trades.ts';
import { DAY_MS, dateOf } from '../../../../src/base/calendar.ts';
import { type CountedDate, FEWEST, recordsOf } from '../../../../src/records/estimate/record.ts';
import {
  binsOf,
  controlsOf,
  type DaySums,
  SUM_FIELDS,
  type Sum,
  sharedOf,
  sumClaims,
} from '../../../../src/records/events.ts';
import { RECORD_KINDS } from '../../../../src/records/index.ts';

const { level, divergence, score } = RECORD_KINDS;

import { mulberry32 } from '../../../support/daily-recipe.ts';
import { figures } from '../../../support/tables.ts';

const sum = (fields: Partial<Sum>): Sum => ({
  ...(Object.fromEntries(SUM_FIELDS.map((field) => [field, 0])) as Sum),
  ...fields,
});

/** So many events, each of which comes true with some chance. */
function drawnOf(draw: () => number, n: number, share: number): Sum {
  let held = 0;
  for (let event = 0; event < n; event++) if (draw() < share) held++;
  return sum({ events: n, true: held, controls: n });
}

/** So many dates on which levels of some families held with some chance, and controls with theirs. */
function datesOf(count: number, shares: Readonly<Record<string, number>>, control: number): CountedDate[] {
  const draw = mulberry32(7);
  const drawn = (n: number, share: number): Sum => drawnOf(draw, n, share);
  return Array.from({ length: count }, (_, at): CountedDate => {
    const sums: Record<string, Sum[]> = {};
    for (const [key, share] of Object.entries(shares)) {
      sums[key] = [drawn(8, share)];
      sums[controlsOf(key)] = [drawn(20, control)];
    }
    return { tradeDate: `${2000 + at}-01-03`, sums: sums as DaySums };
  });
}

const always = () => true;
const of = ({ records }: ReturnType<typeof recordsOf>, key: string) =>
  records.find((record) => record.key === key)!;

describe('the records of a kind', () => {
  const shares = { prior_day: 0.45, pivot: 0.65, opening: 0.3 };

  it('call the planted edge, none where there is none, and say what is worse than chance', () => {
    const records = recordsOf(level, datesOf(100, shares, 0.45), always, false);
    expect(of(records, 'pivot')).toMatchObject({ verdict: 'edge_shown', tested: 3, n: 800, dates: 100 });
    expect(of(records, 'prior_day').verdict).toBe('no_edge_shown');
    expect(of(records, 'opening').verdict).toBe('worse_than_chance');
    expect(of(records, 'overnight')).toMatchObject({
      verdict: 'too_few',
      n: 0,
      rate: null,
      chance: null,
      q: null,
    });
    expect(of(records, 'pivot').edge!.value).toBeCloseTo(0.2, 1);
  });

  it('give a rate, an edge and a verdict from their fewest dates on', () => {
    const at = (dates: number) => of(recordsOf(level, datesOf(dates, shares, 0.45), always, false), 'pivot');
    expect(at(FEWEST.rate.dates - 1)).toMatchObject({
      rate: null,
      chance: null,
      edge: null,
      verdict: 'too_few',
    });
    expect(at(FEWEST.rate.dates).rate).not.toBeNull();
    expect(at(FEWEST.rate.dates).edge).toBeNull();
    expect(at(FEWEST.edge.dates)).toMatchObject({ verdict: 'too_few' });
    expect(at(FEWEST.edge.dates).edge).not.toBeNull();
    expect(at(FEWEST.verdict.dates).verdict).toBe('edge_shown');
  });

  it('show no rate without chance: controls that are too few leave both out', () => {
    const days = datesOf(100, shares, 0.45).map(({ tradeDate, sums }) => {
      const { [controlsOf('pivot')]: _, ...own } = sums;
      return { tradeDate, sums: own };
    });
    expect(of(recordsOf(level, days, always, false), 'pivot')).toMatchObject({
      n: 800,
      rate: null,
      chance: null,
    });
  });

  it('give a filter of the caller an interval and no verdict', () => {
    const pivot = of(recordsOf(level, datesOf(100, shares, 0.45), always, true), 'pivot');
    expect(pivot).toMatchObject({ verdict: 'explored', q: null, tested: 0 });
    expect(pivot.rate).not.toBeNull();
  });

  it('say of which families a fifth of the touches or more were too, the greatest share first', () => {
    const days = datesOf(100, shares, 0.45).map(({ tradeDate, sums }) => {
      const shared = (family: LevelFamily, count: number) =>
        sum({ stratum: LEVEL_FAMILIES.indexOf(family), controls: count, events: count });
      const places = [shared('prior_day', 2), shared('opening', 1), shared('vwap', 6)];
      return { tradeDate, sums: { ...sums, [sharedOf('pivot')]: places } };
    });
    const record = of(recordsOf(level, days, always, false), 'pivot');
    expect(record.sharedWith).toEqual([
      { key: 'vwap', share: 0.75 },
      { key: 'prior_day', share: 0.25 },
    ]);
    expect(of(recordsOf(level, days, always, false), 'opening').sharedWith).toEqual([]);
  });

  it('count a date once its claims have ended', () => {
    const days = datesOf(30, shares, 0.45);
    const closed = recordsOf(level, days, (date) => date < days[12]!.tradeDate, false);
    expect(of(closed, 'pivot').dates).toBe(12);
  });
});

describe('the best of a kind', () => {
  const families = level.keys.slice(0, 10);
  /** Levels that hold about as controls do, on days that are kinder to all or harder, and one that may hold more often. */
  const bestOf = (seed: number, edge: number, planted = edge) => {
    const draw = mulberry32(seed);
    const drawn = (n: number, share: number): Sum => drawnOf(draw, n, share);
    const days = Array.from({ length: 90 }, (_, at): CountedDate => {
      const share = 0.35 + 0.2 * draw();
      const own = families.map((key) => [key, [drawn(6, share + (key === 'pivot' ? planted : edge))]]);
      const control = [drawn(40, share)];
      const controls = families.map((key) => [controlsOf(key), control]);
      return { tradeDate: `${2000 + at}-01-03`, sums: Object.fromEntries([...own, ...controls]) };
    });
    return recordsOf(level, days, always, false).best!;
  };
  const seeds = Array.from({ length: 200 }, (_, seed) => 500 + seed);

  it('looks as good as the best without an edge does in as many cases as it says', () => {
    // One point is none.
    const bests = seeds.map((seed) => bestOf(seed, 0.01));
    const within = (p: number): number => bests.filter((best) => best.p <= p).length / seeds.length;
    // 200 seeds tell 3 points of 5, and 6 of 20, more or less.
    expect(Math.abs(within(0.05) - 0.05)).toBeLessThan(0.031);
    expect(Math.abs(within(0.2) - 0.2)).toBeLessThan(0.06);
    expect(new Set(bests.map(({ key }) => key)).size).toBe(10);
    const useless = seeds.map((seed) => bestOf(seed, 0));
    expect(useless.filter(({ p }) => p <= 0.05).length / seeds.length).toBeLessThan(0.05);
  });

  it('is the planted edge, and would seldom look as good without it', () => {
    const bests = seeds.slice(0, 40).map((seed) => bestOf(seed, 0, 0.12));
    expect(bests.every(({ of }) => of === 10)).toBe(true);
    expect(bests.filter(({ key, p }) => key === 'pivot' && p <= 0.05).length).toBeGreaterThanOrEqual(32);
  });

  it('takes claims of several horizons on the dates that all of them have ended', () => {
    const draw = mulberry32(3);
    const days = Array.from({ length: 300 }, (_, at): CountedDate => {
      const own = divergence.keys.map((key) => {
        const n = 1 + Math.floor(3 * draw());
        const excess = key === 'bearish.3d' ? 0.3 * n : n * (draw() - 0.5);
        return [key, [sum({ events: n, true: 1, judged: n, excess, controls: 10 * n })]];
      });
      return { tradeDate: dateOf(at * DAY_MS), sums: Object.fromEntries(own) };
    });
    const ended = (date: string, horizon: number): boolean => date < days[295 - horizon]!.tradeDate;
    const { best } = recordsOf(divergence, days, ended, false);
    expect(best).toMatchObject({ key: 'bearish.3d', of: 8, p: 0.001 });
    expect(best!.edge).toBeCloseTo(0.3, 10);
  });

  it('is nobody of what a caller chose, and where nothing was tested', () => {
    const days = datesOf(100, { pivot: 0.65 }, 0.45);
    expect(recordsOf(level, days, always, true).best).toBeNull();
    expect(recordsOf(level, days.slice(0, 30), always, false).best).toBeNull();
  });
});

it('read a score as a probability over the dates that have ended, and no other score', () => {
  const days = Array.from({ length: 30 }, (_, at): CountedDate => {
    const bins = [
      sum({ stratum: 4, events: 8, true: 4, measure: 1.8 }),
      sum({ stratum: 15, events: 12, true: 6, measure: 9.3 }),
    ];
    return { tradeDate: dateOf(at * DAY_MS), sums: { [binsOf('bullish_confluence.5d')]: bins } };
  });
  const records = recordsOf(score, days, (date) => date < days[20]!.tradeDate, false);
  expect(of(records, 'bullish_confluence.5d').reliability).toMatchObject({
    n: 400,
    uncertainty: 0.25,
    discrimination: 0,
    bins: [
      { n: 160, observed: 0.5 },
      { n: 240, observed: 0.5 },
    ],
  });
  for (const key of ['bullish_confluence.1d', 'net_confluence.5d'])
    expect(of(records, key).reliability).toBeNull();
});

describe('the sums of claims', () => {
  it('count what stayed open nowhere, and what nobody could judge apart', () => {
    const event = {
      key: 'doji',
      claim: '',
      begunAt: 0,
      decidedAt: null,
      side: 1,
      price: null,
      isGone: false,
      isAmbiguous: false,
      chance: null,
      controls: 0,
      stratum: 0,
    } as const;
    const events = [
      { ...event, outcome: null },
      { ...event, outcome: 'undecided', isGone: true } as const,
      { ...event, outcome: 'gap' } as const,
      { ...event, outcome: 'true', chance: 0.25, controls: 8 } as const,
      { ...event, outcome: 'false', isAmbiguous: true } as const,
    ];
    expect(sumClaims([{ events, counts: [] }]).doji).toEqual([
      sum(figures`
        events 2, true 1, undecided 1, gap 1, gone 1, ambiguous 1, judged 1, excess 0.75, controls 8`),
    ]);
  });
});

describe('a target before a stop', () => {
  it('lies as far for controls as for the claim, to a fiftieth of an ATR and never nearer', () => {
    expect([0.001, 0.111, 1.2].map((distance) => roundedDistance(distance).toFixed(2))).toEqual([
      '0.02',
      '0.12',
      '1.20',
    ]);
  });

  it('is as likely as its controls where price walks at random, however near its two prices are', () => {
    const draw = mulberry32(3);
    const sessions = 60_000;
    const { high, low, close } = walk(sessions, draw);
    // Without a gap a session opens where the one before it closed.
    const open = Float64Array.from(close, (_, row) => close[row - 1] ?? Number.NaN);
    let excess = 0;
    let events = 0;
    for (let row = 1; row + 20 < sessions; row += 3) {
      const [up, down] = [0.05 + 0.5 * draw() ** 2, 0.3 + draw()];
      const cameOf = (from: number, target: number, stop: number): number =>
        Number(daysTrade({ open, high, low, close }, from, from + 20, 1, 1, { target, stop }).isReached);
      const other = 1 + Math.floor(draw() * (sessions - 22));
      excess += cameOf(row, up, down) - cameOf(other, roundedDistance(up), roundedDistance(down));
      events++;
    }
    expect(Math.abs(excess / events)).toBeLessThan(0.012);
  });
});

/** Daily bars of a price that walks at random, with an average range of about one. */
function walk(sessions: number, draw: () => number) {
  const steps = 40;
  const [high, low, close] = [0, 1, 2].map(() => new Float64Array(sessions));
  let price = 1_000;
  for (let session = 0; session < sessions; session++) {
    let [top, bottom] = [price, price];
    for (let step = 0; step < steps; step++) {
      price += (draw() < 0.5 ? -1 : 1) * (0.63 / Math.sqrt(steps));
      top = Math.max(top, price);
      bottom = Math.min(bottom, price);
    }
    [high![session], low![session], close![session]] = [top, bottom, price];
  }
  return { high: high!, low: low!, close: close! };
}
