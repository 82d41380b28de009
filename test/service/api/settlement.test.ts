import { describe, expect, it } from 'vitest';
import { SETTLEMENTS, type Settlement } from '../../../src/base/option-roots.ts';
import { contractColumns, type OptionChain } from '../../../src/market/chains.ts';
import { bring, freshApp, serverOf } from '../../support/app.ts';
import { madeChain, strikesOf } from '../../support/made-chain.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';
import { instant, sessionsBefore } from '../../support/views.ts';

/** What of a chain counts on the morning and on the evening of an expiration: sums by hand. */

interface Listed {
  readonly expiration: string;
  readonly settles: Settlement;
  /** Open calls and puts at each strike, and contracts of each traded today. */
  readonly calls: number;
  readonly puts: number;
  readonly volume?: number;
}

/** So near the money that each is quoted minutes before its end. */
const LADDER = strikesOf(99.6, 100.4, 0.1);
const STRIKES = LADDER.length;

/** A chain of several classes, all quoted. */
function classedChain(symbol: string, date: string, clock: string, listed: readonly Listed[]) {
  const chains = listed.map(({ expiration, settles, calls, puts, volume = 0 }) =>
    madeChain({
      symbol,
      date,
      clock,
      style: symbol.startsWith('^') ? 'european' : 'american',
      expirations: [expiration],
      strikes: LADDER,
      openInterest: (_, right) => (right > 0 ? calls : puts),
      volume: () => volume,
      revise: (contract) => ({ ...contract, settlement: SETTLEMENTS.indexOf(settles) }),
    }),
  );
  const contracts = contractColumns((name) =>
    Float64Array.from(chains.flatMap((chain) => [...chain.contracts[name]])),
  );
  return { kind: 'chain' as const, chain: { ...chains[0]!, contracts } satisfies OptionChain };
}

/** Open calls and puts in the exposure that is served at a clock of New York, and the expirations that have any. */
async function served(symbol: string, date: string, clock: string) {
  const asOf = new Date(instant(date, clock)).toISOString();
  const url = `/api/graph/v1/options/${encodeURIComponent(symbol)}/exposure?as_of=${asOf}`;
  const answer = (await server.inject({ url })).json();
  return {
    calls: answer.total?.call_open_interest,
    puts: answer.total?.put_open_interest,
    expirations: answer.by_expiration.map(
      ({ expiration, settlement }: Record<string, string>) => `${expiration} ${settlement}`,
    ),
    remark: answer.availability_qualifier,
  };
}

const { app } = await freshApp({ TIGRAPH_NOW: '2024-07-01T15:00:00Z' });
const FRIDAY = '2024-06-21';
const index: readonly Listed[] = [
  { expiration: FRIDAY, settles: 'open', calls: 20_000, puts: 2_000 },
  { expiration: FRIDAY, settles: 'close', calls: 500, puts: 1_500, volume: 10 },
  { expiration: '2024-06-28', settles: 'close', calls: 300, puts: 700, volume: 5 },
];
const stock: readonly Listed[] = [
  { expiration: FRIDAY, settles: 'close', calls: 40, puts: 60, volume: 4 },
  { expiration: '2024-06-28', settles: 'close', calls: 10, puts: 20, volume: 2 },
];
await bring(app, [
  classedChain('^SPX', '2024-06-20', '15:45', index),
  classedChain('^SPX', FRIDAY, '09:45', index),
  classedChain('^SPX', FRIDAY, '15:45', index),
  // The third Friday of July 2024 is the 19th; volatility settles on the Wednesday thirty days before: June 18, as the 19th
  // is a holiday.
  classedChain('^VIX', '2024-06-17', '15:45', [
    { expiration: '2024-06-18', settles: 'open', calls: 900, puts: 100 },
    { expiration: '2024-06-26', settles: 'open', calls: 30, puts: 10 },
  ]),
  classedChain('^XYZ', '2024-06-20', '15:45', [
    { expiration: FRIDAY, settles: 'unknown', calls: 7, puts: 9 },
    { expiration: '2024-06-28', settles: 'close', calls: 1, puts: 1 },
  ]),
  dailyBars('ACME', sessionsBefore(FRIDAY, 300)[0]!, '2024-06-20'),
  minuteBars('ACME', FRIDAY, FRIDAY),
  classedChain('ACME', FRIDAY, '15:45', stock),
]);
const server = await serverOf(app);

describe('contracts of an index', () => {
  it('count on the evening before, on the morning to the opening alone, and the weekly class to the close', async () => {
    const all = { calls: STRIKES * 20_800, puts: STRIKES * 4_200 };
    const afterOpen = { calls: STRIKES * 800, puts: STRIKES * 2_200 };
    const afterClose = { calls: STRIKES * 300, puts: STRIKES * 700 };
    const three = [`${FRIDAY} open`, `${FRIDAY} close`, '2024-06-28 close'];
    expect(await served('^SPX', '2024-06-20', '17:00')).toMatchObject({ ...all, expirations: three });
    expect(await served('^SPX', FRIDAY, '09:29')).toMatchObject({ ...all, expirations: three });
    for (const clock of ['09:30', '09:31', '09:50', '15:59']) {
      expect(await served('^SPX', FRIDAY, clock), clock).toMatchObject({
        ...afterOpen,
        expirations: three.slice(1),
      });
    }
    for (const clock of ['16:00', '17:30', '19:59']) {
      expect(await served('^SPX', FRIDAY, clock), clock).toMatchObject({
        ...afterClose,
        expirations: three.slice(2),
      });
    }
    expect(await served('^SPX', '2024-06-24', '08:00')).toMatchObject(afterClose);
  });

  it('of volatility settle on the morning of their date', async () => {
    expect(await served('^VIX', '2024-06-18', '09:29')).toMatchObject({ calls: STRIKES * 930 });
    expect(await served('^VIX', '2024-06-18', '09:30')).toMatchObject({
      calls: STRIKES * 30,
      puts: STRIKES * 10,
      expirations: ['2024-06-26 open'],
    });
  });

  it('whose class nobody knows count to the close, and are named', async () => {
    const morning = await served('^XYZ', FRIDAY, '11:00');
    expect(morning).toMatchObject({
      calls: STRIKES * 8,
      expirations: [`${FRIDAY} unknown`, '2024-06-28 close'],
    });
    expect(morning.remark).toContain(
      `Settlement at the open is not known of these, which count to the close: ${2 * STRIKES} contracts of ${FRIDAY}.`,
    );
    expect(await served('^XYZ', FRIDAY, '16:00')).toMatchObject({ calls: STRIKES });
  });
});

describe('contracts of a stock', () => {
  const options = async (clock: string) => {
    const asOf = new Date(instant(FRIDAY, clock)).toISOString();
    return (await server.inject({ url: `/api/graph/v1/stocks/ACME?as_of=${asOf}` })).json().options;
  };

  it('are open to the close, and traded on its day', async () => {
    expect(await served('ACME', FRIDAY, '15:50')).toMatchObject({ calls: STRIKES * 50, puts: STRIKES * 80 });
    expect(await served('ACME', FRIDAY, '16:00')).toMatchObject({ calls: STRIKES * 10, puts: STRIKES * 20 });
    const [before, after] = [await options('15:50'), await options('16:30')];
    expect([before.chain_total_oi, after.chain_total_oi]).toEqual([STRIKES * 130, STRIKES * 30]);
    expect([before.chain_volume_1d, after.chain_volume_1d]).toEqual([2 * STRIKES * 6, 2 * STRIKES * 6]);
  });
});
