import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { realDataPlan } from '../../../src/files/real-data.ts';
import { VenueQuotes } from '../../../src/files/taq.ts';
import { flowReference, roundedSums, summedFlow } from '../../support/flow-reference.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { barsIn, deliveriesOf } from './feed-probe.ts';

const calendar = newYorkCalendar();

describe('the best quote out of the quotes of exchanges', () => {
  const [N, P, Q] = [78, 80, 81];

  it('is the highest bid and the lowest ask', () => {
    const venues = new VenueQuotes();
    venues.set(N, 10, 10.1);
    venues.set(P, 10.02, 10.12);
    expect([venues.bid, venues.ask]).toEqual([10.02, 10.1]);
    venues.set(P, 9.98, 10.08);
    expect([venues.bid, venues.ask]).toEqual([10, 10.08]);
    venues.set(N, Number.NaN, Number.NaN);
    expect([venues.bid, venues.ask]).toEqual([9.98, 10.08]);
  });

  it('drops a side that a newer quote locks or crosses, until its exchange speaks again', () => {
    const venues = new VenueQuotes();
    venues.set(N, 10, 10.1);
    venues.set(P, 10.02, 10.12);
    venues.set(Q, 9.98, 10.02); // locks the bid of P
    expect([venues.bid, venues.ask]).toEqual([10, 10.02]);
    venues.set(Q, 9.98, 10.2);
    expect([venues.bid, venues.ask]).toEqual([10, 10.1]);
    venues.set(P, 10.02, 10.12);
    expect([venues.bid, venues.ask]).toEqual([10.02, 10.1]);
  });

  it('is none while nobody quotes', () => {
    const venues = new VenueQuotes();
    expect([venues.bid, venues.ask]).toEqual([Number.NaN, Number.NaN]);
    venues.set(N, Number.NaN, 10.1);
    expect([venues.bid, venues.ask]).toEqual([Number.NaN, 10.1]);
  });
});

describe('the recorded session', () => {
  it('yields the reference figures', async (test) => {
    const folder = realDataDirectory;
    test.skip(folder === null, ABSENT);
    const part = (await realDataPlan(folder!, calendar)).find(({ title }) => title === 'trades and quotes');
    const deliveries = await deliveriesOf(part!.feed);
    const flow = deliveries.find(({ kind }) => kind === 'flow-minutes');
    if (flow?.kind !== 'flow-minutes') throw new Error('no flow');
    const { symbol, columns } = flow;
    const expected = flowReference['XXX 2018-01-02']!;
    const session = calendar.session('2018-01-02')!;
    expect(symbol).toBe('XXX');
    expect(columns.time.length).toBe(expected.minutes);
    expect(summedFlow(columns, session.preOpen, session.postClose)).toEqual(roundedSums(expected.day));
    expect(summedFlow(columns, session.open, session.close)).toEqual(roundedSums(expected.regular));
    const bars = barsIn(deliveries, 'XXX')[0]!.columns;
    const rows = [...bars.time.keys()].filter(
      (row) => bars.time[row]! >= session.open && bars.time[row]! < session.close,
    );
    const of = (column: Float64Array): number[] => rows.map((row) => column[row]!);
    const whole = [
      of(bars.open)[0],
      Math.max(...of(bars.high)),
      Math.min(...of(bars.low)),
      of(bars.close).at(-1),
    ];
    expect(whole).toEqual(expected.eligible);
  });
});
