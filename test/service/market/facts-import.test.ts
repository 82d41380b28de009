import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { FACT_KINDS, type FactKind } from '../../../src/market/facts.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshApp } from '../../support/app.ts';
import { words } from '../../support/tables.ts';
import { deliveriesOf, refusalsIn, temporaryFolder } from '../../unit/market/feed-probe.ts';
import { zipOf } from '../../unit/market/zip-of.ts';

const calendar = newYorkCalendar();
const folder = temporaryFolder();

/** Reads a file of this name and content. */
async function read(name: string, content: string | Uint8Array, kind?: FactKind) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const deliveries = await deliveriesOf(factsFeed({ paths: [path], calendar, kind }));
  const facts = deliveries.flatMap((delivery) =>
    delivery.kind === 'facts' ? delivery.facts.map((fact) => ({ symbol: delivery.symbol, ...fact })) : [],
  );
  const refused = refusalsIn(deliveries).map(({ reason, where, count }) => `${count} ${reason} ${where}`);
  return { facts, refused };
}

/** One line of every kind, as docs/data-formats.md shows them. */
const LINES = `{"kind":"profile","symbol":"AAPL","known_at":"2024-05-01","company_name":"Apple Inc.","sector":"Technology","industry":"Consumer Electronics","exchange":"NASDAQ","employees":150000,"ipo_date":"1980-12-12"}
{"kind":"listing","symbol":"AAPL","known_at":"2024-05-01T12:00:00Z","from":"1980-12-12","ticker":"AAPL","exchange":"NASDAQ"}
{"kind":"fundamentals","symbol":"AAPL","known_at":"2024-05-03T10:00:00Z","period_end":"2024-03-30","revenue_ttm":381623000000,"net_income_ttm":100389000000,"eps_ttm":6.43,"total_equity":74194000000,"pe_ratio":28.5,"beta":1.25}
{"kind":"shares","symbol":"AAPL","known_at":"2024-05-03","outstanding":15334082000,"float":15300000000}
{"kind":"earnings_report","symbol":"AAPL","date":"2024-05-02","time":"post_market","period_end":"2024-03-30","eps_estimate":1.5,"eps_actual":1.53,"revenue_estimate":90010000000,"revenue_actual":90753000000}
{"kind":"earnings_date","symbol":"AAPL","known_at":"2024-05-03","date":"2024-08-01","time":"post_market","status":"projected","eps_estimate":1.35}
{"kind":"analyst_grade","symbol":"AAPL","date":"2024-05-03","firm":"A Bank","action":"upgrade","from":"Hold","to":"Buy","target":210}
{"kind":"recommendations","symbol":"AAPL","known_at":"2024-05-06","strong_buy":12,"buy":20,"hold":10,"sell":1,"strong_sell":0,"mean":4.0,"analysts":43}
{"kind":"price_target","symbol":"AAPL","known_at":"2024-05-06","mean":201.5,"high":275,"low":164,"analysts":38}
{"kind":"analyst_estimates","symbol":"AAPL","known_at":"2024-05-06","year":"current_year","eps_average":6.58,"eps_high":7.0,"eps_low":6.3,"revenue_average":387000000000,"analysts":40}
{"kind":"insider_transaction","symbol":"AAPL","known_at":"2024-05-07T22:31:00Z","date":"2024-05-03","owner":"Jane Doe","title":"Director","code":"S","shares":10000,"price":183.1,"direction":"disposed"}
{"kind":"news","symbol":"AAPL","published_at":"2024-05-02T20:30:04Z","headline":"Apple reports second quarter results","source":"Business Wire","url":"https://example.com/a","symbols":["AAPL"],"event_type":"earnings","sentiment":0.3,"relevance":1}
{"kind":"theme_exposure","symbol":"AAPL","known_at":"2024-05-01","theme":"on_device_ai","theme_name":"AI on devices","direction":"positive","magnitude":0.6,"rationale":"Sells the devices","valid_from":"2024-05-01"}
{"kind":"halt","symbol":"AAPL","from":"2024-05-02T14:00:00Z","to":"2024-05-02T14:10:00Z","reason":"News pending"}
`;

