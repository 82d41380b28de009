import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { abortable } from '../../base/abortable.ts';
import { dateOf } from '../../base/dates.ts';
import { CodedError, ValidationRefusal } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import { HIDDEN, printable } from '../../base/printable.ts';
import type { Scope } from '../../base/scope.ts';
import { writeAllAt } from '../../base/synced-files.ts';
import { rest } from '../../base/timers.ts';
import { behindReaders } from '../../database/database.ts';
import { type FileLock, takeLock } from '../../database/lock.ts';
import { CHOICE_NAMES, choiceOf, choicesIn, type FileKind, inFields } from '../../files/choices.ts';
import { ChoiceFault, type Choices, statedIn } from '../../files/stated.ts';
import type { RefusalReason } from '../../market/refusals.ts';
import type { ImportProgress, ImportReport } from '../../tape/ingest.ts';
import { knownOnTape } from '../../tape/known-bars.ts';
import { type FileReaderData, readInThread, type ShownReading } from '../../workers/file-reader.ts';
import { valueFault } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { refusedRowsOf } from './refused-rows.ts';
import {
  type ImportAnswer,
  type ImportBody,
  type ImportChoice,
  type ImportState,
  PART_BYTES,
  type PartBody,
} from './schema.ts';

/** Files that are held at a time; the oldest that has ended makes room. */
const HELD_MAX = 20;

/** Of a file in a folder, on every system. */
const NAME_BYTES_MAX = 255;

/** Readings of an archive that are shown, and of those that are refused behind them. */
const SHOWN_MAX = 200;
const REFUSED_SHOWN_MAX = 100;
/** A call waits this long for a reading; a longer one goes on, and is asked after. */
export const WAIT_MS = 2_000;
/** A reading that nobody asks after is abandoned: browsers let a hidden page ask once a minute. */
const ABANDONED_MS = 150_000;
const ABANDONED_CHECK_MS = 10_000;

type Reading = ImportAnswer['readings'][number];

/** A reading under way. */
interface Underway {
  readonly choices: Choices;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
  /** Calls that wait for it. */
  waiting: number;
}

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
  readings: Reading[];
  /** Of the files of which something may be decided. */
  readonly kinds: Set<FileKind>;
  files: number;
  filesRefused: number;
  underway: Underway | null;
  /** Ends with its import. */
  importing: Promise<void> | null;
  /** When somebody asked after it last, of the scope's timers. */
  askedAt: number;
  shareDone: number | null;
  rowsRead: number;
  report: ImportReport | null;
  message: string | null;
  readonly cancelling: AbortController;
}

type Context = Pick<AppContext, 'clock' | 'tape'>;

/** Imports files behind all who read; see `importInThread`. */
export type ImportFiles = (
  files: Omit<FileReaderData, 'calendarPath'>,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
) => Promise<readonly ImportReport[]>;

/**
 * Files that people bring over HTTP, each in parts to a folder of its own. A file is read by the readers of the command
 * line, in a thread, and imported behind all who read; it is deleted once it is on the tape, when it is cancelled, and
 * with the process.
 */
export class Imports {
  readonly #context: Context;
  readonly #importFiles: ImportFiles;
  readonly #scope: Scope;
  readonly #directory: string;
  readonly #calendarPath: string | null;
  readonly #held = new Map<string, Held>();
  readonly #lock: FileLock | null;

