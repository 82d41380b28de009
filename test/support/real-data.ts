import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import * as yauzl from 'yauzl';
import type { IntradayRow } from './views.ts';

const DIRECTORY = resolve(
  process.env.TIGRAPH_REAL_DATA ?? resolve(import.meta.dirname, '../../../shared/data'),
);

/** Why a test on recorded market data is skipped. */
export const ABSENT = `recorded market data is absent from ${DIRECTORY}: set TIGRAPH_REAL_DATA`;

/** A recorded file, or null where it is absent. */
export function realDataFile(path: string): string | null {
  const file = resolve(DIRECTORY, path);
  return existsSync(file) ? file : null;
}

/** Recorded market data beside the project; null, with a line on the console, where there is none. */
export const realDataDirectory: string | null = realDataFile('lean') && DIRECTORY;
if (realDataDirectory === null) console.warn(`Tests are skipped: ${ABSENT}.`);

/** Some lines of a recorded file, as a file of their own. */
async function recordedLines(
  path: string,
  isTaken: (line: string, place: number) => boolean,
): Promise<string> {
  const packed = await readFile(resolve(DIRECTORY, path));
  const lines = gunzipSync(packed).toString().split('\n').filter(isTaken);
  const file = join(mkdtempSync(join(tmpdir(), 'tigraph-recorded-')), basename(path, '.gz'));
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

/** Enough for breadth, peers and a sector. */
export const LARGEST = new Set(
  'AAPL AMAT AMD AMZN AVGO BAC COST CSCO GOOGL HD JPM META MSFT MU NFLX NVDA ORCL QQQ SMH SPY TSLA WMT XLK XOM'.split(
    ' ',
  ),
);

/** The recorded daily bars of some symbols. */
export const recordedDailies = (symbols: ReadonlySet<string>): Promise<string> =>
  recordedLines(
    'daily/recent_daily_2024_2026.csv.gz',
    (line, place) => place === 0 || symbols.has(line.split(',', 1)[0]!),
  );

/** The recorded minutes of a symbol from a date on, to before another. */
export const recordedMinutes = (symbol: string, from: string, to = '9999'): Promise<string> =>
  recordedLines(
    `intraday/1min/${symbol}_1min.csv.gz`,
    (line, place) => place === 0 || (line >= from && line < to),
  );

const MINUTES = 'intraday/1min';

/** Symbols with recorded minutes; none where they are absent. */
export const minuteSymbols: readonly string[] =
  realDataFile(MINUTES) === null
    ? []
    : readdirSync(resolve(DIRECTORY, MINUTES)).map((name) => name.split('_')[0]!);

/** The recorded regular minutes of a symbol by date, oldest first. */
export function minuteSessions(symbol: string): [date: string, bars: IntradayRow[]][] {
  const packed = readFileSync(resolve(DIRECTORY, MINUTES, `${symbol}_1min.csv.gz`));
  const rows = gunzipSync(packed)
    .toString()
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [date, clock, ...figures] = line.split(/[, ]/);
      return { date: date!, bar: [clock!.slice(0, 5), ...figures.map(Number)] as unknown as IntradayRow };
    })
    .filter(({ bar: [clock] }) => clock >= '09:30' && clock < '16:00');
  return [...Map.groupBy(rows, ({ date }) => date)].map(([date, day]) => [date, day.map(({ bar }) => bar)]);
}

/** What was reported of some symbols, a file a kind. */
export function recordedFacts(symbols: readonly string[]): Promise<string[]> {
  const isOfThem = new RegExp(`"symbol": ?"(?:${symbols.join('|')})"`);
  const names = readdirSync(resolve(DIRECTORY, 'facts'));
  return Promise.all(names.map((name) => recordedLines(`facts/${name}`, (line) => isOfThem.test(line))));
}

/** A directory with those files of a recorded archive: reading all 442 companies takes ten seconds. */
export async function filesOfArchive(
  path: string,
  isTaken: (name: string, place: number) => boolean,
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tigraph-archive-'));
  const archive = await yauzl.openPromise(resolve(realDataDirectory!, path));
  let place = 0;
  for await (const entry of archive.eachEntry()) {
    if (!isTaken(entry.fileName, place++)) continue;
    await pipeline(
      await archive.openReadStreamPromise(entry),
      createWriteStream(join(directory, entry.fileName)),
    );
  }
  return directory;
}