const TABLE = `symbol,date,time,period_end,eps_estimate,eps_actual,revenue_estimate,revenue_actual
AAPL,2024-05-02,post_market,2024-03-30,1.50,1.53,90010000000,90753000000
MSFT,2024-04-25,post_market,2024-03-31,2.82,2.94,,61858000000
`;

describe('reported facts from JSON Lines', () => {
  it('are of every kind, with their keys and instants made where the line has none', async () => {
    const { facts, refused } = await read('all.jsonl', LINES);
    expect(refused).toEqual([]);
    expect(new Set(facts.map(({ kind }) => kind))).toEqual(new Set(FACT_KINDS));
    const reported = facts.map(
      ({ kind, key, knownAt }) => `${kind} | ${key} | ${new Date(knownAt).toISOString()}`,
    );
    // New York is four hours behind UTC in May: its days end at 04:00.
    expect(reported).toEqual([
      'profile | company | 2024-05-02T04:00:00.000Z',
      'listing | 1980-12-12 | 2024-05-01T12:00:00.000Z',
      'fundamentals | 2024-03-30 | 2024-05-03T10:00:00.000Z',
      'shares | shares | 2024-05-04T04:00:00.000Z',
      'earnings_report | 2024-05-02 | 2024-05-03T00:00:00.000Z',
      'earnings_date | next | 2024-05-04T04:00:00.000Z',
      'analyst_grade | 2024-05-03 a bank | 2024-05-04T04:00:00.000Z',
      'recommendations | consensus | 2024-05-07T04:00:00.000Z',
      'price_target | consensus | 2024-05-07T04:00:00.000Z',
      'analyst_estimates | current_year | 2024-05-07T04:00:00.000Z',
      'insider_transaction | 2024-05-03 jane doe S 10000 183.1 | 2024-05-07T22:31:00.000Z',
      'news | https://example.com/a | 2024-05-02T20:30:04.000Z',
      'theme_exposure | on_device_ai | 2024-05-02T04:00:00.000Z',
      'halt | 1714658400000 | 2024-05-02T14:00:00.000Z',
      'halt | 1714658400000 | 2024-05-02T14:10:00.000Z',
    ]);
  });

  it('hold what the line says, and null where it is silent', async () => {
    const { facts } = await read('all.jsonl', LINES);
    const [books] = facts.filter(({ kind }) => kind === 'fundamentals');
    expect(books!.value).toMatchObject({
      periodEnd: '2024-03-30',
      epsTtm: 6.43,
      grossProfitTtm: null,
      stated: { pe_ratio: 28.5, beta: 1.25 },
    });
    const halts = facts.filter(({ kind }) => kind === 'halt').map(({ value }) => value);
    const from = Date.parse('2024-05-02T14:00:00Z');
    expect(halts).toEqual([
      { from, to: null, reason: 'News pending' },
      { from, to: from + 600_000, reason: 'News pending' },
    ]);
  });

  it('take a key and an instant as they are given', async () => {
    const line =
      '{"kind":"news","symbol":"brk-b","key":"id-7","known_at":"2024-05-02T20:31:00-04:00","published_at":"2024-05-02T20:30:00-04:00","headline":"A"}';
    const { facts } = await read('key.jsonl', line);
    expect(facts).toMatchObject([
      {
        symbol: 'BRK.B',
        key: 'id-7',
        knownAt: Date.parse('2024-05-03T00:31:00Z'),
        value: { symbols: ['BRK.B'] },
      },
    ]);
  });

  it.each([
    ['unknown_format', '{"kind":"shares",'],
    ['unknown_format', '[1]'],
    ['bad_symbol', '{"kind":"shares","known_at":"2024-05-01","outstanding":1}'],
    ['unknown_kind', '{"kind":"rumour","symbol":"A"}'],
    ['unknown_kind', '{"symbol":"A"}'],
    ['unknown_field', '{"kind":"shares","symbol":"A","known_at":"2024-05-01","outstanding":1,"sector":"X"}'],
    ['missing_value', '{"kind":"shares","symbol":"A","outstanding":1}'],
    ['missing_value', '{"kind":"shares","symbol":"A","known_at":"2024-05-01","outstanding":null}'],
    ['missing_value', '{"kind":"theme_exposure","symbol":"A","known_at":"2024-05-01","direction":"mixed"}'],
    ['missing_value', '{"kind":"fundamentals","symbol":"A","known_at":"2024-05-01","eps_ttm":1}'],
    ['bad_time', '{"kind":"shares","symbol":"A","known_at":"2024-02-30","outstanding":1}'],
    ['bad_time', '{"kind":"shares","symbol":"A","known_at":"2024-02-30T10:00:00Z","outstanding":1}'],
    ['bad_time', '{"kind":"shares","symbol":"A","known_at":"2024-05-01T10:00:00","outstanding":1}'],
    ['bad_time', '{"kind":"shares","symbol":"A","known_at":1714658400000,"outstanding":1}'],
    ['bad_time', '{"kind":"news","symbol":"A","published_at":"2024-05-02","headline":"A"}'],
    ['bad_time', '{"kind":"analyst_grade","symbol":"A","date":"05/03/2024","firm":"F","action":"upgrade"}'],
    ['bad_word', '{"kind":"analyst_grade","symbol":"A","date":"2024-05-03","firm":7,"action":"upgrade"}'],
    ['bad_word', '{"kind":"shares","symbol":"A","key":7,"known_at":"2024-05-01","outstanding":1}'],
    [
      'hidden_character',
      '{"kind":"news","symbol":"A","published_at":"2024-05-02T10:00:00Z","headline":"A\\nB"}',
    ],
    ['not_a_number', '{"kind":"shares","symbol":"A","known_at":"2024-05-01","outstanding":"many"}'],
    [
      'not_a_number',
      '{"kind":"fundamentals","symbol":"A","known_at":"2024-05-01","period_end":"2024-03-31","beta":[1]}',
    ],
    ['negative_amount', '{"kind":"shares","symbol":"A","known_at":"2024-05-01","outstanding":-1}'],
    [
      'known_too_early',
      '{"kind":"earnings_report","symbol":"A","date":"2024-05-02","known_at":"2024-04-30"}',
    ],
  ])('refuse as %s: %s', async (reason, line) => {
    const good = '{"kind":"shares","symbol":"OK","known_at":"2024-05-01","outstanding":1}';
    const { facts, refused } = await read('bad.jsonl', `${good}\n${line}\n${good}\n`);
    expect(refused).toEqual([`1 ${reason} bad.jsonl:2`]);
    expect(facts).toHaveLength(2);
  });
});

