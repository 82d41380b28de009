import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { type TextFile, textFiles } from '../../../src/files/archive.ts';
import { chainJoining, chainsFeed } from '../../../src/files/chains/feed.ts';
import { keyedFiles } from '../../../src/files/found-files.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import { deliveriesOf, refusalsIn, temporaryFolder, written } from './feed-probe.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
const HEAD =
  'contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,volume,openInterest,impliedVolatility,contractSize';

interface Contract {
  readonly expiration: string;
  readonly right: 'C' | 'P';
  readonly strike: number;
  readonly minute: number;
}
const ALL: Contract[] = ['240621', '240719', '240816'].flatMap((expiration, at) =>
  (['C', 'P'] as const).flatMap((right, side) =>
    [90, 95, 100, 105, 110].map((strike, row) => ({
      expiration,
      right,
      strike,
      minute: 10 + at * 7 + side * 5 + row,
    })),
  ),
);
const line = ({ expiration, right, strike, minute }: Contract): string =>
  `QZPC${expiration}${right}${String(strike * 1000).padStart(8, '0')},2024-06-12 19:${minute}:00+00:00,${strike},1,0.95,1.05,3,${strike},0.2,REGULAR`;
const fileOf = (contracts: readonly Contract[]): string => `${HEAD}\n${contracts.map(line).join('\n')}\n`;

const folderOf = (files: Readonly<Record<string, string>>): string => written(root, files).folder;
async function chainsIn(path: string) {
  const { feeds } = await anyFiles([path], { calendar });
  const deliveries = await deliveriesOf(feeds[0]!);
  const chains = deliveries.flatMap((it) => (it.kind === 'chain' ? [validateChain(it.chain).chain] : []));
  return { chains, refused: refusalsIn(deliveries).map(({ example }) => example) };
}

it('of a chain split over files in any way give the whole chain', async () => {
  const whole = await chainsIn(folderOf({ 'QZPC.csv': fileOf(ALL) }));
  expect(whole.chains).toHaveLength(1);
  const byRight = fc.record({ calls: fc.integer({ min: 0, max: 2 }), puts: fc.integer({ min: 0, max: 2 }) });
  const places = fc.tuple(byRight, byRight, byRight);
  await fc.assert(
    fc.asyncProperty(places, fc.boolean(), async (parts, isZipped) => {
      const files = Map.groupBy(ALL, ({ expiration, right }) => {
        const { calls, puts } = parts[['240621', '240719', '240816'].indexOf(expiration)]!;
        return right === 'C' ? calls : puts;
      });
      const within = isZipped ? 'parts.zip/' : '';
      const texts = Array.from(files, ([place, own]) => [`${within}QZPC_part${place}.csv`, fileOf(own)]);
      expect(await chainsIn(folderOf(Object.fromEntries(texts)))).toEqual(whole);
    }),
    { numRuns: 20, seed: 52 },
  );
});

it('are parsed once, whatever their size, and refused with what was wrong in them', async () => {
  const files = {
    'QZPC_calls.csv': ALL.filter(({ right }) => right === 'C'),
    'QZPC_puts.csv': ALL.filter(({ right }) => right === 'P'),
  };
  const texts = Object.fromEntries(
    Object.entries(files).map(([name, own]) => [name, `${fileOf(own)}QZPC240621C000x,no,1\n`]),
  );
  const joining = chainJoining(calendar);
  const { files: keyed } = await keyedFiles([folderOf(texts)]);
  expect(await joining.groups(keyed)).toEqual([keyed]);
  let parsed = 0;
  for (const { path, key } of keyed) {
    const again = async (): Promise<Delivery[]> => {
      const found: Delivery[] = [];
      for await (const file of textFiles(path, key)) {
        const counted = {
          ...(file as TextFile),
          chunks: () => {
            parsed++;
            return (file as TextFile).chunks();
          },
        };
        found.push(...(await Array.fromAsync(joining.rows(counted))));
      }
      return found;
    };
    const kept = await again();
    expect(parsed).toBe(0);
    expect(kept.map(({ kind }) => kind)).toEqual(['chain', 'refused']);
    expect(await again()).toEqual(kept);
    expect(parsed).toBeGreaterThan(0);
    parsed = 0;
  }
});

it('are refused alone, and chains of several times stay apart', async () => {
  for (const count of [1, 2, 4]) {
    const few = await chainsIn(folderOf({ 'QZPC.csv': fileOf(ALL.slice(0, count)) }));
    expect(few).toMatchObject({
      chains: [],
      refused: [expect.stringMatching(/calls alone, which is a part/)],
    });
  }
  const calls = ALL.filter(({ right }) => right === 'C');
  const path = folderOf({ 'QZPC_calls.csv': fileOf(calls) });
  expect(await chainsIn(path)).toEqual({
    chains: [],
    refused: [
      'the chain of QZPC has calls alone, which is a part: bring the file of its puts in the same import, as a folder or behind it',
    ],
  });
  const readings = await Array.fromAsync(chainsFeed({ paths: [path], calendar }).readings());
  expect(readings[0]!.read).toMatchObject({ reason: 'missing_value' });
  const later = ALL.map((contract) => ({ ...contract, minute: contract.minute + 10 }));
  const both = await chainsIn(folderOf({ 'QZPC_1.csv': fileOf(ALL), 'QZPC_2.csv': fileOf(later) }));
  expect(both.chains.map((chain) => chain!.contracts.strike.length)).toEqual([30, 30]);
});

it('in JSON by right are one chain', async () => {
  const sideOf = (right: 'CALL' | 'PUT'): string =>
    JSON.stringify({
      symbol: 'QZPC',
      underlyingPrice: 100,
      [right === 'CALL' ? 'callExpDateMap' : 'putExpDateMap']: {
        '2024-06-21:9': Object.fromEntries(
          [90, 95, 100, 105, 110].map((strike) => [
            strike,
            [
              {
                symbol: `QZPC  240621${right[0]}${String(strike * 1000).padStart(8, '0')}`,
                strikePrice: strike,
                bid: 1,
                ask: 1.1,
                openInterest: 10,
                multiplier: 100,
                quoteTimeInLong: Date.parse('2024-06-12T19:30:00Z') + (right === 'PUT' ? 60_000 : 0),
              },
            ],
          ]),
        ),
      },
    });
  const { chains, refused } = await chainsIn(folderOf({ 'a.json': sideOf('CALL'), 'b.json': sideOf('PUT') }));
  expect(refused).toEqual([]);
  expect(chains).toMatchObject([{ takenAt: Date.parse('2024-06-12T19:31:00Z') }]);
  expect(chains[0]!.contracts.strike).toHaveLength(10);
  expect((await chainsIn(folderOf({ 'a.json': sideOf('CALL') }))).chains).toEqual([]);
});
