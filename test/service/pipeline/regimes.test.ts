import { afterAll, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { gex } from '../../../src/blocks/gex.ts';
import { deriveWith } from '../../../src/derive/compose.ts';
import { unknownMarket } from '../../../src/market/market-view.ts';
import { regimesOf } from '../../../src/records/date-regimes.ts';
import { readStockView, SegmentReader } from '../../../src/tape/index.ts';
import { bring, freshApp } from '../../support/app.ts';
import { claimChains, claimDays } from '../../support/claim-market.ts';

const calendar = newYorkCalendar();
const DATES = calendar.sessionsBetween('2025-05-12', '2025-05-23');
/** Sessions in which a chain was taken. */
const CHAINS = [DATES[1]!, DATES[6]!];

const { app } = await freshApp({ TIGRAPH_NOW: '2025-07-01T12:00:00Z' });
const days = claimDays('2024-09-03', '2024-09-03', '2025-06-30').map((delivery) =>
  delivery.symbol === 'SA' ? { ...delivery, symbol: 'SPY' } : delivery,
);
await bring(app, [...days, ...claimChains(days, 'SPY', CHAINS)]);
const { tape } = app.context;
const reader = new SegmentReader(tape.location);
afterAll(() => reader.close());

it("a date has the regime of the dealers' gamma that the index's newest chain had before its open", async () => {
  const [from, to] = [calendar.session(DATES[0]!)!.open, calendar.session(DATES.at(-1)!)!.open];
  const requests = (await tape.symbolTapes(['SPY'])).map((of) => ({ tape: of, from, to }));
  const indices = await tape.withFacts(requests, { kinds: [] });
  const found = regimesOf({ reader, calendar }, { tapes: [], indices, dates: DATES });
  const served = (date: string): string => {
    const prior = calendar.previousSession(date)!;
    const view = readStockView(reader, indices[0]!, calendar, prior, calendar.session(prior)!.postClose)!;
    const regime = deriveWith(gex, view, unknownMarket(prior, view.asOf)).flat.gex_regime!;
    return regime === 'neutral' ? 'neutral_gamma' : regime;
  };
  const after = (chain: string): string => calendar.nextSession(chain)!;
  for (const [place, date] of DATES.entries()) {
    const prior = calendar.previousSession(date)!;
    // A chain is old once a session has passed without another.
    const isKnown = CHAINS.some((chain) => date === after(chain) || prior === after(chain));
    expect([date, found[place]]).toEqual([date, isKnown ? [served(date)] : []]);
  }
  expect(found.flat().length).toBe(4);
});
