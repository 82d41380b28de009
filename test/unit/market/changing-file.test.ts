import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { anyFiles } from '../../../src/files/any-file.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { readUnchanged } from '../../../src/files/one-version.ts';
import type { Delivery, Feed, SourceUnit } from '../../../src/market/feed.ts';
import { deliveriesOf, refusalsIn, temporaryFolder, written } from './feed-probe.ts';
import { zipOf } from './zip-of.ts';

const calendar = newYorkCalendar();
const root = temporaryFolder();
const HEAD = 'date,open,high,low,close,volume';
const ROWS = ['2024-03-04,10,11,9,10,100', '2024-03-05,10,11,9,10,100', '2024-03-06,10,11,9,10,100'];

type Files = Readonly<Record<string, string | Buffer>>;

function folderOf(files: Files): string {
  const { folder, paths } = written(root, files);
  // Disks count time in steps of milliseconds.
  for (const path of paths) utimesSync(path, 1_700_000_000, 1_700_000_000);
  return folder;
}

describe('a file of values within one another', () => {
  it.each([
    ['lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
  ])('is refused in a sentence: %s', async (_, text) => {
    const { readings } = await anyFiles([folderOf({ 'deep.json': text })], { calendar });
    expect((await Array.fromAsync(readings()))[0]!.read).toMatchObject({
      example: expect.stringContaining('lie within one another deeper'),
    });
  });
});

const chain = (right: 'C' | 'P'): string =>
  [
    'contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,volume,openInterest,impliedVolatility,contractSize',
    ...[90, 95, 100].map(
      (strike) =>
        `QZPC240621${right}${String(strike * 1000).padStart(8, '0')},2024-06-12 19:10:00+00:00,${strike},1,0.95,1.05,3,4,0.2,REGULAR`,
    ),
  ].join('\n');

/** Files of each reader, those of one unit. */
const READERS: Readonly<Record<string, Files>> = {
  bars: { 'ACME.csv': [HEAD, ...ROWS].join('\n') },
  'bars in an archive': {
    'all.zip': zipOf(
      ['ACME', 'BRAV'].map((name) => ({ name: `${name}.csv`, data: [HEAD, ...ROWS].join('\n') })),
    ),
  },
  'a chain in two files': { 'QZPC_calls.csv': chain('C'), 'QZPC_puts.csv': chain('P') },
  facts: {
    'facts.jsonl':
      '{"kind":"news","symbol":"QQAA","known_at":"2024-06-12T10:00:00Z","published_at":"2024-06-12T10:00:00Z","headline":"A","source":"S"}\n',
  },
  companies: { 'companies.csv': 'symbol,security,gics sector\nQRST,Quarry Stone,Materials\n' },
  'prints and quotes': {
    'abc_trades.csv': 'DT,EX,SYMBOL,COND,SIZE,PRICE,CORR\n2024-07-02 13:30:05.1,N,ABC,@,100,10.05,0\n',
    'abc_quotes.csv': 'DT,EX,SYMBOL,BID,BIDSIZ,OFR,OFRSIZ\n2024-07-02 13:30:00.0,N,ABC,10.00,1,10.10,1\n',
  },
  'Lean, daily bars': { 'equity/usa/daily/xyz.zip': '20240102 00:00,1000000,1105000,995000,1100100,12345' },
  'Lean, minute bars': { 'equity/usa/minute/xyz/20240313_trade.zip': '34200000,10000,10000,10000,10000,5' },
  'Lean, quotes': {
    'equity/usa/minute/xyz/20240313_quote.zip':
      '34200000,10000,10000,10000,10000,5,12000,12000,12000,12000,5',
  },
  'Lean, prints': {
    'equity/usa/tick/xyz/20240702_trade.zip': '34200000,100000,100,N,0,0',
    'equity/usa/tick/xyz/20240702_quote.zip': '34200000,100000,1,0,0,N,0,0\n34200000,0,0,101000,1,N,0,0',
  },
  'Lean, tickers': { 'equity/usa/map_files/xyz.csv': '20100104,xyz\n20501231,xyz\n' },
  'Lean, splits': {
    'equity/usa/factor_files/xyz.csv': '20200103,1,0.5,100\n20240102,1,1,100\n20501231,1,1,0\n',
  },
  'Lean, a chain': {
    'option/usa/minute/xyz/20240313_quote_american.zip': zipOf([
      {
        name: '20240313_xyz_minute_quote_american_call_1000000_20240419.csv',
        data: '34200000,10000,10000,10000,10000,5,12000,12000,12000,12000,5',
      },
    ]),
    'option/usa/universes/xyz/20240313.csv':
      '#expiry,strike,right,open,high,low,close,volume,open_interest,iv,delta,gamma,vega,theta,rho\n20240419,100,C,2,3,1,2.5,40,66,0.31,0.52,0.03,0.1,-0.05,0.04\n',
    'equity/usa/daily/xyz.zip': '20240102 00:00,1000000,1105000,995000,1100100,12345',
  },
};

const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  grows: (path) => appendFileSync(path, '\n'),
  'is written anew with the same bytes': (path) => writeFileSync(path, readFileSync(path)),
  'is written anew and given its old time': (path) => {
    const { ctimeNs } = statSync(path, { bigint: true });
    // A disk may count the time of two writes as one.
    do {
      writeFileSync(path, readFileSync(path));
      utimesSync(path, 1_700_000_000, 1_700_000_000);
    } while (statSync(path, { bigint: true }).ctimeNs === ctimeNs);
  },
  'gives its name to another': (path) => {
    copyFileSync(path, `${path}.new`);
    utimesSync(`${path}.new`, 1_700_000_000, 1_700_000_000);
    renameSync(`${path}.new`, path);
  },
};

