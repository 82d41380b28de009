import { describe, expect, it } from 'vitest';
import {
  CHAIN_DOWNLOADS,
  CONTRACTS,
  type ContentDownload,
  chainsOf,
  FACT_DOWNLOADS,
  factsOf,
  TAKEN_AT,
  textOf,
  UNDERLYING_PRICE,
} from '../../../docs/content-downloads.ts';
import type { CsvFeed } from '../../../src/files/bars/csv.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import { deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';

const root = temporaryFolder();

async function read(
  download: ContentDownload,
  open: (path: string, download: ContentDownload) => CsvFeed,
): Promise<Delivery[]> {
  return deliveriesOf(open(fileIn(root, download.file, textOf(download)), download));
}

/** What a layout does not have. */
const LACKS: Readonly<Record<string, readonly string[]>> = {
  'yfinance, `option_chain`': ['price', 'delta', 'gamma'],
  Tradier: ['price'],
  'Alpaca, snapshots': ['price', 'interest'],
  OptionsDX: ['interest'],
  'ORATS, data API, CSV': ['last'],
  'ORATS, data API, JSON': ['last'],
  'ORATS, file of a day': ['last'],
};

describe('a download of a chain', () => {
  it.each(CHAIN_DOWNLOADS)('of $source comes in as it was', async (download) => {
    const lacks = LACKS[download.source] ?? [];
    const deliveries = await read(download, chainsOf);
    expect(refusalsIn(deliveries)).toEqual([]);
    const [delivery, ...others] = deliveries;
    expect(others).toEqual([]);
    if (delivery?.kind !== 'chain') throw new Error('no chain');
    const { chain, refused } = validateChain(delivery.chain);
    expect(refused).toEqual([]);
    const end = download.source === 'Cboe, quote table' ? -1 : 0;
    expect([chain!.symbol, chain!.takenAt, chain!.underlyingPrice]).toEqual([
      'QQAA',
      TAKEN_AT + end,
      lacks.includes('price') ? Number.NaN : UNDERLYING_PRICE,
    ]);
    const { strike, expiration, bid, ask, last, volume, openInterest, vendorIv, vendorDelta, vendorGamma } =
      chain!.contracts;
    expect([...strike]).toEqual([100, 100]);
    expect([...expiration]).toEqual([Date.UTC(2024, 5, 21), Date.UTC(2024, 5, 21)]);
    const columns = {
      bid,
      ask,
      last,
      volume,
      interest: openInterest,
      delta: vendorDelta,
      gamma: vendorGamma,
    };
    for (const [name, column] of Object.entries(columns)) {
      const wanted = CONTRACTS.map((contract) =>
        lacks.includes(name) ? Number.NaN : contract[name as keyof typeof columns],
      );
      expect([...column], name).toEqual(wanted);
    }
    for (const [row, { iv }] of CONTRACTS.entries()) expect(vendorIv[row]).toBeCloseTo(iv, 12);
  });
});

describe('a download of facts', () => {
  it.each(FACT_DOWNLOADS)('of $source comes in as it was', async (download) => {
    const deliveries = await read(download, factsOf);
    expect(refusalsIn(deliveries).filter(({ reason }) => reason !== 'repaired')).toEqual([]);
    const facts = deliveries.flatMap((one) => (one.kind === 'facts' ? one.facts : []));
    if (download.knownAt !== undefined) {
      expect(facts.map(({ kind }) => kind)).toEqual(['profile', 'fundamentals', 'shares']);
      expect(facts[1]!.value).toMatchObject({ stated: { market_cap: 5_548_889_210, beta: 1.1 } });
      return;
    }
    const publishedAt = Date.parse('2024-06-12T13:30:05Z');
    expect(facts).toEqual([
      expect.objectContaining({
        kind: 'news',
        knownAt: publishedAt,
        value: expect.objectContaining({ headline: 'QQAA opens a plant', symbols: ['QQAA'] }),
      }),
    ]);
  });
});
