import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import type { CsvOptions } from '../../../src/files/bars/csv-options.ts';
import { mulberry32 } from '../../support/daily-recipe.ts';
import { inFull, SEED } from '../../support/depth.ts';
import { barsIn, deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';

/** Minutes whose written zone is wrong by some hours, in one season or in both: refused with the cause, or read by a stated clock. */

const calendar = newYorkCalendar();
const root = temporaryFolder();
const SEASONS = [
  ['2024-01-10', '2024-01-11', '2024-01-12'],
  ['2024-03-08', '2024-03-11', '2024-03-12'],
  ['2024-06-12', '2024-06-13'],
];
const MINUTE_MS = 60_000;
const NEW_YORK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const STATED: readonly Partial<CsvOptions>[] = [{}, { stamps: 'start' }, { interval: '1m' }];

/** Instants of the minutes of some sessions, with volumes that are high at both ends. */
function minutesOf(dates: readonly string[], seed: number) {
  const random = mulberry32(seed);
  return dates.flatMap((date) => {
    const { open, close } = calendar.session(date)!;
    const count = (close - open) / MINUTE_MS;
    return Array.from({ length: count }, (_, at) => ({
      instant: open + at * MINUTE_MS,
      volume: Math.round(1_000 * (1 + random())) * (at === 0 || at === count - 1 ? 8 : 1),
    }));
  });
}

it('a clock that is named wrong is refused with what it would mean, whatever else is stated', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SEASONS),
      fc.integer({ min: -12, max: 14 }),
      fc.integer({ min: 0, max: 1_000 }),
      fc.constantFrom(...STATED),
      async (dates, offset, seed, options) => {
        const minutes = minutesOf(dates, seed);
        const sign = offset < 0 ? '-' : '+';
        const zone = `${sign}${String(Math.abs(offset)).padStart(2, '0')}:00`;
        // The wall clock of New York with another zone behind it.
        const wallOf = (instant: number): string => NEW_YORK.format(instant);
        const rows = minutes.map(
          ({ instant, volume }) => `${wallOf(instant)}${zone},10,10.02,9.98,10.01,${volume}`,
        );
        const path = fileIn(root, 'XYZ.csv', `Datetime,Open,High,Low,Close,Volume\n${rows.join('\n')}\n`);
        const read = async (more: Partial<CsvOptions>) =>
          deliveriesOf(csvFeed({ paths: [path], calendar, ...more }));
        const deliveries = await read(options);
        const times = barsIn(deliveries).flatMap(({ columns }) => [...columns.time]);
        const instants = minutes.map(({ instant }) => instant);
        const isRight = dates.every(
          (date) =>
            Date.parse(`${wallOf(calendar.session(date)!.open).replace(' ', 'T')}${zone}`) ===
            calendar.session(date)!.open,
        );
        if (isRight) expect(times).toEqual(instants);
        else {
          expect(times).toEqual([]);
          expect(refusalsIn(deliveries)).toMatchObject([{ reason: 'ambiguous' }]);
        }
        const stated = await read({ ...options, timeZone: 'America/New_York' });
        expect(barsIn(stated).flatMap(({ columns }) => [...columns.time])).toEqual(instants);
      },
    ),
    { seed: SEED, numRuns: inFull(500, 15) },
  );
});