async function feedsOf(name: string, folder: string): Promise<readonly Feed[]> {
  if (name.startsWith('Lean')) {
    mkdirSync(join(folder, 'equity/usa'), { recursive: true });
    writeFileSync(join(folder, 'equity/usa/readme.md'), '');
    return [leanFeed(folder, calendar)];
  }
  return (await anyFiles([folder], { calendar, knownAt: '2024-03-01' })).feeds;
}

/** The unit that reads all the files; the first of a Lean folder that reads what the name of the test says. */
async function unitIn(name: string, folder: string, first: string): Promise<SourceUnit> {
  const [feed] = await feedsOf(name, folder);
  const units = await feed!.units();
  return units.find(({ key }) => first.endsWith(key) || key.includes(' + ')) ?? units[0]!;
}

describe.each(Object.entries(READERS))('a file that changes while it is read: %s', (name, files) => {
  const paths = Object.keys(files);

  it('is read where it does not change, with everything that the others give', async () => {
    const unit = await unitIn(name, folderOf(files), paths[0]!);
    await unit.fingerprint();
    const deliveries = await Array.fromAsync(unit.read());
    expect(deliveries.filter(({ kind }) => kind !== 'refused')).not.toEqual([]);
  });

  it.each(Object.entries(CHANGES))(
    'is refused in a sentence where it %s, and none of its rows come',
    async (_, change) => {
      for (const path of paths) {
        const folder = folderOf(files);
        const unit = await unitIn(name, folder, paths[0]!);
        await unit.fingerprint();
        change(join(folder, path));
        const rows: Delivery[] = [];
        const reading = async () => {
          for await (const delivery of unit.read()) rows.push(delivery);
        };
        await expect(reading(), path).rejects.toThrow(/^\S+ has changed while it was read/);
        expect(rows).toEqual([]);
      }
    },
  );

  it('gives rows of one version where it changes between two rows', async () => {
    for (const path of paths) {
      const folder = folderOf(files);
      const unit = await unitIn(name, folder, paths[0]!);
      await unit.fingerprint();
      const rows: Delivery[] = [];
      const reading = async () => {
        for await (const delivery of unit.read()) {
          if (rows.length === 0) CHANGES.grows!(join(folder, path));
          rows.push(delivery);
        }
      };
      await expect(reading(), path).rejects.toThrow('has changed while it was read');
      expect(rows).toHaveLength(1);
    }
  });
});

