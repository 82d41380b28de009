import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DAY_MS, dateOf } from '../../base/dates.ts';
import { CodedError, ValidationRefusal } from '../../base/errors.ts';
import { HIDDEN, printable } from '../../base/printable.ts';
import type { Scope } from '../../base/scope.ts';
import { behindReaders } from '../../database/database.ts';
import { type AnyFiles, anyFiles } from '../../market/feeds/any-file.ts';
import type { FileReading } from '../../market/feeds/csv.ts';
import type { CsvOptions } from '../../market/feeds/csv-options.ts';
import { knownOnTape } from '../../market/feeds/known-bars.ts';
import { type ImportReport, importFeed } from '../../market/ingest.ts';
import { valueFault } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { refusedRowsOf } from './refused-rows.ts';
import {
  type Choices,
  type ImportAnswer,
  type ImportBody,
  type ImportState,
  PART_BYTES,
  type PartBody,
} from './schema.ts';

/** Files that are held at a time; the oldest that has ended makes room. */
const HELD_MAX = 20;

type Reading = ImportAnswer['readings'][number];

/** A file on its way, and what is known of it. */
interface Held {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly directory: string;
  received: number;
  /** Parts are written one after the other. */
  isWriting: boolean;
  state: ImportState;
  choices: Choices;
  readings: readonly Reading[];
  shareDone: number | null;
  rowsRead: number;
  report: ImportReport | null;
  message: string | null;
  readonly cancelling: AbortController;
}

type Context = Pick<AppContext, 'calendar' | 'clock' | 'tape' | 'database'>;

/**
 * Files that people bring over HTTP, each in parts to a folder of its own. A file is read by the readers of the command
 * line and imported behind all who read; it is deleted once it is on the tape, when it is cancelled, and with the process.
 */
export class Imports {
  readonly #context: Context;
  readonly #scope: Scope;
  readonly #directory: string;
  readonly #held = new Map<string, Held>();

  /** @param directory of this process alone */
  constructor(context: Context, scope: Scope, directory: string) {
    this.#context = context;
    this.#scope = scope;
    this.#directory = directory;
  }

