import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { companySymbols } from '../../../src/simulated/companies.ts';
import { deliveredBySymbol, END } from './simulated-probe.ts';

/** A mid-sized and a small company: minutes with hundreds of prints, and minutes with one or none. */
const [LIVELY, QUIET] = [companySymbols(40)[39]!, companySymbols(3000)[2999]!];

describe.each([LIVELY, QUIET])('order flow and quotes of %s', (symbol) => {
  const delivered = deliveredBySymbol(
    {
      symbols: symbol === QUIET ? 3000 : 40,
      days: 1,
      minuteSessions: 1,
      quoteSessions: 1,
      tickSessions: 1,
    },
    symbol,
  ).then((bySymbol) => bySymbol.get(symbol)!);
  const total = (column: Float64Array): number => column.reduce((sum, value) => sum + value, 0);

  it('sum up to the minute bars', async () => {
    const { minutes, flowMinutes } = await delivered;
    const [bars, flow] = [minutes[0]!, flowMinutes[0]!];
    expect([...flow.time]).toEqual([...bars.time]);
    expect([...flow.volume]).toEqual([...bars.volume]);
    for (const row of flow.time.keys()) {
      const price = flow.notional[row]! / flow.volume[row]!;
      expect(price).toBeGreaterThanOrEqual(bars.low[row]! - 1e-9);
      expect(price).toBeLessThanOrEqual(bars.high[row]! + 1e-9);
    }
  });

  it('are parts of their volume in whole shares', async () => {
    const [flow] = (await delivered).flowMinutes;
    const { volume, buyByQuote, sellByQuote, buyByTick, sellByTick } = flow!;
    for (const [row, shares] of volume.entries()) {
      const sides = [buyByQuote[row]!, sellByQuote[row]!, buyByTick[row]!, sellByTick[row]!];
      const parts = [...sides, flow!.offExchangeVolume[row]!, flow!.blockVolume[row]!, flow!.trades[row]!];
      expect(parts.every((part) => Number.isInteger(part) && part >= 0 && part <= shares)).toBe(true);
      expect(sides.reduce((sum, part) => sum + part)).toBeLessThanOrEqual(shares);
      expect(flow!.trades[row]).toBeGreaterThanOrEqual(1);
    }
    const off = total(flow!.offExchangeVolume) / total(volume);
    expect(off).toBeGreaterThan(0.25);
    expect(off).toBeLessThan(0.43);
    const classified = sidesOf([buyByQuote, sellByQuote, buyByTick, sellByTick]) / total(volume);
    expect(classified).toBeGreaterThan(0.9);
    if (symbol === LIVELY) expect(classified).toBeLessThan(1);
  });

  it('buy more in minutes that rise', async () => {
    const { minutes, flowMinutes } = await delivered;
    const { open, close } = minutes[0]!;
    const { buyByQuote, sellByQuote } = flowMinutes[0]!;
    const boughtWhere = (way: number): number => {
      const rows = [...open.keys()].filter((row) => Math.sign(close[row]! - open[row]!) === way);
      const bought = rows.reduce((sum, row) => sum + buyByQuote[row]!, 0);
      return bought / rows.reduce((sum, row) => sum + buyByQuote[row]! + sellByQuote[row]!, 0);
    };
    expect(boughtWhere(1)).toBeGreaterThan(0.6);
    expect(boughtWhere(-1)).toBeLessThan(0.4);
  });

  it('have an uncrossed quote bar in every regular minute, around the trades', async () => {
    const { minutes, quotes } = await delivered;
    const { open, close } = newYorkCalendar().session(END)!;
    const [bars, quote] = [minutes[0]!, quotes[0]!];
    expect([...quote.time].filter((time) => time >= open && time < close)).toHaveLength(390);
    const rowAt = new Map([...quote.time].map((time, row) => [time, row]));
    for (const [row, time] of bars.time.entries()) {
      const at = rowAt.get(time)!;
      expect(quote.bidLow[at]).toBeLessThanOrEqual(bars.low[row]!);
      expect(quote.askHigh[at]).toBeGreaterThanOrEqual(bars.high[row]!);
      expect(quote.bidOpen[at]).toBeLessThan(quote.askOpen[at]!);
      expect(quote.bidClose[at]).toBeLessThan(quote.askClose[at]!);
    }
  });
});

const sidesOf = (columns: readonly Float64Array[]): number =>
  columns.reduce((sum, column) => sum + column.reduce((own, value) => own + value, 0), 0);

describe('order flow', () => {
  it('is none of the volatility index', async () => {
    const bySymbol = await deliveredBySymbol({ symbols: 1, days: 1, minuteSessions: 1, tickSessions: 1 });
    expect(bySymbol.get('^SIMVIX')!.flowMinutes).toEqual([]);
    expect(bySymbol.get('SIMX')!.flowMinutes).toHaveLength(1);
  });
});
