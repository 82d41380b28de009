import { createHash, hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExportAnswer } from '../api/export/schema.ts';
import { CodedError } from '../base/errors.ts';
import { sync, writeAllAt } from '../base/synced-files.ts';

/** A file of an export as its manifest has it. */
export interface ExportedFile {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Nothing in it became known later. */
  readonly as_of: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What the folder is an export of: another question goes into another folder. */
type Question = Readonly<Record<string, unknown>>;

export interface Manifest extends Omit<ExportAnswer, 'parts'> {
  readonly question: Question;
  readonly files: readonly ExportedFile[];
}

/** A manifest of an export that has not ended: files of this run, and of earlier ones. */
interface Unfinished {
  readonly as_of: string;
  readonly question: Question;
  readonly files: readonly ExportedFile[];
  /** Paths that are done for the instant. */
  readonly done: readonly string[];
}

const MANIFEST = 'manifest.json';
const UNFINISHED = 'manifest.unfinished.json';

/** The folder of an export on this machine: files get their names when they are whole, the manifest comes last. */
export async function openExportFolder(folder: string, question: Question) {
  const path = (name: string): string => join(folder, name);
  const manifest = await readJson<Manifest>(path(MANIFEST));
  const unfinished = await readJson<Unfinished>(path(UNFINISHED));
  const former = unfinished ?? manifest;
  if (former !== null && digestOf(former.question) !== digestOf(question))
    throw new CodedError(
      'validation_failed',
      `${folder} holds an export of another question: ${JSON.stringify(former.question)}. Give another folder, or remove this one.`,
    );
  const files = new Map(former?.files.map((file) => [file.path, file]));
  let done = new Set<string>();

  return {
    /** The instant of an export that was interrupted; null where none was. */
    resumedAt: unfinished?.as_of ?? null,
    /** Takes the manifest away, since files are going to change. */
    async begin(asOf: string): Promise<void> {
      await mkdir(folder, { recursive: true });
      done = new Set(unfinished?.as_of === asOf ? unfinished.done : []);
      await note(asOf);
      await rm(path(MANIFEST), { force: true });
    },
    /** Whether a file of this instant is there from a run that was interrupted. */
    async isDone({
      path: name,
      from,
      to,
    }: Pick<ExportedFile, 'path'> & Partial<ExportedFile>): Promise<boolean> {
      const file = files.get(name);
      if (!done.has(name) || file?.from !== from || file?.to !== to || !existsSync(path(name))) return false;
      return (await stat(path(name))).size === file!.bytes;
    },
    /**
     * Writes a file under another name; it gets its own once it is whole, unless the same bytes are there.
     *
     * @returns whether it was written
     */
    async write(
      file: Omit<ExportedFile, 'rows' | 'bytes' | 'sha256'>,
      asOf: string,
      content: AsyncIterable<Uint8Array>,
      rows: () => number,
    ): Promise<boolean> {
      const target = path(file.path);
      const { bytes, sha256 } = await writeBeside(target, content);
      const known = files.get(file.path);
      const isSame = known?.sha256 === sha256 && (await digestOfFile(target)) === sha256;
      if (isSame) await rm(besideOf(target));
      else await named(target);
      files.set(file.path, { ...file, rows: rows(), bytes, sha256 });
      done.add(file.path);
      await note(asOf);
      return !isSame;
    },
    async end(head: Omit<Manifest, 'files' | 'question'>): Promise<Manifest> {
      const all = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
      const written = {
        ...head,
        from: least(all.map(({ from }) => from)),
        to: greatest(all.map(({ to }) => to)),
        question,
        files: all,
      };
      await whole(path(MANIFEST), written);
      await rm(path(UNFINISHED), { force: true });
      return written;
    },
  };

  function note(asOf: string): Promise<void> {
    const own = { as_of: asOf, question, files: [...files.values()], done: [...done] };
    return whole(path(UNFINISHED), own satisfies Unfinished);
  }
}

const least = (texts: readonly string[]): string => texts.reduce((one, other) => (other < one ? other : one));
const greatest = (texts: readonly string[]): string =>
  texts.reduce((one, other) => (other > one ? other : one));
const digestOf = (question: Question): string =>
  hash('sha1', JSON.stringify(Object.entries(question).sort(([one], [other]) => (one < other ? -1 : 1))));
const besideOf = (target: string): string => `${target}.unfinished`;

async function readJson<Value>(file: string): Promise<Value | null> {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Value;
  } catch (cause) {
    throw new CodedError(
      'validation_failed',
      `${file} is not as an export writes it; remove it, and export again.`,
      { cause },
    );
  }
}

/** Unlike files of the store it may be read by whoever may read the folder. */
async function whole(target: string, value: object): Promise<void> {
  await writeBeside(target, [Buffer.from(`${JSON.stringify(value, null, 1)}\n`)]);
  await named(target);
}

async function named(target: string): Promise<void> {
  await rename(besideOf(target), target);
  await sync(dirname(target));
}

/** @throws what the content or the disk throws; the file that is not whole is gone then */
async function writeBeside(target: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const beside = besideOf(target);
  const digest = createHash('sha256');
  let bytes = 0;
  await mkdir(dirname(target), { recursive: true });
  try {
    const file = await open(beside, 'w');
    try {
      for await (const chunk of content) {
        await writeAllAt(file, chunk, bytes);
        digest.update(chunk);
        bytes += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return { bytes, sha256: digest.digest('hex') };
}

async function digestOfFile(file: string): Promise<string | null> {
  if (!existsSync(file)) return null;
  const digest = createHash('sha256');
  const handle = await open(file, 'r');
  for await (const chunk of handle.createReadStream()) digest.update(chunk as Uint8Array);
  return digest.digest('hex');
}
