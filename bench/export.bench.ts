/**
 * Promise: 250,000 stock-days by 40 fields, stored as the background stores them, leave as Parquet in under 60 s and
 * 500 MB of memory, all of it in the time of the command. The columns of some stocks are derived; those of the others are
 * theirs with each number scaled, so that they compress as little. The yardstick is what the encoder takes for the same columns, whole and in memory, in this process.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Compression, readParquet, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import { byteaArray } from '../src/database/binary-array.ts';
import { partOfField } from '../src/derive/scalar-columns.ts';
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
/** Of bars and scores, which every stock-day of the market has. */
const KNOWN =
  /^(?:technical|levels|pulse_v5|confluence_v5|momentum_health_v5|conviction_v5|range_3d|compression)\./;
const FIELDS = SCALAR_FIELDS.filter(({ type, path }) => type === 'number' && KNOWN.test(path)).slice(0, 40);

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
    await context.database.write(
      `insert into scalar_history (symbol, quarter, derivation, catalogue, days, markets, through)
       select own.symbol, quarter, derivation, catalogue, days, markets, through
       from unnest($1::text[], $2::text[]) as own (symbol, of) join scalar_history h on h.symbol = own.of`,
      [others, others.map((_, at) => derived[at % derived.length]!)],
    );
    const parts = await context.database.query<{
      symbol: string;
      quarter: string;
      part: string;
      packed: Uint8Array;
    }>(
      'select symbol, quarter::text as quarter, part, packed from scalar_history_part where part = any($1::text[])',
      [[...new Set(FIELDS.map((field) => partOfField(field)!))]],
    );
    const bySymbol = Map.groupBy(parts, ({ symbol }) => symbol);
    for (const [at, symbol] of others.entries()) {
      const own = bySymbol.get(derived[at % derived.length]!)!;
      const scaled = own.map(({ packed }) => scaledBy(packed, 1 + at / 1_000));
      await context.database.write(
        `insert into scalar_history_part (symbol, quarter, part, packed)
         select $1, quarter, part, packed from unnest($2::date[], $3::text[], $4::bytea[]) as own (quarter, part, packed)`,
        [symbol, own.map(({ quarter }) => quarter), own.map(({ part }) => part), byteaArray(scaled)],
      );
    }
  } finally {
    await close();
  }
}

/** A stored part with each of its numbers scaled: the number of days, doubles by column, and a JSON list behind them. */
function scaledBy(packed: Uint8Array, factor: number): Uint8Array {
  const whole = new Uint8Array(zstdDecompressSync(packed));
  const doubles = new Float64Array(whole.buffer, 0, Math.floor(whole.length / 8));
  const days = doubles[0]!;
  // Whole columns, as long as what follows is not the list.
  for (let at = 1; at + days <= doubles.length && !isList(whole, 8 * at); at += days)
    for (let row = at; row < at + days; row++) doubles[row]! *= factor;
  return zstdCompressSync(whole, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
}

function isList(whole: Uint8Array, from: number): boolean {
  try {
    return Array.isArray(JSON.parse(Buffer.from(whole.subarray(from)).toString()));
  } catch {
    return false;
  }
}

function writeWhole(stream: Uint8Array): number {
  const settings = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setDictionaryEnabled(false)
    .build();
  return writeParquet(Table.fromIPCStream(stream), settings).length;
}