describe('reported facts from tables', () => {
  it('are of the given kind, plain or packed, with any delimiter', async () => {
    const { facts, refused } = await read('earnings.csv', TABLE, 'earnings_report');
    expect(refused).toEqual([]);
    expect(facts).toMatchObject([
      { symbol: 'AAPL', key: '2024-05-02', value: { epsActual: 1.53, revenueActual: 90_753_000_000 } },
      { symbol: 'MSFT', key: '2024-04-25', value: { epsEstimate: 2.82, revenueEstimate: null } },
    ]);
    const packed = [
      await read('earnings.csv.gz', gzipSync(TABLE), 'earnings_report'),
      await read('earnings.zip', zipOf([{ name: 'e.csv', data: TABLE }]), 'earnings_report'),
      await read('earnings.tsv', `\uFEFF${TABLE.replaceAll(',', '\t')}`, 'earnings_report'),
      await read('crlf.csv', TABLE.replaceAll(',', ';').replaceAll('\n', '\r\n'), 'earnings_report'),
    ];
    for (const other of packed) expect(other).toEqual({ facts, refused });
  });

  it('may mix kinds, each row naming its own', async () => {
    const { facts, refused } = await read(
      'mixed.csv',
      `kind,symbol,known_at,outstanding,theme,direction,headline,published_at,symbols,summary
shares,A,2024-05-01,100,,,,,,
theme_exposure,A,2024-05-01,,ai,mixed,,,,
news,A,,,,,"Two, ""quoted""",2024-05-01T12:00:00Z,A;B,last
shares,A,2024-05-02,100,ai,,,,,
`,
    );
    expect(refused).toEqual(['1 unknown_field mixed.csv:5']);
    expect(facts.map(({ kind }) => kind)).toEqual(['shares', 'theme_exposure', 'news']);
    expect(facts[2]!.value).toMatchObject({
      headline: 'Two, "quoted"',
      symbols: ['A', 'B'],
      summary: 'last',
    });
  });

  it('lose no column in silence', async () => {
    const refusal = async (text: string, kind?: FactKind) => (await read('x.csv', text, kind)).refused;
    expect(await refusal('symbol,known_at,outstanding,colour\nA,2024-05-01,1,red\n', 'shares')).toEqual([
      '1 wrong_columns x.csv',
    ]);
    expect(await refusal('symbol,known_at,outstanding,theme\nA,2024-05-01,1,\n', 'shares')).toHaveLength(1);
    expect(await refusal('symbol,known_at,outstanding\nA,2024-05-01,1\n')).toEqual(['1 wrong_columns x.csv']);
    expect(await refusal('known_at,outstanding\n2024-05-01,1\n', 'shares')).toEqual([
      '1 wrong_columns x.csv',
    ]);
    expect(await refusal('symbol,symbol,known_at,outstanding\nA,A,2024-05-01,1\n', 'shares')).toHaveLength(1);
    expect(await refusal('', 'shares')).toEqual(['1 wrong_columns x.csv']);
    expect(await refusal('symbol,known_at,outstanding\nA,2024-05-01\nA,2024-05-01,1,2\n', 'shares')).toEqual([
      '2 wrong_columns x.csv:2',
    ]);
  });

  it('lose a row and no more to a stray quote, an open one, or a text over two lines', async () => {
    const rows = words`"A"x,2024-05-01,1 "A,2024-05-01,1 B,2024-05-01,1 "A A",2024-05-01,1 C,2024-05-01,1`;
    const { facts, refused } = await read(
      'q.csv',
      `symbol,known_at,outstanding\n${rows.join('\n')}\n`,
      'shares',
    );
    expect(facts.map(({ symbol }) => symbol)).toEqual(['B', 'C']);
    expect(refused).toEqual(['3 wrong_columns q.csv:2', '1 bad_symbol q.csv:6']);
  });

  it('refuse a line that is longer than any row', async () => {
    const { facts, refused } = await read(
      'long.csv',
      `symbol,known_at,outstanding\n${'x'.repeat(70_000)}\nB,2024-05-01,1\n`,
      'shares',
    );
    expect(facts).toHaveLength(1);
    expect(refused).toEqual(['1 too_large long.csv:2']);
  });
});

describe('an import of reported facts', () => {
  it('skips a file that it has read, and reads it again when it changes', async () => {
    const { app } = await freshApp();
    const path = join(folder, 'again.jsonl');
    writeFileSync(path, LINES);
    const feed = factsFeed({ paths: [path], calendar });
    expect(await importFeed(app.context, feed)).toMatchObject({
      factsKept: 15,
      factsUnchanged: 0,
      unitsSkipped: 0,
    });
    expect(await importFeed(app.context, feed)).toMatchObject({
      factsKept: 15,
      factsUnchanged: 0,
      unitsSkipped: 1,
    });
    writeFileSync(path, LINES.replace('"eps_actual":1.53', '"eps_actual":1.55'));
    expect(await importFeed(app.context, feed)).toMatchObject({
      factsKept: 15,
      factsUnchanged: 14,
      unitsSkipped: 0,
    });
  });
});
