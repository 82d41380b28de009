import { describe, expect, it } from 'vitest';
import { midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { factOf } from '../../../src/market/validate-fact.ts';
import { neighbouringDays, readStockView } from '../../../src/tape/read-view.ts';
import { profileWith } from '../../support/reported.ts';
import { at, type BarRow, barsOf, handMadeTape } from '../../support/tape.ts';

const calendar = newYorkCalendar();
const daily = (date: string, price: number, volume = 1_000): BarRow => [
  midnightUtc(date),
  price,
  price + 1,
  price - 1,
  price,
  volume,
];
const minute = (date: string, clock: string, price: number, volume = 10): BarRow => [
  at(date, clock),
  price,
  price + 0.1,
  price - 0.1,
  price,
  volume,
];
const dates = calendar.sessionsBetween('2014-06-02', '2014-06-10');

type Made = ReturnType<typeof handMadeTape>;

/** A tape of daily bars and minutes. */
const tapeOf = (days: BarRow[], minutes: BarRow[] = [], facts?: Parameters<typeof handMadeTape>[2]): Made =>
  handMadeTape(
    'X',
    [
      { kind: 'bars-1d' as const, columns: barsOf('bars-1d', days) },
      { kind: 'bars-1m' as const, columns: barsOf('bars-1m', minutes) },
    ].filter(({ columns }) => columns.time.length > 0),
    facts,
  );

const viewOn = ({ reader, tape }: Made, date: string, clock = '20:00') =>
  readStockView(reader, tape, calendar, date, at(date, clock))!;

describe('a view of the tape', () => {
  it('ends at the trade date and holds its bar once the session has closed', () => {
    const view = viewOn(tapeOf(dates.map((date, index) => daily(date, 100 + index))), '2014-06-05');
    expect([...view.daily.close]).toEqual([100, 101, 102, 103]);
    expect(view.todayRow).toBe(3);
    expect(view.priorRow).toBe(2);
    expect(view.running).toBeNull();
  });

  it('names the feed of the newest bar without volume, and not of one that ends later', () => {
    const minutes = (clocks: readonly string[], volume?: number) =>
      barsOf(
        'bars-1m',
        clocks.map((clock) => minute('2014-06-05', clock, 50, volume)),
      );
    const kind = 'bars-1m' as const;
    const made = handMadeTape('X', [
      { kind: 'bars-1d', columns: barsOf('bars-1d', [daily('2014-06-04', 100)]) },
      { kind, feed: 'one', columns: minutes(['09:30', '09:31', '09:32'], Number.NaN) },
      { kind, feed: 'two', columns: minutes(['09:33', '09:34'], Number.NaN) },
      // The record of all exchanges, of some minutes.
      { kind, feed: 'all', columns: minutes(['09:30', '09:34']) },
    ]);
    const feedAt = (clock: string) => viewOn(made, '2014-06-05', clock).partialFeed;
    expect(['09:31', '09:32', '09:33', '09:34', '09:35'].map(feedAt)).toEqual([
      null,
      'one',
      'one',
      'two',
      'two',
    ]);
    const running = { kind, feed: 'now', simulated: false, columns: [] as Float64Array[] };
    const { time, open, high, low, close, volume } = minutes(['09:35'], Number.NaN);
    running.columns = [time!, open!, high!, low!, close!, volume!];
    const later = { ...made, tape: { ...made.tape, running: [running] } };
    expect(viewOn(later, '2014-06-05', '09:35').partialFeed).toBe('two');
    expect(viewOn(later, '2014-06-05', '09:36').partialFeed).toBe('now');
  });

  it('leaves the daily bar of a session out while the session runs, whatever the tape says', () => {
    const minutes = [
      minute('2014-06-05', '09:30', 50),
      minute('2014-06-05', '10:00', 60),
      minute('2014-06-05', '10:01', 70),
    ];
    const made = tapeOf(
      dates.map((date, index) => daily(date, 100 + index)),
      minutes,
    );
    const view = viewOn(made, '2014-06-05', '10:01');
    expect([...view.daily.close]).toEqual([100, 101, 102]);
    expect([...view.dailyNow.close]).toEqual([100, 101, 102, 60]);
    expect(view.running).toEqual({
      time: midnightUtc('2014-06-05'),
      open: 50,
      high: 60.1,
      low: 49.9,
      close: 60,
      volume: 20,
    });
    // The bar of 10:01 ends at 10:02 and is not final a minute before.
    expect([...view.intraday.close]).toEqual([50, 60]);
  });

  it('is null before the first bar of the trade date is final', () => {
    const { tape, reader } = tapeOf([], [minute('2014-06-05', '09:30', 50)]);
    const end = at('2014-06-05', '09:31');
    expect(readStockView(reader, tape, calendar, '2014-06-05', end - 1)).toBeNull();
    expect(readStockView(reader, tape, calendar, '2014-06-05', end)).not.toBeNull();
  });

  it('divides history by a split from its ex-date on and never before', () => {
    const split = { kind: 'split' as const, exDate: midnightUtc('2014-06-09'), value: 7 };
    const rows = dates.map((date) =>
      daily(date, date < '2014-06-09' ? 700 : 100, date < '2014-06-09' ? 10 : 70),
    );
    const made = tapeOf(rows, [minute('2014-06-06', '15:59', 700)], { actions: [split] });
    const before = viewOn(made, '2014-06-06');
    expect(new Set(before.daily.close)).toEqual(new Set([700]));
    expect(before.actions).toEqual([]);
    const after = viewOn(made, '2014-06-09');
    expect(new Set(after.daily.close)).toEqual(new Set([100]));
    expect(new Set(after.daily.volume)).toEqual(new Set([70]));
    expect([...after.priorIntraday.close]).toEqual([100]);
    expect([...after.priorIntraday.volume]).toEqual([70]);
    expect(after.actions).toEqual([split]);
  });

  it('does not reach over a hole of more than five sessions', () => {
    const rows = ['2013-01-02', '2013-01-03', '2014-06-02', '2014-06-04', '2014-06-05'].map((date) =>
      daily(date, 100),
    );
    const view = viewOn(tapeOf(rows), '2014-06-05');
    expect([...view.daily.time]).toEqual(['2014-06-02', '2014-06-04', '2014-06-05'].map(midnightUtc));
  });

  it('reaches over the four sessions that were lost in September 2001', () => {
    const rows = ['2001-09-07', '2001-09-10', '2001-09-17', '2001-09-18'].map((date) => daily(date, 100));
    expect(viewOn(tapeOf(rows), '2001-09-18').daily.time).toHaveLength(4);
  });

  it('sums the session from its minutes when no daily bar has been reported', () => {
    const minutes = [
      minute('2014-06-05', '08:00', 40),
      minute('2014-06-05', '09:30', 50),
      minute('2014-06-05', '15:59', 52),
      minute('2014-06-05', '16:00', 60),
    ];
    const view = viewOn(tapeOf([daily('2014-06-04', 99)], minutes), '2014-06-05');
    expect([...view.daily.close]).toEqual([99, 52]);
    expect(view.daily.volume[1]).toBe(20);
    expect(view.todayRow).toBe(1);
    expect(view.priorRow).toBe(0);
  });

  it('does not take a fragment of a session for a whole one', () => {
    const minutes = [minute('2014-06-05', '09:30', 50), minute('2014-06-05', '11:00', 51)];
    const view = viewOn(tapeOf([daily('2014-06-04', 99)], minutes), '2014-06-05');
    expect([...view.daily.close]).toEqual([99]);
    expect([...view.dailyNow.close]).toEqual([99]);
    expect(view.todayRow).toBe(-1);
    expect(view.intraday.close).toHaveLength(2);
    expect(view.priorRow).toBe(0);
  });

  describe('of a session whose bars stop early', () => {
    const [session, before] = ['2014-06-05', '2014-06-04'];
    const clock = (minuteOfDay: number) =>
      `${String(Math.floor(minuteOfDay / 60)).padStart(2, '0')}:${String(minuteOfDay % 60).padStart(2, '0')}`;
    /** A bar each `step` minutes from 09:30 up to, not including, an instant. */
    const each = (date: string, step: number, until: number): BarRow[] =>
      Array.from({ length: Math.ceil((until - 570) / step) }, (_, n) =>
        minute(date, clock(570 + n * step), 50),
      );
    const cutOf = (minutes: BarRow[], days: BarRow[] = []) =>
      viewOn(tapeOf([daily('2014-06-03', 99), ...days], minutes), session).intradayCutAt;

    it('says where the feed of a stock that trades every minute stopped', () => {
      expect(cutOf(each(session, 1, 635))).toBe(at(session, '10:35'));
      expect(cutOf([...each(before, 1, 960), ...each(session, 1, 571)])).toBe(at(session, '09:31'));
      expect(cutOf(each(session, 1, 929))).toBe(at(session, '15:29'));
      expect(cutOf(each(session, 1, 930))).toBeNull();
    });

    it('says so too when a daily bar gives the rest, and when the session before was cut as well', () => {
      expect(cutOf(each(session, 1, 635), [daily(session, 50)])).toBe(at(session, '10:35'));
      expect(cutOf([...each(before, 1, 635), ...each(session, 1, 635)])).toBe(at(session, '10:35'));
    });

    it('lets a stock end early that trades seldom, or did on the session before', () => {
      expect(cutOf(each(session, 45, 840))).toBeNull();
      // Ten trades in the first ten minutes; the session before had as many in all of the day.
      expect(cutOf(each(session, 1, 580))).toBe(at(session, '09:40'));
      expect(cutOf([...each(before, 35, 900), ...each(session, 1, 580)])).toBeNull();
    });

    it('never says so of a session that runs', () => {
      expect(viewOn(tapeOf([], each(session, 1, 635)), session, '15:59').intradayCutAt).toBeNull();
    });
  });

  describe('with prints that cannot be', () => {
    const [session, before] = ['2014-06-09', '2014-06-06'];
    const split = { kind: 'split' as const, exDate: midnightUtc(session), value: 7 };
    type Bar = readonly [date: string, clock: string, price: number, high?: number];
    const viewAt = (clock: string, bars: readonly Bar[], actions = [split]) => {
      const minutes = bars.map(
        ([date, start, price, high = price]): BarRow => [at(date, start), price, high, price, price, 10],
      );
      const rows = [daily('2014-06-05', 647), daily(before, 645.57)];
      return viewOn(tapeOf(rows, minutes, { actions }), session, clock);
    };
    const minutes = (price: number, from: number, count: number): Bar[] =>
      Array.from({ length: count }, (_, n) => [session, `04:${String(from + n).padStart(2, '0')}`, price]);

    it('leaves out a bar that reaches to the price before a split, and counts it', () => {
      const bars: Bar[] = [[session, '04:00', 92.4, 645.57], ...minutes(92.46, 1, 6)];
      for (const clock of ['04:01', '04:03', '09:00']) {
        const view = viewAt(clock, bars);
        expect(view.badPrints, clock).toBe(1);
        expect(Math.max(...view.intraday.high), clock).toBeLessThan(93);
      }
      const opening: Bar[] = [
        ...minutes(92.4, 0, 6),
        [session, '09:30', 92.4, 645],
        [session, '09:31', 92.4],
      ];
      expect(viewAt('09:32', opening).badPrints).toBe(1);
    });

    it('keeps a true gap from its first minute on, up or down, and one that the next bars confirm however wide', () => {
      for (const times of [1.5, 1.9, 0.55]) {
        for (const clock of ['04:01', '04:04', '04:09']) {
          expect(viewAt(clock, minutes(645.57 * times, 0, 9), []).badPrints, `${times} ${clock}`).toBe(0);
        }
      }
      expect(viewAt('04:01', minutes(645.57 * 4, 0, 9), []).badPrints).toBe(1);
      expect(viewAt('04:09', minutes(645.57 * 4, 0, 9), []).badPrints).toBe(0);
    });

    it('leaves out a lone spike of extended hours once the bars after it contradict it, and none of the session', () => {
      const spike: Bar = [session, '04:04', 645, 900];
      const bars = [...minutes(645, 0, 4), spike, ...minutes(645, 5, 5)];
      expect(viewAt('04:05', bars, []).badPrints).toBe(0);
      expect(viewAt('04:09', bars, []).badPrints).toBe(1);
      const regular = bars.map(
        ([date, clock, ...prices]): Bar => [date, clock.replace('04', '10'), ...prices],
      );
      expect(viewAt('11:00', regular, []).badPrints).toBe(0);
    });

    it('cleans the evening before in the same way', () => {
      const evening = Array.from(
        { length: 9 },
        (_, n): Bar => [before, `16:0${n}`, 645, n === 4 ? 6450 : 645],
      );
      const view = viewAt('04:02', [...evening, ...minutes(92.4, 0, 2)]);
      expect(Math.max(...view.priorIntraday.high)).toBeCloseTo(645 / 7, 9);
      expect(view.badPrints).toBe(0);
    });
  });

  it('shows the profile that was known, not the one that came later', () => {
    const profile = (knownAt: number, companyName: string) =>
      factOf('profile', knownAt, profileWith({ companyName }));
    const facts = [profile(at('2014-06-03', '12:00'), 'Old'), profile(at('2014-06-09', '12:00'), 'New')];
    const made = tapeOf(
      dates.map((date) => daily(date, 100)),
      [],
      { facts },
    );
    const nameOn = (date: string) => viewOn(made, date).facts.profile[0]?.companyName;
    expect([nameOn('2014-06-02'), nameOn('2014-06-06'), nameOn('2014-06-09')]).toEqual([
      undefined,
      'Old',
      'New',
    ]);
  });

  it('prefers one-minute bars and falls back to five-minute bars', () => {
    const fives = [minute('2014-06-04', '09:30', 1), minute('2014-06-05', '09:30', 2)];
    const made = handMadeTape('X', [
      { kind: 'bars-5m', columns: barsOf('bars-5m', fives) },
      { kind: 'bars-1m', columns: barsOf('bars-1m', [minute('2014-06-05', '09:30', 3)]) },
    ]);
    const view = viewOn(made, '2014-06-05');
    expect([view.intradayInterval, view.intraday.close[0]]).toEqual(['1m', 3]);
    expect([view.priorIntradayInterval, view.priorIntraday.close[0]]).toEqual(['5m', 1]);
  });

  it('keeps after-hours minutes that lie past midnight UTC with their trade date', () => {
    const minutes = [
      minute('2014-01-08', '15:59', 1),
      minute('2014-01-08', '19:59', 2),
      minute('2014-01-09', '04:00', 3),
    ];
    const view = viewOn(tapeOf([], minutes), '2014-01-08');
    expect([...view.intraday.close]).toEqual([1, 2]);
  });

  it('names the neighbouring dates of a day without a bar', () => {
    const rows = ['2014-06-02', '2014-06-05'].map((date) => daily(date, 100));
    const { tape, reader } = tapeOf(rows);
    const day = (date: string) => midnightUtc(date) / 86_400_000;
    expect(neighbouringDays(reader, tape, day('2014-06-03'))).toEqual({
      before: day('2014-06-02'),
      after: day('2014-06-05'),
    });
    expect(neighbouringDays(reader, tape, day('2014-06-05'))).toEqual({
      before: day('2014-06-02'),
      after: null,
    });
  });
});
