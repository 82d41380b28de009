import { createRequire } from 'node:module';
import { type RecordBatch, RecordBatchFileWriter, type Schema, Table, tableToIPC } from 'apache-arrow';
import type * as Parquet from 'parquet-wasm';
import { DAY_MS, dateOf } from '../base/dates.ts';
import { recordBatches } from './arrow-batch.ts';
import type { ExportColumn, FileHead, RowBatch } from './column.ts';
import { type Gathered, gather } from './gather.ts';

/** Makes a file of batches of rows; the bytes go to the function that it was opened with. */
export interface Encoder {
  write(batch: RowBatch): Promise<void>;
  /** Resolves once the last byte has gone. */
  end(): Promise<{ readonly rows: number }>;
}

type Emit = (bytes: Uint8Array) => void;

/** Values of a row group, which the encoder holds several times over. */
const ROW_GROUP_VALUES = 655_360;
const ROW_GROUP_MIN = 8_192;
const ROW_GROUP_MAX = 65_536;
const NOTHING: RowBatch = { sources: [], isSorted: false };

export function openEncoder(head: FileHead, emit: Emit): Encoder {
  const { columns, format } = head;
  const written = format === 'csv' ? csv(columns, emit) : columnar(head, emit);
  let rows = 0;
  let isBegun = false;
  const write = async (batch: RowBatch): Promise<void> => {
    isBegun = true;
    const gathered = gather(columns, batch);
    rows += gathered.rows;
    await written.write(gathered);
  };
  return {
    write,
    async end() {
      // A file without rows has its columns all the same.
      if (!isBegun) await write(NOTHING);
      await written.end();
      return { rows };
    },
  };
}

interface Sink {
  write(gathered: Gathered): Promise<void> | void;
  end(): Promise<void> | void;
}

function columnar({ format, ...head }: FileHead, emit: Emit): Sink {
  const batches = recordBatches(head);
  const sink = format === 'arrow' ? arrowFile(emit) : parquetFile(batches.schema, head.columns, emit);
  return { write: (gathered) => sink.write(batches.of(gathered)), end: () => sink.end() };
}

function arrowFile(emit: Emit) {
  const writer = new RecordBatchFileWriter();
  const sent = (async () => {
    for await (const bytes of writer) emit(bytes);
  })();
  return {
    write: (batch: RecordBatch): void => writer.write(batch),
    async end() {
      writer.finish();
      writer.close();
      await sent;
    },
  };
}

/** Dictionaries only for columns that have one: of doubles they make a file nearly twice as large. */
function parquetFile(schema: Schema, columns: readonly ExportColumn[], emit: Emit) {
  // Loaded by the first Parquet file of the thread.
  const parquet = createRequire(import.meta.url)('parquet-wasm') as typeof Parquet;
  let settings = new parquet.WriterPropertiesBuilder()
    .setCompression(parquet.Compression.ZSTD)
    .setDictionaryEnabled(false)
    .setMaxRowGroupSize(rowGroupOf(columns.length));
  for (const { name, type } of columns)
    if (type === 'text') settings = settings.setColumnDictionaryEnabled(name, true);
  let wanted = Promise.withResolvers<ReadableStreamDefaultController>();
  const input = new ReadableStream(
    { pull: (controller) => wanted.resolve(controller) },
    { highWaterMark: 0 },
  );
  const sent = (async () => {
    const output: ReadableStream<Uint8Array> = await parquet.transformParquetStream(input, settings.build());
    for await (const bytes of output) emit(bytes);
  })();
  // Where it fails nobody asks for a batch any more.
  const failed = sent.then(() => Promise.reject(new Error('The file has ended before its rows')));
  failed.catch(() => {});
  const next = () => Promise.race([wanted.promise, failed]);
  return {
    async write(batch: RecordBatch) {
      const controller = await next();
      wanted = Promise.withResolvers();
      const table = parquet.Table.fromIPCStream(tableToIPC(new Table(schema, [batch]), 'stream'));
      for (const own of table.recordBatches()) controller.enqueue(own);
      // Its memory is not that of the engine, which would give it back some time.
      table.free();
    },
    async end() {
      (await next()).close();
      await sent;
    },
  };
}

/** Rows of a row group: a reader skips those whose range of a column it does not want. */
const rowGroupOf = (columns: number): number =>
  Math.max(ROW_GROUP_MIN, Math.min(ROW_GROUP_MAX, Math.floor(ROW_GROUP_VALUES / columns)));

const LINES_AT_ONCE = 10_000;
const MUST_BE_QUOTED = /[",\r\n]|^$/;

/** RFC 4180 with a head; absent is nothing between commas, an empty text a pair of quotes. */
function csv(columns: readonly ExportColumn[], emit: Emit): Sink {
  const send = (lines: readonly string[]): void => emit(Buffer.from(`${lines.join('\n')}\n`));
  const quoted = (text: string): string =>
    MUST_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  send([columns.map(({ name }) => quoted(name)).join()]);
  return {
    write({ rows, numbers, texts }) {
      const cells = columns.map(({ name, type }) => {
        const own = texts.get(name);
        if (own !== undefined) return (row: number) => (own[row] === null ? '' : quoted(own[row]!));
        const values = numbers.get(name)!;
        return (row: number) => cellOf(type, values[row]!);
      });
      for (let from = 0; from < rows; from += LINES_AT_ONCE) {
        const count = Math.min(LINES_AT_ONCE, rows - from);
        send(Array.from({ length: count }, (_, at) => cells.map((cell) => cell(from + at)).join()));
      }
    },
    end() {},
  };
}

function cellOf(type: ExportColumn['type'], value: number): string {
  if (Number.isNaN(value)) return '';
  if (type === 'boolean') return value === 1 ? 'true' : 'false';
  if (type === 'date') return dateOf(value * DAY_MS);
  return type === 'instant' ? new Date(value).toISOString() : `${value}`;
}
