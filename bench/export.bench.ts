/**
 * Promise: 250,000 stock-days by 40 fields, stored as the background stores them, leave as Parquet in under 60 s and
 * 500 MB of memory, all of it in the time of the command. The columns of some stocks are derived, and stand for those of the
 * others too. The yardstick is what the encoder takes for the same columns, whole and in memory, in this process.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Compression, readParquet, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import { SCALAR_FIELDS } from '../src/derive/scalar-fields.ts';
import { bringHistoriesUpToDate } from '../src/pipeline/history-pass.ts';
import { runCommand } from './program.ts';
import { type BenchLine, median, processors, timedEach } from './report.ts';
import {
  copyOfUniverse,
  FIVE_HUNDRED,
  LAST_DATE,
  openBenchApp,
  removeFolder,
  symbolsOf,
  temporaryFolder,
} from './universe.ts';

const PROMISED = { seconds: 60, megabytes: 500 };
const SESSIONS = 504;
const DERIVED_STOCKS = 8;
const FIELDS = SCALAR_FIELDS.filter(({ type, path }) => type === 'number' && !path.startsWith('peer_')).slice(
  0,
  40,
);

export async function run(): Promise<BenchLine[]> {
  const [data, out] = [await copyOfUniverse(FIVE_HUNDRED), temporaryFolder()];
  try {
    await storeColumns(data);
    const words = ['--to', LAST_DATE, '--fields', FIELDS.map(({ path }) => path).join(), '--out', out];
    const { seconds, peakBytes } = await runCommand(['export', 'facts', ...words], data);
    const { files } = JSON.parse(await readFile(join(out, 'facts', 'manifest.json'), 'utf8')) as {
      files: { path: string; rows: number; bytes: number }[];
    };
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const streams = await Promise.all(
      files.map(async ({ path }) => readParquet(await readFile(join(out, 'facts', path))).intoIPCStream()),
    );
    const plain = await timedEach(() => streams.map(writeWhole), 1, 3);
    const megabytes = peakBytes / 1_000_000;
    return [
      {
        promise: `export: ${rows} stock-days of ${FIELDS.length} fields as Parquet`,
        figure: `${seconds.toFixed(1)} s`,
        ratio: seconds / (median(plain) / 1_000),
        target: `under ${PROMISED.seconds} s`,
        met: seconds < PROMISED.seconds && rows > 0.9 * FIVE_HUNDRED.symbols * FIVE_HUNDRED.days,
        note: `${(bytes / 1_000_000).toFixed(0)} MB; the encoder alone ${(median(plain) / 1_000).toFixed(1)} s; ${processors()}`,
      },
      {
        promise: 'export: memory meanwhile',
        figure: `${megabytes.toFixed(0)} MB`,
        target: `under ${PROMISED.megabytes} MB`,
        met: megabytes < PROMISED.megabytes,
      },
    ];
  } finally {
    removeFolder(data);
    removeFolder(out);
  }
}

/** Columns of every session of every stock: those of a few, which are derived. */
async function storeColumns(data: string): Promise<void> {
  const names = symbolsOf(data);
  const { context, close } = await openBenchApp(data);
  try {
    const days = await context.database.query<{ symbol: string }>(
      `select symbol from tape_slice where kind = 'bars-1d' group by symbol order by min(first_day), symbol limit $1`,
      [DERIVED_STOCKS],
    );
    const derived = days.map(({ symbol }) => symbol);
    const tape: typeof context.tape = {
      ...context.tape,
      ofMarket: (simulated) => ({
        ...context.tape.ofMarket(simulated),
        symbols: async () => (simulated ? derived : []),
      }),
    };
    await bringHistoriesUpToDate({ ...context, tape, historySessions: SESSIONS });
    const others = names.filter((symbol) => !derived.includes(symbol));
    const parameters = [others, others.map((_, at) => derived[at % derived.length]!)];
    for (const [table, columns] of [
      ['scalar_history', 'quarter, derivation, catalogue, days, markets, through'],
      ['scalar_history_part', 'quarter, part, packed'],
    ])
      await context.database.write(
        `insert into ${table} (symbol, ${columns}) select own.symbol, ${columns}
         from unnest($1::text[], $2::text[]) as own (symbol, of) join ${table} on ${table}.symbol = own.of`,
        parameters,
      );
  } finally {
    await close();
  }
}

function writeWhole(stream: Uint8Array): number {
  const settings = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setDictionaryEnabled(false)
    .build();
  return writeParquet(Table.fromIPCStream(stream), settings).length;
}
