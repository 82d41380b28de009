import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newYorkMidnight, tradeDateOf, zonedToUtc } from '../../../src/base/time-zone.ts';
import { numbers, words } from '../../support/tables.ts';

const utc = (text: string): number => Date.parse(text);

describe('wall-clock times', () => {
  it('of Chicago become instants', () => {
    const chicago = zonedToUtc('America/Chicago');
    expect(chicago(2021, 1, 4, 8, 30, 0, 0)).toBe(utc('2021-01-04T14:30:00Z'));
    expect(chicago(2021, 7, 6, 8, 30, 15, 250)).toBe(utc('2021-07-06T13:30:15.250Z'));
  });

  it('that the clocks skipped are no time, and of an hour shown twice it is the first', () => {
    const newYork = zonedToUtc('America/New_York');
    expect(newYork(2024, 3, 10, 1, 59, 59, 999)).toBe(utc('2024-03-10T06:59:59.999Z'));
    expect(newYork(2024, 3, 10, 2, 0, 0, 0)).toBeNaN();
    expect(newYork(2024, 3, 10, 2, 59, 59, 999)).toBeNaN();
    expect(newYork(2024, 3, 10, 3, 0, 0, 0)).toBe(utc('2024-03-10T07:00:00Z'));
    expect(newYork(2024, 11, 3, 1, 30, 0, 0)).toBe(utc('2024-11-03T05:30:00Z'));
    expect(newYork(2024, 11, 3, 2, 0, 0, 0)).toBe(utc('2024-11-03T07:00:00Z'));
  });

  it('with a field out of range, a date that is none, or of another century are no time', () => {
    const london = zonedToUtc('Europe/London');
    const refused: Parameters<typeof london>[] = numbers`
      2024 2 30 9 0 0 0, 2024 1 2 24 0 0 0, 2024 1 2 -1 0 0 0, 2024 1 2 9 60 0 0, 2024 1 2 9 0 60 0,
      2024 1 2 9 0 0 1000, 2024 1 2 NaN 0 0 0, 1899 6 1 9 0 0 0, 2100 6 1 9 0 0 0`;
    for (const fields of refused) expect(london(...fields)).toBeNaN();
  });

  it('agree with Temporal in zones of every habit', () => {
    const zones = words`America/New_York Europe/London Asia/Tokyo Australia/Lord_Howe Africa/Casablanca UTC`;
    const minutes = fc.integer({ min: Date.UTC(1971, 0, 1) / 60_000, max: Date.UTC(2086, 0, 1) / 60_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        minutes,
        fc.integer({ min: -120, max: 120 }),
        (timeZone, minute, near) => {
          const anywhere = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(
            timeZone,
          );
          const change = anywhere.getTimeZoneTransition('next') ?? anywhere;
          for (const local of [anywhere.toPlainDateTime(), change.toPlainDateTime().add({ minutes: near })]) {
            expect(converted(timeZone, local)).toEqual(byTemporal(timeZone, local));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('of an unknown zone are refused by its name', () => {
    expect(() => zonedToUtc('America/Gotham')).toThrow(new RangeError('unknown time zone "America/Gotham"'));
  });
});

describe('New York dates', () => {
  it('begin at midnight there', () => {
    expect(newYorkMidnight('2024-01-02')).toBe(utc('2024-01-02T05:00:00Z'));
    expect(newYorkMidnight('2024-07-01')).toBe(utc('2024-07-01T04:00:00Z'));
    // The clocks change at 02:00 of these two, so their midnights still have the offset of the day before.
    expect(newYorkMidnight('2024-03-10')).toBe(utc('2024-03-10T05:00:00Z'));
    expect(newYorkMidnight('2024-11-03')).toBe(utc('2024-11-03T04:00:00Z'));
    expect(newYorkMidnight('2021-02-30')).toBeNaN();
  });

  it('hold the instants until the next midnight', () => {
    expect(tradeDateOf(utc('2024-01-03T04:59:59.999Z'))).toBe('2024-01-02');
    expect(tradeDateOf(utc('2024-01-03T05:00:00Z'))).toBe('2024-01-03');
    expect(tradeDateOf(utc('2024-07-02T03:59:59.999Z'))).toBe('2024-07-01');
    expect(tradeDateOf(utc('2024-07-02T04:00:00Z'))).toBe('2024-07-02');
    expect(() => tradeDateOf(Number.NaN)).toThrow(RangeError);
  });

  it('agree with Temporal at any instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2099, 0, 1) }), (instant) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('America/New_York');
        expect(tradeDateOf(instant)).toBe(zoned.toPlainDate().toString());
      }),
      { numRuns: 1000 },
    );
  });
});

function converted(timeZone: string, at: Temporal.PlainDateTime): number {
  return zonedToUtc(timeZone)(at.year, at.month, at.day, at.hour, at.minute, at.second, at.millisecond);
}

function byTemporal(timeZone: string, at: Temporal.PlainDateTime): number {
  const zoned = at.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  // Temporal moves a skipped time to one that was shown.
  return zoned.toPlainDateTime().equals(at) ? zoned.epochMilliseconds : Number.NaN;
}
