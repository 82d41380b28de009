import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { DAY_MS } from '../../../src/base/dates.ts';
import { zonedToUtc } from '../../../src/base/time-zone.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { knownAtOf } from '../../../src/files/facts/known-at.ts';
import { inFull, SEED } from '../../support/depth.ts';
import { barsIn, deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';

/** A day that is written as a midnight of whatever clock is that date: in bars and in facts, equal or refused by name. */

const calendar = newYorkCalendar();
const root = temporaryFolder();

const ZONES = [
  'Africa/Johannesburg',
  'America/Caracas',
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Dubai',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Adelaide',
  'Australia/Sydney',
  'Europe/Kyiv',
  'Europe/London',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'UTC',
];
const FORMS = ['offset', 'instant', 'seconds', 'milliseconds', 'nanoseconds'] as const;

const midnightOf = (zone: string, date: string): number => {
  const [year, month, day] = date.split('-').map(Number);
  return zonedToUtc(zone)(year!, month!, day!, 0, 0, 0, 0);
};

function written(zone: string, date: string, form: (typeof FORMS)[number]): string {
  const instant = midnightOf(zone, date);
  if (form === 'instant') return new Date(instant).toISOString();
  if (form === 'seconds') return String(instant / 1000);
  if (form === 'milliseconds') return String(instant);
  if (form === 'nanoseconds') return `${instant}000000`;
  const minutes = (Date.parse(date) - instant) / 60_000;
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${date} 00:00:00${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

async function daysOf(times: readonly string[], options: Partial<CsvOptions> = {}) {
  const rows = times.map((time, at) => `${time},10,11,9,${10 + at / 100},1000`);
  const path = fileIn(root, 'XYZ.csv', `Date,Open,High,Low,Close,Volume\n${rows.join('\n')}\n`);
  const deliveries = await deliveriesOf(csvFeed({ paths: [path], calendar, ...options }));
  return {
    days: barsIn(deliveries).flatMap(({ columns }) => [...columns.time]),
    refused: refusalsIn(deliveries).map(({ reason, example }) => `${reason}: ${example}`),
  };
}

const drawn = fc.record({
  zone: fc.constantFrom(...ZONES),
  form: fc.constantFrom(...FORMS),
  from: fc.integer({ min: 0, max: 400 }),
  count: fc.integer({ min: 2, max: 60 }),
  backwards: fc.boolean(),
});
const SESSIONS = calendar.sessionsBetween('2022-06-01', '2024-06-28');

describe('daily bars', () => {
  it('dated by midnights of any clock are on those dates, or refused for a week that tells nothing', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ zone, form, from, count, backwards }) => {
        const dates = SESSIONS.slice(from, from + count);
        if (backwards) dates.reverse();
        const { days, refused } = await daysOf(dates.map((date) => written(zone, date, form)));
        if (days.length === 0) {
          // Some days of one week may be those before as well.
          expect(count).toBeLessThan(6);
          expect(refused).toEqual([expect.stringMatching(/^ambiguous: .*⟨time_zone⟩/)]);
        } else expect(days).toEqual(dates.map((date) => Date.parse(date)).toSorted((one, two) => one - two));
        const stated = await daysOf(
          dates.map((date) => written(zone, date, form)),
          { timeZone: zone },
        );
        expect(stated.days).toHaveLength(count);
      }),
      { seed: SEED, numRuns: inFull(2_000, 80) },
    );
  });

  it('that carry the time of their open or of a trade before the close are of that day', async () => {
    const dates = SESSIONS.slice(0, 3);
    const opens = dates.map((date) => new Date(calendar.session(date)!.open).toISOString());
    expect((await daysOf(opens)).days).toEqual(dates.map((date) => Date.parse(date)));
    const trades = dates.map((date, at) =>
      new Date(calendar.session(date)!.close - 1_000 - at * 7_100_000).toISOString(),
    );
    expect((await daysOf(trades)).days).toEqual(dates.map((date) => Date.parse(date)));
  });

  it.each([
    [-1, /Sundays \(\d seen\) and none on Fridays: the dates lie a day early/],
    [1, /Saturdays \(\d seen\) and none on Mondays: the dates lie a day late/],
  ])('whose dates lie %i day beside their sessions are refused', async (beside, sentence) => {
    const dates = SESSIONS.slice(0, 20).map((date) =>
      new Date(Date.parse(date) + beside * DAY_MS).toISOString().slice(0, 10),
    );
    const { days, refused } = await daysOf(dates);
    expect(days).toEqual([]);
    expect(refused).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('facts', () => {
  const knownAt = async (date: string, time = 'unknown', stated = '') => {
    const path = fileIn(
      root,
      'facts.csv',
      `symbol,date,time,known_at,eps_estimate,eps_actual,period_end\nXYZ,${date},${time},${stated},0.1,0.12,2024-03-31\n`,
    );
    const deliveries = await deliveriesOf(factsFeed({ paths: [path], kind: 'earnings_report', calendar }));
    expect(refusalsIn(deliveries)).toEqual([]);
    return deliveries.flatMap((delivery) =>
      delivery.kind === 'facts' ? delivery.facts.map((fact) => new Date(fact.knownAt).toISOString()) : [],
    );
  };

  it('of a midnight of any clock are known when its date ends', async () => {
    for (const zone of ZONES) {
      for (const form of ['offset', 'instant'] as const)
        expect(await knownAt(written(zone, '2024-05-02', form)), `${zone} ${form}`).toEqual([
          '2024-05-03T04:00:00.000Z',
        ]);
    }
  });

  it('that state a midnight as the time from which they were known are known when its date ends', () => {
    for (const zone of ZONES) {
      const stated = written(zone, '2024-05-02', 'offset');
      expect(new Date(knownAtOf(stated)).toISOString(), stated).toBe('2024-05-03T04:00:00.000Z');
    }
    for (const minute of ['2024-05-02T00:01:00Z', '2024-05-02T12:00:00Z', '2024-05-02T00:00:01Z'])
      expect(knownAtOf(minute)).toBe(Date.parse(minute));
  });

  it('that state 20:00 in New York, a midnight by UTC in summer, are known at it where they came after the close', async () => {
    const stated = (known: string, time: string): Promise<string[]> => knownAt('2024-05-02', time, known);
    expect(await stated('2024-05-03T00:00:00Z', 'post_market')).toEqual(['2024-05-03T00:00:00.000Z']);
    expect(await stated('2024-05-03T00:00:00Z', 'pre_market')).toEqual(['2024-05-03T00:00:00.000Z']);
    // A moment before the results are out is the date of a program that makes instants of dates.
    expect(await stated('2024-05-02T00:00:00Z', 'post_market')).toEqual(['2024-05-03T04:00:00.000Z']);
    expect(await stated('2024-05-03T00:00:00Z', 'unknown')).toEqual(['2024-05-04T04:00:00.000Z']);
  });

  it('of an instant that no clock has its midnight at are of its day, and of one that some has of the later', async () => {
    expect(await knownAt('2024-05-01T20:05:00Z')).toEqual(['2024-05-02T04:00:00.000Z']);
    expect(await knownAt('2024-05-01T22:00:00Z', 'post_market')).toEqual(['2024-05-03T00:00:00.000Z']);
    expect(await knownAt('2024-05-01T15:00:00Z', 'during_market')).toEqual(['2024-05-02T20:00:00.000Z']);
  });
});