describe('a file that changes before it is imported', () => {
  it('is read as it is then, and not as its reading showed it', async () => {
    const folder = folderOf({ 'ACME.csv': ['date,open,high,low,close,volume', ...ROWS].join('\n') });
    const { feeds, readings } = await anyFiles([folder], { calendar });
    await Array.fromAsync(readings());
    writeFileSync(join(folder, 'ACME.csv'), 'volume,close,low,high,open,date\n100,10,9,11,10,2024-03-04\n');
    expect(await deliveriesOf(feeds[0]!)).toMatchObject([
      { kind: 'bars', columns: { open: Float64Array.of(10), volume: Float64Array.of(100) } },
    ]);
  });

  it('keeps no chain of its earlier version', async () => {
    const folder = folderOf({ 'QZPC.csv': chain('C'), 'WXYZ.csv': [HEAD, ...ROWS].join('\n') });
    const { feeds } = await anyFiles([folder], { calendar });
    const units = await feeds[0]!.units();
    writeFileSync(join(folder, 'QZPC.csv'), `${chain('C')}\n${chain('P').split('\n').slice(1).join('\n')}\n`);
    const unit = units.find(({ key }) => key === 'QZPC.csv')!;
    await unit.fingerprint();
    expect(await Array.fromAsync(unit.read())).toMatchObject([
      { kind: 'chain', chain: { contracts: { strike: { length: 6 } } } },
    ]);
  });

  it('gives nothing of what its feed is made of where it changes meanwhile', async () => {
    const path = join(folderOf({ 'xyz.csv': '20100104,xyz\n' }), 'xyz.csv');
    const file = { path, key: 'map_files/xyz.csv' };
    expect(await readUnchanged([file], async () => readFileSync(path, 'utf8'))).toBe('20100104,xyz\n');
    for (const change of Object.values(CHANGES)) {
      const reading = readUnchanged([file], async () => change(path));
      await expect(reading).rejects.toThrow('map_files/xyz.csv has changed while it was read');
    }
  });
});

describe('what a folder holds beside files and folders', () => {
  const outside = folderOf({ 'BRAV.csv': [HEAD, ...ROWS].join('\n') });
  const linked = (files: Files, link: string): string => {
    const folder = folderOf(files);
    symlinkSync(join(outside, 'BRAV.csv'), join(folder, link));
    return folder;
  };
  const LEFT_OUT = 'a symbolic link, which is not followed: name the file or folder that it leads to';

  it('is named among its readings and in the report, and not read', async () => {
    const folder = linked({ 'deep/ACME.csv': [HEAD, ...ROWS].join('\n') }, 'deep/BRAV.csv');
    symlinkSync(outside, join(folder, 'all'));
    const any = await anyFiles([folder], { calendar });
    const csv = csvFeed({ paths: [join(folder, 'deep')], calendar });
    const left = (where: string) => expect.objectContaining({ reason: 'not_read', where, example: LEFT_OUT });
    for (const [feed, readings, names] of [
      [any.feeds[0]!, any.readings, ['all', 'BRAV.csv']],
      [csv, csv.readings, ['BRAV.csv']],
    ] as const) {
      const deliveries = await deliveriesOf(feed);
      expect(deliveries.filter(({ kind }) => kind === 'bars')).toMatchObject([{ symbol: 'ACME' }]);
      expect(refusalsIn(deliveries)).toEqual(names.map(left));
      const shown = (await Array.fromAsync(readings())).map(({ where, read }) => ({ where, read }));
      expect(shown.slice(1)).toEqual(names.map((where) => ({ where, read: left(where) })));
    }
  });

  it('is read where it is the file that was named itself', async () => {
    const folder = linked({}, 'link.csv');
    const { feeds } = await anyFiles([join(folder, 'link.csv')], { calendar, symbol: 'BRAV' });
    expect(await deliveriesOf(feeds[0]!)).toMatchObject([{ kind: 'bars', symbol: 'BRAV' }]);
  });

  it('is no data of a Lean folder', async () => {
    const link = 'equity/usa/daily/brav.zip';
    const folder = linked(
      { 'equity/usa/daily/xyz.zip': '20240102 00:00,1000000,1105000,995000,1100100,1' },
      link,
    );
    const deliveries = await deliveriesOf(leanFeed(folder, calendar));
    expect(deliveries).toMatchObject([
      { reason: 'not_read', where: link, example: LEFT_OUT },
      { kind: 'bars', symbol: 'XYZ' },
    ]);
  });

  it('is no text of an archive', async () => {
    const folder = folderOf({
      'all.zip': zipOf([
        { name: 'ACME.csv', data: [HEAD, ...ROWS].join('\n') },
        { name: 'BRAV.csv', data: '/etc/passwd', mode: 0o120777 },
      ]),
    });
    const { feeds } = await anyFiles([folder], { calendar });
    const deliveries = await deliveriesOf(feeds[0]!);
    expect(deliveries).toMatchObject([
      { kind: 'bars', symbol: 'ACME' },
      { reason: 'not_read', where: 'all.zip/BRAV.csv' },
    ]);
  });
});
