import { type RefusalReason, type RefusalTally, type Refused, refusedFile } from '../../market/refusals.ts';
import type { TextFile } from '../archive.ts';
import { choice } from '../choices.ts';
import { isJson, isMembers, jsonIn, membersOf, parsedJson, strangeBeginning } from '../json.ts';
import { listingOf, valuesOf } from '../json-batches.ts';
import { beginningOf } from '../source-file.ts';
import {
  alphaVantageOverview,
  finnhubMetrics,
  fmpProfile,
  fmpRatios,
  massiveFinancials,
  yfinanceInfo,
} from './fundamentals.ts';
import { type FactLayout, rowsOf } from './layout.ts';
import { alpacaNews, alphaVantageNews, finnhubNews, massiveNews, yfinanceNews } from './news.ts';
import { columnNames, type Row, readRow, repairsIn, type Stated, type SymbolFacts } from './rows.ts';

const ANSWERS: readonly FactLayout[] = [
  alphaVantageOverview,
  finnhubMetrics,
  fmpProfile,
  fmpRatios,
  yfinanceInfo,
  massiveFinancials,
  alpacaNews,
  massiveNews,
  finnhubNews,
  alphaVantageNews,
  yfinanceNews,
];

export async function isAnswer(file: TextFile): Promise<boolean> {
  const listing = listingOf(await beginningOf(file));
  if (listing === 'lines' || (listing === 'items' && !(await mayBeAnswer(file)))) return false;
  const json = await jsonIn(file);
  return 'value' in json && isOfAnswer(json.value);
}

const isOfAnswer = (value: unknown): boolean => ANSWERS.some(({ itemsIn }) => itemsIn(value) !== null);

/** Whether a list may be an answer by its first items: one of bars is no reason to read all of it. */
async function mayBeAnswer(file: TextFile): Promise<boolean> {
  try {
    for await (const { values } of valuesOf(file, 'items'))
      return isOfAnswer(values) || !values.some(isMembers);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return true;
}

/** The facts of a file that is one answer of a source's API; null for tables and JSON Lines. */
export async function answeredFacts(
  file: TextFile,
  beginning: string,
  stated: Stated,
  tally: RefusalTally,
): Promise<(SymbolFacts | Refused)[] | null> {
  const refused = (fault: string) => [refusedFile('unknown_format', file.where, fault)];
  const strange = beginning === '' ? null : strangeBeginning(beginning);
  if (strange !== null) return refused(strange);
  if (!isJson(beginning)) return null;
  const [first = '', second = ''] = beginning.split('\n', 2);
  const row = parsedJson(first);
  const known = columnNames(stated.kind);
  // A line of ours has our names; its file may be far too large to be read as a whole.
  if (isMembers(row) && Object.keys(row).every((name) => known.has(name))) return null;
  const json = await jsonIn(file);
  if ('fault' in json) return isMembers(row) || second.startsWith('{') ? null : refused(json.fault);
  for (const { itemsIn, facts } of ANSWERS) {
    const items = itemsIn(json.value);
    if (items !== null) return factsOfItems(items, facts, file.where, stated, tally);
  }
  if (isMembers(row)) return null;
  return refused(
    `no known source answers so (${membersOf(json.value)}): docs/data-formats.md has the layouts`,
  );
}

/** @param file names the source of refusals */
export function factsOfItems(
  items: readonly unknown[],
  facts: FactLayout['facts'],
  file: string,
  stated: Stated,
  tally: RefusalTally,
): SymbolFacts[] {
  const read: SymbolFacts[] = [];
  for (const [index, item] of items.entries()) {
    const where = `${file}:${index + 1}`;
    if (!isMembers(item)) {
      tally.note('unknown_format', where, JSON.stringify(item) ?? '');
      continue;
    }
    for (const said of rowsOf(item, facts)) {
      if ('fault' in said)
        tally.note(said.fault.startsWith('no ticker') ? 'bad_symbol' : 'bad_word', where, said.fault);
      else {
        const one = readRow(said.row, stated, repairsIn(tally, where));
        if (typeof one !== 'string') read.push(one);
        else tally.note(one, where, refusalText(said.row, one, stated));
      }
    }
  }
  return read;
}

function refusalText(row: Row, reason: RefusalReason, { knownAt }: Stated): string {
  const isUntimed = reason === 'missing_value' && !row.has('known_at') && knownAt === undefined;
  const of = `${row.get('kind')} of ${row.get('symbol')}`;
  return isUntimed
    ? `${of}: the file does not say since when it is known: state it with ${choice('known_at')}`
    : `${of}: ${JSON.stringify(Object.fromEntries(row))}`;
}
