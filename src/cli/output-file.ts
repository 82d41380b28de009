import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { wrongCall } from './options.ts';

/**
 * Checks before the work that its result can be written.
 *
 * @param file undefined for no file
 * @throws CodedError validation_failed
 */
export function checkWritable(file: string | undefined): void {
  if (file === undefined) return;
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw wrongCall(`There is no folder ${folder} for ${file}.`);
  if (existsSync(file) && statSync(file).isDirectory()) throw wrongCall(`${file} is a folder.`);
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK);
  } catch (cause) {
    throw new CodedError('validation_failed', `${file} may not be written by this user.`, { cause });
  }
}

export function writeResult(file: string | undefined, text: string): void {
  if (file === undefined) return;
  writeFileSync(file, text);
  console.log(`written: ${file}`);
}