  /**
   * Removes what processes have left that were killed.
   *
   * @param directory of this process alone
   */
  constructor(
    context: Context,
    importFiles: ImportFiles,
    scope: Scope,
    directory: string,
    calendarPath: string | null,
  ) {
    this.#context = context;
    this.#importFiles = importFiles;
    this.#scope = scope;
    this.#directory = directory;
    this.#calendarPath = calendarPath;
    mkdirSync(dirname(directory), { recursive: true });
    this.#lock = takeLock(lockOf(directory));
    void scope.run('removing abandoned uploads', () => removeAbandoned(directory));
    scope.every(ABANDONED_CHECK_MS, 'ending abandoned readings', async () => this.#endAbandoned());
  }

  async close(): Promise<void> {
    for (const { cancelling, underway } of this.#held.values())
      for (const ending of [cancelling, underway?.ending]) ending?.abort(new CodedError('shutting_down'));
    const held = [...this.#held.values()];
    await Promise.allSettled(held.flatMap(({ underway, importing }) => [underway?.ended, importing]));
    await rm(this.#directory, { recursive: true, force: true });
    this.#lock?.release();
    await rm(lockOf(this.#directory), { force: true });
  }

  /**
   * @throws ValidationRefusal for a name that no disk takes
   * @throws CodedError overloaded where too many files are on their way; disk_full
   */
  async create({ name: given, bytes }: ImportBody, left: AbortSignal): Promise<ImportAnswer> {
    const name = fileName(given);
    if (Buffer.byteLength(name) > NAME_BYTES_MAX) {
      const msg = `The name has ${Buffer.byteLength(name)} bytes in UTF-8, and a disk takes ${NAME_BYTES_MAX}: shorten it`;
      throw new ValidationRefusal([valueFault(['body', 'name'], given, msg)]);
    }
    const id = randomBytes(8).toString('hex');
    await this.#makeRoom();
    const directory = join(this.#directory, id);
    const held: Held = {
      id,
      name,
      bytes,
      directory,
      received: 0,
      isWriting: false,
      state: 'uploading',
      choices: {},
      readings: [],
      kinds: new Set(),
      files: 0,
      filesRefused: 0,
      underway: null,
      importing: null,
      askedAt: this.#scope.timers.now(),
      shareDone: null,
      rowsRead: 0,
      report: null,
      message: null,
      cancelling: new AbortController(),
    };
    this.#held.set(id, held);
    try {
      await mkdir(directory, { recursive: true });
      await writeFile(pathOf(held), '');
    } catch (error) {
      this.#held.delete(id);
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
    if (bytes === 0) await this.#read(held, {}, left);
    return answerOf(held);
  }

  /**
   * @throws CodedError conflict for a part that does not begin where the last one ended, or goes beyond the end; disk_full,
   *   after which the same part may come again
   */
  async add(id: string, { offset, base64 }: PartBody, left: AbortSignal): Promise<ImportAnswer> {
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
        await writeAllAt(file, part, offset);
      } finally {
        await file.close();
      }
      at('upload.part-written');
      held.received += part.length;
    } finally {
      held.isWriting = false;
    }
    // It may have been cancelled meanwhile.
    if (held.state === 'uploading' && held.received === held.bytes) await this.#read(held, {}, left);
    return answerOf(held);
  }

  /**
   * Reads the file anew, with other choices. A reading with the same choices that is under way is waited for; one with
   * others ends.
   *
   * @param left aborts when the caller has left
   * @throws ValidationRefusal for a choice that cannot be meant
   */
  async read(id: string, choices: Choices, left: AbortSignal): Promise<ImportAnswer> {
    const held = this.#heldAs(id, 'read', 'reading');
    try {
      statedIn(choices);
    } catch (error) {
      if (!(error instanceof ChoiceFault)) throw error;
      const { choice, message } = error;
      throw new ValidationRefusal([valueFault(['body', choice], choices[choice], message)]);
    }
    await this.#read(held, choices, left);
    return answerOf(held);
  }

  /** @throws CodedError conflict where nothing of the file can be read */
  start(id: string): ImportAnswer {
    const held = this.#heldAs(id, 'read');
    if (held.files === held.filesRefused) {
      const sentence = held.readings[0]?.refused?.message ?? held.message ?? 'There is nothing to import';
      throw new CodedError('conflict', sentence);
    }
    held.message = null;
    held.state = 'importing';
    held.shareDone = 0;
    held.importing = this.#scope.run(`import of ${held.id}`, () => this.#import(held));
    return answerOf(held);
  }

  get(id: string): ImportAnswer {
    return answerOf(this.#heldAs(id));
  }

  /** The files, newest first. */
  list(): ImportAnswer[] {
    const now = this.#scope.timers.now();
    for (const held of this.#held.values()) held.askedAt = now;
    return Array.from(this.#held.values(), answerOf).reverse();
  }

  /** Stops the import of a file, and deletes the file; one that has ended is forgotten. */
  async cancel(id: string): Promise<ImportAnswer> {
    const held = this.#heldAs(id);
    if (held.state === 'importing') held.cancelling.abort(new CodedError('conflict', 'cancelled'));
    else if (held.state === 'uploading' || held.state === 'reading' || held.state === 'read') {
      held.state = 'cancelled';
      held.underway?.ending.abort(new CodedError('conflict', 'cancelled'));
      await held.underway?.ended;
      held.message = 'Nothing was written.';
      await rm(held.directory, { recursive: true, force: true });
    } else this.#held.delete(id);
    return answerOf(held);
  }

  /** @throws CodedError not_found, conflict */
  #heldAs(id: string, ...states: readonly ImportState[]): Held {
    const held = this.#held.get(id);
    if (held === undefined) {
      throw new CodedError('not_found', 'No file of this name is held here; bring it again');
    }
    held.askedAt = this.#scope.timers.now();
    if (states.length > 0 && !states.includes(held.state)) {
      throw new CodedError('conflict', `The file is ${WORDS[held.state]}`);
    }
    return held;
  }

  async #makeRoom(): Promise<void> {
    if (this.#held.size < HELD_MAX) return;
    const isOver = ({ state }: Held): boolean => state !== 'importing' && state !== 'reading';
    const oldest = this.#held.values().find(isOver);
    if (oldest === undefined) throw new CodedError('overloaded');
    this.#held.delete(oldest.id);
    await rm(oldest.directory, { recursive: true, force: true });
  }

  #endAbandoned(): void {
    const before = this.#scope.timers.now() - ABANDONED_MS;
    for (const { underway, askedAt } of this.#held.values())
      if (underway !== null && underway.waiting === 0 && askedAt < before) underway.ending.abort(ABANDONED);
  }

  /** What a thread reads, and how. */
  #files({ directory }: Held, choices: Choices): Omit<FileReaderData, 'calendarPath'> {
    return { paths: [directory], stated: statedIn(choices), now: this.#context.clock.now() };
  }

  /** Waits for a reading, but not long. It ends with the last caller who waits for it and leaves. */
  async #read(held: Held, choices: Choices, left: AbortSignal): Promise<void> {
    const { underway: earlier } = held;
    const isSame = earlier !== null && JSON.stringify(earlier.choices) === JSON.stringify(choices);
    if (earlier !== null && !isSame) {
      earlier.ending.abort(ABANDONED);
      await earlier.ended.catch(() => {});
    }
    const underway = isSame ? earlier : this.#beginReading(held, choices);
    underway.waiting++;
    const patience = new AbortController();
    try {
      const late = rest(this.#scope.timers, WAIT_MS, { signal: patience.signal });
      await Promise.race([abortable(underway.ended, left), late]);
    } finally {
      patience.abort();
      underway.waiting--;
      if (left.aborted && underway.waiting === 0) underway.ending.abort(ABANDONED);
    }
  }

  #beginReading(held: Held, choices: Choices): Underway {
    const ending = new AbortController();
    held.kinds.clear();
    Object.assign(held, {
      state: 'reading',
      choices,
      readings: [],
      files: 0,
      filesRefused: 0,
      message: null,
    });
    const ended = this.#scope
      .run(`reading of ${held.id}`, () =>
        behindReaders(() => this.#readInThread(held, choices, ending.signal)),
      )
      .catch((error: unknown) => {
        if (held.state === 'cancelled') return;
        const sentence = error instanceof Error ? error.message : String(error);
        const refused = refusedAs('too_large', sentence);
        Object.assign(held, { readings: [], files: 0, filesRefused: 0, message: sentence });
        if (error instanceof CodedError && error.code === 'payload_too_large')
          Object.assign(held, {
            readings: [{ file: held.name, findings: [], first: [], refused }],
            files: 1,
            filesRefused: 1,
            message: null,
          });
        else if (!(error instanceof CodedError)) throw error;
      })
      .finally(() => {
        held.underway = null;
        if (held.state === 'reading') held.state = 'read';
      });
    ended.catch(() => {});
    held.underway = { choices, ending, ended, waiting: 0 };
    return held.underway;
  }

  async #readInThread(held: Held, choices: Choices, signal: AbortSignal): Promise<void> {
    const data = { ...this.#files(held, choices), calendarPath: this.#calendarPath };
    const onReading = (one: ShownReading): void => {
      const reading = readingOf(one);
      held.files++;
      if (reading.refused !== null) held.filesRefused++;
      if (one.kind !== undefined && !isUnreadable(reading)) held.kinds.add(one.kind);
      const isShown = held.readings.length < SHOWN_MAX + (reading.refused === null ? 0 : REFUSED_SHOWN_MAX);
      if (isShown) held.readings.push(reading);
    };
    await readInThread(data, knownOnTape(this.#context.tape), onReading, signal);
  }

  async #import(held: Held): Promise<void> {
    const { signal } = held.cancelling;
    const onProgress = ({ weightDone, weightTotal, rowsKept, rowsRead }: ImportProgress): void => {
      held.shareDone = weightTotal === 0 ? 1 : Math.min(weightDone / weightTotal, 1);
      held.rowsRead = rowsKept + rowsRead;
    };
    try {
      // Prints and quotes come by themselves; a file is of one kind.
      [held.report = null] = await this.#importFiles(this.#files(held, held.choices), onProgress, signal);
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

const ABANDONED = new CodedError('conflict', 'The reading has ended before its end: read the file again.');

function readingOf({ where, read, first = [] }: ShownReading): Reading {
  if ('reason' in read) {
    return {
      file: where,
      findings: [],
      first: [],
      refused: refusedAs(read.reason, read.example),
    };
  }
  const kind = { part: 'kind', value: read.what, evidence: 'its content', sure: 'seen' } as const;
  const findings = Object.entries(read.parts).map(([part, finding]) => ({
    part,
    ...finding,
    evidence: inFields(printable(finding.evidence)),
  }));
  const rows = first.map(({ symbol, isDaily, time, open, high, low, close, volume }) => ({
    symbol,
    at: isDaily ? dateOf(time) : new Date(time).toISOString(),
    ...{ open, high, low, close },
    volume: Number.isNaN(volume) ? null : volume,
  }));
  return { file: where, findings: [kind, ...findings], first: rows, refused: null };
}

/** What no choice makes readable. */
const UNREADABLE: ReadonlySet<RefusalReason> = new Set(['broken_archive', 'unknown_format', 'too_large']);
const isUnreadable = ({ refused }: Reading): boolean => refused !== null && UNREADABLE.has(refused.reason);

function refusedAs(reason: RefusalReason, sentence: string): NonNullable<Reading['refused']> {
  const asks = choicesIn(sentence);
  const questions = asks.flatMap((name) => choiceOf(name).question ?? []);
  return {
    reason,
    message: inFields(printable(sentence)),
    asks,
    question: questions.length === 0 ? null : questions.join(' '),
  };
}

function choicesOf(kinds: ReadonlySet<FileKind>): ImportChoice[] {
  const names = CHOICE_NAMES.filter((name) => choiceOf(name).kinds.some((kind) => kinds.has(kind)));
  return names.map((name) => {
    const { label, help, form, values = [], example: placeholder = null } = choiceOf(name);
    const typed = form === 'word' || form === 'date' || form === 'zone' ? form : 'text';
    return { name, label, help, form: typed, values: [...values], placeholder };
  });
}

const WORDS: Readonly<Record<ImportState, string>> = {
  uploading: 'not here as a whole yet',
  reading: 'being read',
  read: 'read and waits for its start',
  importing: 'being imported',
  imported: 'imported already',
  cancelled: 'cancelled; bring it again',
  failed: 'not imported, as its message says; bring it again',
};

const LOCK = '.lock';
const lockOf = (directory: string): string => `${directory}${LOCK}`;

/** Folders of processes that did not end by themselves: nobody holds their locks. */
async function removeAbandoned(own: string): Promise<void> {
  const directory = dirname(own);
  const names = await readdir(directory).catch(() => []);
  for (const path of new Set(names.map((name) => join(directory, name.replace(/\.lock$/, ''))))) {
    const lock = path === own ? null : takeLock(lockOf(path));
    if (lock === null) continue;
    await rm(path, { recursive: true, force: true });
    lock.release();
    await rm(lockOf(path), { force: true });
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
    files: held.files,
    files_refused: held.filesRefused,
    readings: [...held.readings],
    choices: choicesOf(held.kinds),
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
