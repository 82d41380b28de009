import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CHAIN_DOWNLOADS, textOf } from '../../../docs/content-downloads.ts';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { chainsFeed } from '../../../src/files/chains/feed.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { deliveriesOf, fileIn, refusalsIn, temporaryFolder } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const now = Date.parse('2024-06-14T00:00:00Z');
const root = temporaryFolder();

const write = (name: string, content: string | Uint8Array): string => fileIn(root, name, content);

/** What is worked out of a file, as `import FILE` does. */
async function readingOf(path: string) {
  const { readings } = await anyFiles([path], { calendar, now });
  const [{ read } = { read: null }, ...others] = await Array.fromAsync(readings());
  expect(others).toEqual([]);
  return read;
}

const HEAD =
  ',contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,change,percentChange,volume,openInterest,impliedVolatility,inTheMoney,contractSize,currency\n';
const row = (symbol: string, strike = 110): string =>
  `0,${symbol}240621P00${strike}000,2024-06-13 19:30:00+00:00,${strike}.0,0.55,0.5,0.6,0,0,4.0,33,0.25,False,REGULAR,USD\n`;

describe('the reading of a chain', () => {
  it('has the instant with its evidence, the contracts, the greeks and what is left out', async () => {
    const tradier = JSON.parse(
      textOf(CHAIN_DOWNLOADS.find(({ source }) => source === 'Tradier')!).replaceAll('NaN', 'null'),
    );
    const [call] = tradier.options.option;
    tradier.options.option.push({ ...call, symbol: 'QQAA1240621C00100000' });
    const read = await readingOf(write('t.json', JSON.stringify(tradier)));
    expect(read).toMatchObject({
      what: 'option chain',
      parts: {
        layout: { value: 'Tradier' },
        symbol: { value: 'QQAA' },
        taken: {
          value: '2024-06-12T19:30:00Z',
          evidence: 'the newest of bid_date, ask_date, trade_date, greeks.updated_at',
          sure: 'seen',
        },
        price: { value: 'none' },
        contracts: { value: '2' },
        greeks: { value: 'IV of all, delta of 1, gamma of all', evidence: 'of 2 contracts' },
        currency: { value: 'USD', sure: 'assumed' },
        left_out: { value: '1', evidence: expect.stringMatching(/^1 adjusted_contract: .*t\.json:3/) },
      },
    });
  });

  it('says that the caller states the instant', async () => {
    const download = CHAIN_DOWNLOADS.find(({ asOf }) => asOf !== undefined)!;
    const path = write(download.file, textOf(download));
    const [file] = await Array.fromAsync(
      chainsFeed({ paths: [path], calendar, asOf: download.asOf }).readings(),
    );
    expect(file!.read).toMatchObject({ parts: { taken: { evidence: '⟨as_of⟩', sure: 'stated' } } });
    expect(await readingOf(path)).toMatchObject({
      reason: 'bad_time',
      example: expect.stringContaining('⟨as_of⟩'),
    });
  });

  it('of a table reads its first MiB, in whole rows', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => row('QQAA', 100 + (at % 900)));
    const path = write('large.csv', HEAD + rows.join(''));
    const read = await readingOf(path);
    expect(read).toMatchObject({
      parts: {
        contracts: { value: '900', evidence: expect.stringContaining('its first 1 MiB; more follows') },
        // Repetitions, and no row that is cut.
        left_out: { evidence: expect.stringMatching(/^\d+ duplicate: [^;]*$/) },
      },
    });
  });
});

it('the reading of facts has their kinds and from when they are known', async () => {
  const lines = [
    '{"kind":"news","symbol":"QQAA","known_at":"2024-06-12T10:00:00Z","published_at":"2024-06-12T10:00:00Z","headline":"A","source":"S"}',
    '{"kind":"news","symbol":"QQAB","known_at":"2024-06-12T11:00:00Z","published_at":"2024-06-12T11:00:00Z","headline":"B","source":"S"}',
    '{"kind":"gossip","symbol":"QQAB","known_at":"2024-06-12T11:00:00Z"}',
  ];
  expect(await readingOf(write('news.jsonl', lines.join('\n')))).toMatchObject({
    what: 'reported facts',
    parts: {
      symbol: { value: 'QQAA, QQAB' },
      facts: { value: '2 news' },
      known: { value: '2024-06-12T10:00:00Z to 2024-06-12T11:00:00Z' },
      left_out: { value: '1' },
    },
  });
});

describe('a file that is no chain', () => {
  const good = HEAD + row('QQAA');
  const packed = gzipSync(textOf(CHAIN_DOWNLOADS[4]!));
  it.each<[what: string, name: string, content: string | Uint8Array, sentence: RegExp]>([
    ['of 0 bytes', 'a.csv', '', /empty: download it again/],
    ['of one line', 'a.csv', HEAD, /nothing below its head: download it again/],
    ['of HTML', 'a.json', '<!DOCTYPE html><p>503</p>', /web page.*download the data again/],
    ['in UTF-16', 'a.csv', Buffer.from(`\uFEFF${good}`, 'utf16le'), /UTF-16.*save it as UTF-8/],
    ['cut short', 'a.json', '{"options":{"option":[{"symbol":"QQ', /cut short after 35 characters: download/],
    ['cut short and packed', 'a.json.gz', packed.subarray(0, packed.length / 2), /unexpected end of file/],
    [
      'packed twice',
      'a.zip',
      zipOf([{ name: 'b.zip', data: zipOf([{ name: 'c.csv', data: good }]) }]),
      /an archive within an archive: unpack the outer/,
    ],
    [
      'of another symbol than its name',
      'SPY_options.csv',
      good,
      /name of the file says SPY, its contracts are of QQAA/,
    ],
  ])('%s is refused before and at its import, with what to do', async (_, name, content, sentence) => {
    const path = write(name, content);
    const feed = chainsFeed({ paths: [path], calendar });
    const [file] = await Array.fromAsync(feed.readings());
    expect(file!.read).toMatchObject({
      reason: expect.any(String),
      example: expect.stringMatching(sentence),
    });
    const deliveries = await deliveriesOf(feed);
    expect(deliveries.map(({ kind }) => kind)).toEqual(['refused']);
    expect(refusalsIn(deliveries)[0]!.example).toMatch(sentence);
  });

  it.each<[what: string, content: string | Uint8Array, sentence: RegExp]>([
    ['of one line', 'kind,symbol,known_at,headline\n', /nothing below its head/],
    ['in UTF-16', Buffer.from('\uFEFFkind,symbol,known_at,headline\n', 'utf16le'), /save it as UTF-8/],
  ])('a file of facts %s neither', async (_, content, sentence) => {
    const deliveries = await deliveriesOf(factsFeed({ paths: [write('f.csv', content)], calendar }));
    expect(deliveries.map(({ kind }) => kind)).toEqual(['refused']);
    expect(refusalsIn(deliveries)[0]!.example).toMatch(sentence);
  });

  it('may be named for the index of its classes', async () => {
    const put = row('SPXW');
    const content = HEAD + put + put.replace('621P', '621C');
    for (const name of ['spx_quotedata.csv', 'SPX_options.csv', 'option_chain.csv', 'calls.csv']) {
      const deliveries = await deliveriesOf(chainsFeed({ paths: [write(name, content)], calendar }));
      expect(
        deliveries.map(({ kind }) => kind),
        name,
      ).toEqual(['chain']);
    }
  });
});
