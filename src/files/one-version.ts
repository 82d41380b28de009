import { stat } from 'node:fs/promises';
import { CodedError } from '../base/errors.ts';
import type { Delivery, SourceUnit } from '../market/feed.ts';
import type { KeyedFile } from './found-files.ts';

/**
 * Files that are written while they are read: rows of two versions must never lie beside each other. Every reader asks
 * here, before any of its rows is handed on.
 */

/** Changes with every write to a file, also with one that puts its time back, and when another takes its name. */
export async function versionOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

const versionsOf = (files: readonly KeyedFile[]): Promise<string[]> =>
  Promise.all(files.map(({ path }) => versionOf(path)));

/**
 * A unit of the versions that its files have when its fingerprint is asked for, or else when its reading begins.
 *
 * @param since the versions that the unit was made of, where what it is depends on the content of its files
 * @returns the unit; its reading throws a CodedError `import_failed` once one of the files is another
 */
export function ofOneVersion(
  files: readonly KeyedFile[],
  unit: SourceUnit,
  since?: readonly string[],
): SourceUnit {
  let first = since;
  return {
    ...unit,
    async fingerprint() {
      first = since ?? (await versionsOf(files));
      return unit.fingerprint();
    },
    async *read(): AsyncGenerator<Delivery> {
      const before = first ?? (await versionsOf(files));
      for await (const delivery of unit.read()) {
        refuseChanged(files, before, await versionsOf(files));
        yield delivery;
      }
      refuseChanged(files, before, await versionsOf(files));
    },
  };
}

/** @throws CodedError import_failed where one of the files has changed meanwhile */
export async function readUnchanged<T>(files: readonly KeyedFile[], read: () => Promise<T>): Promise<T> {
  const before = await versionsOf(files);
  const result = await read();
  refuseChanged(files, before, await versionsOf(files));
  return result;
}

function refuseChanged(files: readonly KeyedFile[], before: readonly string[], now: readonly string[]): void {
  const changed = files.find((_, at) => before[at] !== now[at]);
  if (changed === undefined) return;
  const msg = `${changed.key} has changed while it was read: import it again once it is written whole.`;
  throw new CodedError('import_failed', msg);
}