  async close(): Promise<void> {
    for (const held of this.#held.values()) held.cancelling.abort(new CodedError('shutting_down'));
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** @throws CodedError overloaded where too many files are on their way */
  async create({ name, bytes }: ImportBody): Promise<ImportAnswer> {
    const id = randomBytes(8).toString('hex');
    if (this.#held.size === 0) await removeAbandoned(dirname(this.#directory), this.#scope.timers.now());
    await this.#makeRoom();
    const directory = join(this.#directory, id);
    const held: Held = {
      id,
      name: fileName(name),
      bytes,
      directory,
      received: 0,
      isWriting: false,
      state: 'uploading',
      choices: {},
      readings: [],
      shareDone: null,
      rowsRead: 0,
      report: null,
      message: null,
      cancelling: new AbortController(),
    };
    this.#held.set(id, held);
    await mkdir(directory, { recursive: true });
    await writeFile(pathOf(held), '');
    if (bytes === 0) await this.#read(held);
    return answerOf(held);
  }

  /** @throws CodedError conflict for a part that does not begin where the last one ended, or goes beyond the end */
  async add(id: string, { offset, base64 }: PartBody): Promise<ImportAnswer> {
    const held = this.#heldAs(id);
    const part = Buffer.from(base64, 'base64');
    if (held.state !== 'uploading' || held.isWriting)
      throw new CodedError('conflict', 'The file takes no part now');
    if (offset !== held.received || offset + part.length > held.bytes) {
      const msg = `Parts follow one another up to the ${held.bytes} bytes of the file: the next begins at ${held.received}`;
      throw new CodedError('conflict', msg);
    }
    held.isWriting = true;
    try {
      const file = await open(pathOf(held), 'r+');
      try {
        await file.write(part, 0, part.length, offset);
      } finally {
        await file.close();
      }
      held.received += part.length;
    } finally {
      held.isWriting = false;
    }
    if (held.received === held.bytes) await this.#read(held);
    return answerOf(held);
  }

  /**
   * Reads the file anew, with other choices.
   *
   * @throws ValidationRefusal for a choice that cannot be meant
   */
  async read(id: string, choices: Choices): Promise<ImportAnswer> {
    const held = this.#heldAs(id, 'read');
    const { choices: earlier } = held;
    held.choices = choices;
    try {
      await this.#read(held);
    } catch (error) {
      held.choices = earlier;
      if (!(error instanceof RangeError)) throw error;
      throw new ValidationRefusal([valueFault(['body'], choices, error.message)]);
    }
    return answerOf(held);
  }

  /** @throws CodedError conflict where nothing of the file can be read */
  start(id: string): ImportAnswer {
    const held = this.#heldAs(id, 'read');
    if (held.readings.every(({ refused }) => refused !== null)) {
      throw new CodedError('conflict', held.readings[0]?.refused?.message ?? 'There is nothing to import');
    }
    held.state = 'importing';
    held.shareDone = 0;
    void this.#scope.run(`import of ${held.id}`, () => behindReaders(() => this.#import(held)));
    return answerOf(held);
  }

  get(id: string): ImportAnswer {
    return answerOf(this.#heldAs(id));
  }

  /** The files, newest first. */
  list(): ImportAnswer[] {
    return Array.from(this.#held.values(), answerOf).reverse();
  }

  /** Stops the import of a file, and deletes the file; one that has ended is forgotten. */
  async cancel(id: string): Promise<ImportAnswer> {
    const held = this.#heldAs(id);
    if (held.state === 'importing') held.cancelling.abort(new CodedError('conflict', 'cancelled'));
    else if (held.state === 'uploading' || held.state === 'read') {
      held.state = 'cancelled';
      held.message = 'Nothing was written.';
      await rm(held.directory, { recursive: true, force: true });
    } else this.#held.delete(id);
    return answerOf(held);
  }

  /** @throws CodedError not_found, conflict */
  #heldAs(id: string, state?: ImportState): Held {
    const held = this.#held.get(id);
    if (held === undefined) {
      throw new CodedError('not_found', 'No file of this name is held here; bring it again');
    }
    if (state !== undefined && held.state !== state) {
      throw new CodedError('conflict', `The file is ${WORDS[held.state]}`);
    }
    return held;
  }

  async #makeRoom(): Promise<void> {
    if (this.#held.size < HELD_MAX) return;
    const isOver = ({ state }: Held): boolean => state !== 'importing';
    const oldest = this.#held.values().find(isOver);
    if (oldest === undefined) throw new CodedError('overloaded');
    this.#held.delete(oldest.id);
    await rm(oldest.directory, { recursive: true, force: true });
  }

  #filesOf({ choices, directory }: Held): Promise<AnyFiles> {
    const { calendar, clock, tape } = this.#context;
    const {
      time_zone: timeZone,
      date_format: dateFormat,
      final_through: finalThrough,
      known_at: knownAt,
      ...rest
    } = choices;
    const symbol = rest.symbol?.toUpperCase();
    const options = { ...rest, symbol, timeZone, dateFormat, finalThrough } as Omit<
      CsvOptions,
      'paths' | 'calendar'
    >;
    return anyFiles([directory], {
      ...options,
      knownAt,
      calendar,
      now: clock.now(),
      known: knownOnTape(tape),
    });
  }

  async #read(held: Held): Promise<void> {
    held.state = 'read';
    const { readings } = await this.#filesOf(held);
    held.readings = await Array.fromAsync(readings(), readingOf);
  }

  async #import(held: Held): Promise<void> {
    const { signal } = held.cancelling;
    try {
      const { feeds } = await this.#filesOf(held);
      // Prints and quotes come by themselves; a file is of one kind.
      for (const feed of feeds) {
        held.report = await importFeed(
          this.#context,
          feed,
          ({ weightDone, weightTotal, rowsKept, rowsRead }) => {
            held.shareDone = weightTotal === 0 ? 1 : Math.min(weightDone / weightTotal, 1);
            held.rowsRead = rowsKept + rowsRead;
          },
          signal,
        );
      }
      held.state = 'imported';
      held.shareDone = 1;
    } catch (error) {
      held.state = signal.aborted ? 'cancelled' : 'failed';
      held.message = signal.aborted
        ? 'What was written until then stays; importing the file again completes it.'
        : error instanceof Error
          ? error.message
          : String(error);
    }
    await rm(held.directory, { recursive: true, force: true });
  }
}

function readingOf({ where, read, first = [] }: FileReading): Reading {
  if ('reason' in read) {
    return {
      file: where,
      findings: [],
      first: [],
      refused: { reason: read.reason, message: printable(read.example) },
    };
  }
  const kind = {
    part: 'kind',
    value: 'what' in read ? read.what : 'bars',
    evidence: 'its content',
    sure: 'seen',
  } as const;
  const parts = Object.entries('reading' in read ? read.reading : read.parts);
  const findings = parts.map(([part, finding]) => ({
    part,
    ...finding,
    evidence: printable(finding.evidence),
  }));
  const rows = first.map(({ symbol, isDaily, time, open, high, low, close, volume }) => ({
    symbol,
    at: isDaily ? dateOf(time) : new Date(time).toISOString(),
    ...{ open, high, low, close },
    volume: Number.isNaN(volume) ? null : volume,
  }));
  return { file: where, findings: [kind, ...findings], first: rows, refused: null };
}

const WORDS: Readonly<Record<ImportState, string>> = {
  uploading: 'not here as a whole yet',
  read: 'read and waits for its start',
  importing: 'being imported',
  imported: 'imported already',
  cancelled: 'cancelled; bring it again',
  failed: 'not imported, as its message says; bring it again',
};

/** Folders of processes that did not end by themselves. */
async function removeAbandoned(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}

const pathOf = ({ directory, name }: Held): string => join(directory, name);

/** The last name of a path of any system, without what a terminal or a folder would not bear. */
function fileName(name: string): string {
  const last = basename(name.replaceAll('\\', '/')).replace(new RegExp(HIDDEN, 'gu'), '');
  return last.replace(/^\.+/, '') || 'file';
}

function answerOf(held: Held): ImportAnswer {
  const { report } = held;
  return {
    id: held.id,
    file: printable(held.name),
    bytes: held.bytes,
    received: held.received,
    part_bytes: PART_BYTES,
    state: held.state,
    readings: [...held.readings],
    share_done: held.shareDone,
    rows_read: held.rowsRead,
    report: report && {
      rows_kept: report.rowsKept,
      rows_known: report.rowsUnchanged,
      facts_kept: report.factsKept,
      daily_bars_summed: report.dailyBarsSummed,
      symbols: Array.from(report.taken, ([symbol, rows]) => ({ symbol, rows })),
      refused: report.refusals.map(refusedRowsOf),
    },
    message: held.message,
  };
}
