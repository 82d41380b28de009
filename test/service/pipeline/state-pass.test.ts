import { describe, expect, it } from 'vitest';
import { STATE_WIDTH } from '../../../src/analysis/similarity/states.ts';
import type { App } from '../../../src/app.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../../src/base/calendar.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { readStateYearsAfter } from '../../../src/graph/stock-states.ts';
import { keepStatesFresh } from '../../../src/pipeline/background-pass.ts';
import { bringStatesUpToDate, type StateReport } from '../../../src/pipeline/state-pass.ts';
import { ANALOG_STOCKS, analogMarket } from '../../support/analog-market.ts';
import { bring, freshApp, freshMarket } from '../../support/app.ts';
import { alteredAfter, rowsBetween } from '../../support/market.ts';

const FROM = '2022-08-15';
const TO = '2023-09-15';
const NEXT = '2023-09-18';
const NOW = '2023-09-20T12:00:00Z';

interface StoredState {
  readonly symbol: string;
  readonly date: string;
  readonly logReturn: number;
  readonly state: readonly number[];
}

async function statesOf({ context }: Pick<App, 'context'>): Promise<StoredState[]> {
  const years = await readStateYearsAfter(context.database, false, 0, 1_000);
  return years
    .flatMap(({ symbol, days, logReturns, states }) =>
      Array.from(days, (day, row): StoredState => {
        const state = [...states.subarray(row * STATE_WIDTH, (row + 1) * STATE_WIDTH)];
        return { symbol, date: dateOf(day * DAY_MS), logReturn: logReturns[row]!, state };
      }),
    )
    .sort((one, other) => (`${one.symbol} ${one.date}` < `${other.symbol} ${other.date}` ? -1 : 1));
}

/** Places of the states that differ between two lists of the same days. */
const differing = (one: readonly StoredState[], other: readonly StoredState[]): StoredState[] =>
  one.filter(({ state }, at) => state.some((value, place) => value !== other[at]!.state[place]));

/** A derivation pool that breaks at the first symbol from this one on, as a process that is killed leaves the store. */
function breakingFrom(deriver: App['context']['deriver'], first: string): App['context']['deriver'] {
  return {
    ...deriver,
    states: (request, options) =>
      request.tapes.some(({ symbol }) => symbol >= first)
        ? Promise.reject(new Error('the process was killed'))
        : deriver.states(request, options),
  };
}

const MARKET = analogMarket(FROM, TO);

/** An app on a market whose states are derived, and these. */
async function derivedMarket(): Promise<{ app: App; before: StoredState[] }> {
  const app = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
  await bringStatesUpToDate(app.context);
  return { app, before: await statesOf(app) };
}

