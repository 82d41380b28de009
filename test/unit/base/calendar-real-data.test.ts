import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, type TestContext } from 'vitest';
import yauzl from 'yauzl';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { ABSENT, realDataFile } from '../../support/real-data.ts';

const calendar = newYorkCalendar();

describe('the calendar against recorded markets', () => {
  it('has the holidays and early closes of the Lean market-hours database, 1998-2024', (test) => {
    const file = realFile(test, 'lean/market-hours/market-hours-database.json');
    const lean = JSON.parse(readFileSync(file, 'utf8')).entries['Equity-usa-[*]'];
    const within = (date: string): boolean => date >= '1998-01-01' && date <= '2024-12-31';
    const weekdays = everyDay('1998-01-01', '2024-12-31').filter(
      (date) => calendar.reason(date) !== 'weekend',
    );

    // The file also lists two Saturdays, 2011-01-01 and 2022-01-01, on which nothing could be closed.
    const holidays = (lean.holidays as string[]).map(isoDate).filter(within);
    expect(holidays.filter((date) => calendar.reason(date) === 'weekend')).toEqual([
      '2011-01-01',
      '2022-01-01',
    ]);
    expect(weekdays.filter((date) => !calendar.isSession(date))).toEqual(
      holidays.filter((date) => calendar.reason(date) !== 'weekend').sort(),
    );

    const closes = new Map(
      Object.entries<string>(lean.earlyCloses).map(([date, time]): [string, string] => [isoDate(date), time]),
    );
    expect(new Set(closes.values())).toEqual(new Set(['13:00:00']));
    // The file closes early on a Sunday, 2017-12-24, and lacks the half days before November 1999 (SPY's hourly bars
    // end at 13:00 on both) and the last day of 1999 (likewise).
    closes.delete('2017-12-24');
    for (const date of ['1998-11-27', '1998-12-24', '1999-12-31']) closes.set(date, '13:00:00');
    const ours = weekdays.filter((date) => calendar.session(date)?.earlyClose);
    expect(ours).toEqual([...closes.keys()].filter(within).sort());
    for (const date of ours) {
      const { midnight, close } = calendar.session(date)!;
      expect(close - midnight).toBe(13 * 3_600_000);
    }
  });

  it('has a session on exactly the days of SPY, 1998-2018', async (test) => {
    const rows = await zipRows(realFile(test, 'lean/equity/usa/daily/spy.zip'), 'spy.csv');
    const dates = rows.map((row) => `${row.slice(0, 4)}-${row.slice(4, 6)}-${row.slice(6, 8)}`);
    expect(dates).toEqual(calendar.sessionsBetween('1998-01-02', '2018-12-31'));
  });

  it('closes early wherever the hourly bars of SPY end before 15:00, 1998-2018', async (test) => {
    const rows = await zipRows(realFile(test, 'lean/equity/usa/hour/spy.zip'), 'spy.csv');
    const lastHour = new Map(
      rows.map((row): [string, number] => [
        `${row.slice(0, 4)}-${row.slice(4, 6)}-${row.slice(6, 8)}`,
        Number(row.slice(9, 11)),
      ]),
    );
    expect(lastHour.size).toBe(5283);
    const short = [...lastHour].filter(([, hour]) => hour < 15).map(([date]) => date);
    expect(short).toHaveLength(38);
    expect(short).toContain('1999-12-31');
    expect(short.filter((date) => !calendar.session(date)?.earlyClose)).toEqual([]);
  });

  it('has a session on exactly the days of IBM, 2016-2019', async (test) => {
    const rows = await zipRows(realFile(test, 'daily/sp500_daily_adjusted_2016_2019.zip'), 'IBM.csv');
    const dates = rows.slice(1).map((row) => row.slice(0, 10));
    expect(dates.sort()).toEqual(calendar.sessionsBetween('2016-01-04', '2019-12-31'));
  });

  it('has a session on exactly the days of Apple, 2024-2026', (test) => {
    const rows = gzipRows(realFile(test, 'daily/recent_daily_2024_2026.csv.gz'));
    const dates = rows.filter((row) => row.startsWith('AAPL,')).map((row) => row.slice(5, 15));
    expect(dates).toEqual(calendar.sessionsBetween('2024-07-26', '2026-08-19'));
  });

  it('has a session on the days of the VIX, 1990-1997', (test) => {
    const rows = gzipRows(realFile(test, 'macro/vix-daily.csv.gz'));
    const dates = new Set(rows.slice(1).map((row) => row.slice(0, 10)));
    const days = everyDay('1990-01-01', '1997-12-31');
    expect(days.filter((date) => dates.has(date) && !calendar.isSession(date))).toEqual([]);
    // Holes of the series: NYSE traded on all three (they are in no list of its closings).
    const holes = ['1991-03-01', '1997-01-31', '1997-11-26'];
    expect(days.filter((date) => calendar.isSession(date) && !dates.has(date))).toEqual(holes);
  });
});

function realFile(test: TestContext, path: string): string {
  const file = realDataFile(path);
  test.skip(file === null, ABSENT);
  return file!;
}

function gzipRows(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split(/\r?\n/);
}

async function zipRows(file: string, name: string): Promise<string[]> {
  const archive = await yauzl.openPromise(file);
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== name) continue;
    const content = await text(await archive.openReadStreamPromise(entry));
    archive.close();
    return content.trimEnd().split(/\r?\n/);
  }
  throw new Error(`${file} holds no ${name}`);
}

/** `7/3/2000` to `2000-07-03`. */
function isoDate(american: string): string {
  const [month, day, year] = american.split('/');
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

function everyDay(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let day = midnightUtc(from); day <= midnightUtc(to); day += 86_400_000) {
    dates.push(new Date(day).toISOString().slice(0, 10));
  }
  return dates;
}
