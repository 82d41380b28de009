import type { TextFile } from './archive.ts';
import { wholeText } from './source-file.ts';

/** Of one value: an answer of 25,000 contracts has 12 MB. Lists of bars are read some bars at a time. */
export const JSON_BYTES_MAX = 160 * 2 ** 20;

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a member by its path, such as `greeks.delta`; undefined where there is none. */
export function memberAt(members: unknown, path: string): unknown {
  let value = members;
  for (const name of path.split('.')) value = isMembers(value) ? value[name] : undefined;
  return value;
}

/** Texts and numbers as text; anything else is no text. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** Python and R write values that JSON has no word for; beside them a file is sound. */
const NO_VALUE = /([:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g;

/** The value that a text writes; undefined when it is broken or cut short. */
export function parsedJson(text: string): unknown {
  for (const attempt of [() => text, () => text.replace(NO_VALUE, '$1null')]) {
    try {
      return JSON.parse(attempt());
    } catch {}
  }
  return undefined;
}

/** Whole numbers beyond 2^53, such as ids of trades and nanoseconds. */
const LARGE = /([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g;

/**
 * The value of a vendor's message. Whole numbers beyond 2^53 stay what they are: as texts.
 *
 * @throws SyntaxError
 */
export const wireJson = (text: string): unknown =>
  JSON.parse(/\d{16}/.test(text) ? text.replace(LARGE, '$1"$2"') : text);

type FileJson = { readonly value: unknown } | { readonly fault: string };

const values = new WeakMap<TextFile, Promise<FileJson>>();

/** The JSON value of a file, or why there is none as a sentence: read once, whatever the readers that ask what it holds. */
export const jsonIn = (file: TextFile): Promise<FileJson> =>
  values.getOrInsertComputed(file, async () => {
    const text = await wholeText(file, JSON_BYTES_MAX);
    if (text === null) return { fault: `the file has more than ${JSON_BYTES_MAX} bytes: part it` };
    const value = parsedJson(text);
    return value === undefined
      ? { fault: `the JSON is broken or cut short after ${text.length} characters: download it again` }
      : { value };
  });

/** Gives the memory of the value back: the file itself may be held for long. */
export const forgetJson = (file: TextFile): unknown => values.delete(file);

/** What an error of reading says of a file, as a sentence. */
export const damageSeen = (error: unknown): string =>
  error instanceof RangeError && error.message.includes('call stack')
    ? 'its values lie within one another deeper than those of any table or answer: download it again'
    : `${error instanceof Error ? error.message : String(error)}: the archive is damaged or cut short, download it again`;

/** Whether a file begins as an object or a list; a list of texts without quotes is a header with names in brackets. */
export const isJson = (beginning: string): boolean => /^(\{|\[\s*([[{"\]]|$))/.test(beginning);

/** Why a file is no data at all, as a sentence; null when it may be some. */
export function strangeBeginning(beginning: string): string | null {
  if (beginning === '') return 'the file is empty: download it again';
  if (beginning.startsWith('PK\u0003\u0004'))
    return 'an archive within an archive: unpack the outer one first';
  if (beginning.slice(0, 40).includes('\0'))
    return 'text in UTF-16, or no text: save it as UTF-8 (in Excel: CSV UTF-8)';
  return beginning.startsWith('<')
    ? 'the file is a web page, most often the error of a site: open it in a browser, and download the data again'
    : null;
}

/** The names of an unknown object, for a message. */
export const membersOf = (value: unknown): string =>
  isMembers(value)
    ? Object.keys(value).slice(0, 8).join(', ')
    : Array.isArray(value)
      ? 'a list'
      : 'no object';