describe('a pass over states', () => {
  it('keeps one for every completed session with a year behind it, and a second time has nothing to do', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
    const first = await bringStatesUpToDate(app.context);
    const states = await statesOf(app);
    const sessions = app.context.calendar.sessionsBetween(FROM, TO);
    expect(states.filter(({ symbol }) => symbol === 'AA').map(({ date }) => date)).toEqual(
      sessions.slice(252),
    );
    expect([...new Set(states.map(({ symbol }) => symbol))]).toEqual([...ANALOG_STOCKS, 'SPY']);
    expect(first).toEqual({ symbols: 7, written: states.length, failed: [] });
    expect(states[0]!.state).toHaveLength(32);
    expect(await bringStatesUpToDate(app.context)).toEqual({ symbols: 0, written: 0, failed: [] });
  });

  it('adds the new session to its year when one comes', async () => {
    const { app } = await freshApp({ TIGRAPH_NOW: NOW });
    const deliveries = analogMarket(FROM, NEXT);
    await bring(
      app,
      deliveries.map((delivery) => rowsBetween(delivery, 0, midnightUtc(NEXT))),
    );
    await bringStatesUpToDate(app.context);
    const before = await statesOf(app);
    await bring(
      app,
      deliveries.map((delivery) => rowsBetween(delivery, midnightUtc(NEXT), Infinity)),
    );
    expect(await bringStatesUpToDate(app.context)).toMatchObject({ symbols: 7 });
    const after = await statesOf(app);
    expect(after.filter(({ date }) => date < NEXT)).toEqual(before);
    const atOnce = await freshMarket({ TIGRAPH_NOW: NOW }, deliveries);
    await bringStatesUpToDate(atOnce.context);
    expect(await statesOf(atOnce)).toEqual(after);
  });

  it('waits for the close, and for the delay after it', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: '2023-09-15T20:14:59Z' }, MARKET);
    await bringStatesUpToDate(app.context);
    expect((await statesOf(app)).at(-1)!.date).toBe('2023-09-14');
    await bringStatesUpToDate({ ...app.context, delayMs: 0 });
    expect((await statesOf(app)).at(-1)!.date).toBe('2023-09-15');
  });

  it('derives again from a corrected bar on', async () => {
    const { app, before } = await derivedMarket();
    await bring(app, [alteredAfter(MARKET[1]!, midnightUtc('2023-09-11'), 1.1)]);
    const ofYear = before.filter(({ symbol, date }) => symbol === 'BB' && date.startsWith('2023')).length;
    expect(await bringStatesUpToDate(app.context)).toMatchObject({ symbols: 1, written: ofYear });
    const changed = differing(await statesOf(app), before);
    expect(changed.map(({ symbol, date }) => `${symbol} ${date}`)).toEqual(
      ['11', '12', '13', '14', '15'].map((day) => `BB 2023-09-${day}`),
    );
  });

  it('follows a correction of the index in every stock, from its day on', async () => {
    const { app, before } = await derivedMarket();
    await bring(app, [alteredAfter(MARKET[6]!, midnightUtc('2023-09-14'), 0.97)]);
    await bringStatesUpToDate(app.context);
    const changed = differing(await statesOf(app), before);
    expect([...new Set(changed.map(({ symbol }) => symbol))]).toEqual([...ANALOG_STOCKS, 'SPY']);
    expect([...new Set(changed.map(({ date }) => date))].sort()).toEqual(['2023-09-14', '2023-09-15']);
  });

  it('is moved by no split: prices on another basis are the same story', async () => {
    const { app, before } = await derivedMarket();
    // Seven for one after the last bar but two: what lies before it is traded at seven times the price.
    const ex = midnightUtc('2023-09-14');
    const split = alteredAfter(MARKET[2]!, ex, 1 / 7);
    split.columns.volume.forEach((_, row) => {
      split.columns.volume[row] = MARKET[2]!.columns.volume[row]! * (split.columns.time[row]! >= ex ? 7 : 1);
    });
    await bring(app, [
      split,
      { kind: 'actions', symbol: 'CC', actions: [{ kind: 'split', exDate: ex, value: 7 }] },
    ]);
    expect((await bringStatesUpToDate(app.context)).symbols).toBe(1);
    const after = await statesOf(app);
    for (const [at, row] of after.entries()) {
      for (const [place, value] of row.state.entries()) {
        const was = before[at]!.state[place]!;
        expect(Math.abs(value - was), `${row.symbol} ${row.date} ${place}`).toBeLessThanOrEqual(1);
      }
      expect(row.logReturn).toBe(before[at]!.logReturn);
    }
  });

  it('goes on where an interruption left it', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
    const broken = { ...app.context, deriver: breakingFrom(app.context.deriver, 'EE') };
    await expect(bringStatesUpToDate(broken)).rejects.toThrow('the process was killed');
    const left = new Set((await statesOf(app)).map(({ symbol }) => symbol));
    expect([...left]).toEqual(['AA', 'BB', 'CC', 'DD']);
    // Years that were written before their source was.
    await app.context.database.query(`delete from stock_state_source where symbol = 'BB'`);
    expect((await bringStatesUpToDate(app.context)).symbols).toBe(4);
    const whole = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
    await bringStatesUpToDate(whole.context);
    expect(await statesOf(app)).toEqual(await statesOf(whole));
  });

  it('ends when it is called off, and removes what a year no longer has', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
    expect(await bringStatesUpToDate(app.context, { signal: AbortSignal.abort() })).toMatchObject({
      written: 0,
    });
    await bringStatesUpToDate(app.context);
    await app.context.database.query(
      `insert into stock_state_year (symbol, year, digest, days, log_returns, states)
       select symbol, 2021, 'gone', days, log_returns, states from stock_state_year where symbol = 'AA' and year = 2023`,
    );
    await app.context.database.query(`delete from stock_state_source where symbol = 'AA'`);
    expect(await bringStatesUpToDate(app.context)).toMatchObject({ symbols: 1, written: 0 });
    const states = await statesOf(app);
    expect(new Set(states.map(({ symbol, date }) => `${symbol} ${date}`)).size).toBe(states.length);
  });

  it('runs in the background, and stops on a signal', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
    const passes: StateReport[] = [];
    const timers = new SteppedTimers();
    const scope = new Scope('passes', timers);
    const onError = (error: unknown): void => expect.fail(String(error));
    await keepStatesFresh(scope, app.context, { onPass: (report) => passes.push(report), onError });
    await timers.advance(4_999, () => scope.idle());
    expect(passes).toEqual([]);
    await timers.advance(1, () => scope.idle());
    expect(passes).toMatchObject([{ symbols: 7 }]);
    await scope.close();
    expect(await bringStatesUpToDate(app.context)).toEqual({ symbols: 0, written: 0, failed: [] });
  });

  it('reads only the named stocks when some are named', async () => {
    const app = await freshMarket({ TIGRAPH_NOW: NOW }, MARKET);
    expect(await bringStatesUpToDate(app.context, { symbols: ['DD', '^VIX', 'NONE'] })).toMatchObject({
      symbols: 1,
    });
    expect([...new Set((await statesOf(app)).map(({ symbol }) => symbol))]).toEqual(['DD']);
  });
});
