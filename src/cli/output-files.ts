import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { wrongCall } from './options.ts';

/** Files that a command writes, as its options name them. */
export interface OutputFiles {
  readonly json: string | undefined;
  readonly svg: string | undefined;
}

/**
 * Checks before the work that the files can be written.
 *
 * @throws CodedError validation_failed
 */
export function checkWritable({ json, svg }: OutputFiles): void {
  for (const file of [json, svg]) {
    if (file === undefined) continue;
    const folder = dirname(resolve(file));
    if (!existsSync(folder)) throw wrongCall(`There is no folder ${folder} for ${file}.`);
    if (existsSync(file) && statSync(file).isDirectory()) throw wrongCall(`${file} is a folder.`);
    try {
      accessSync(existsSync(file) ? file : folder, constants.W_OK);
    } catch (cause) {
      throw new CodedError('validation_failed', `${file} may not be written by this user.`, { cause });
    }
  }
}

export function writeFiles({ json, svg }: OutputFiles, make: Record<keyof OutputFiles, () => string>): void {
  if (json !== undefined) writeFileSync(json, make.json());
  if (svg !== undefined) writeFileSync(svg, make.svg());
  for (const file of [json, svg]) if (file !== undefined) console.log(`written: ${file}`);
}
