import { instantOrNull } from '../../base/wire.ts';
import type { Label } from '../../derive/compose.ts';
import { valueText } from '../../derive/value-text.ts';
import type { CachedResult } from '../context/result-cache.ts';

/** The next page of a screen. */
export interface ScreenCursor {
  readonly tradeDate: string;
  /** Version of the columns that the pages come from. */
  readonly version: string;
  /** Key of the screen and its viewer. */
  readonly screen: string;
  /** Stocks on earlier pages. */
  readonly offset: number;
}

const CURSOR = /^(\d{4}-\d{2}-\d{2})\|([\w-]{27})\|([\w-]{27})\|([1-9]\d{0,6})$/;

export const cursorText = ({ tradeDate, version, screen, offset }: ScreenCursor): string =>
  Buffer.from(`${tradeDate}|${version}|${screen}|${offset}`).toString('base64url');

/** Null for an invalid cursor. */
export function readCursor(text: string): ScreenCursor | null {
  const parts = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (parts === null) return null;
  const [, tradeDate, version, screen, offset] = parts;
  const cursor = { tradeDate: tradeDate!, version: version!, screen: screen!, offset: Number(offset) };
  // Refuses other base64 spellings of the same bytes.
  return cursorText(cursor) === text ? cursor : null;
}

interface Page {
  readonly name: string;
  readonly limit: number;
  readonly offset: number;
  readonly sessionsBehind: number;
  /** Of the session by symbol; null where they were not asked for. */
  readonly closes: ReadonlyMap<string, readonly number[]> | null;
}

/** A page of a screen as JSON text. */
export function pageText(
  result: CachedResult,
  { name, limit, offset, sessionsBehind, closes }: Page,
  { source, simulated }: Label,
): string {
  const { tradeDate, version, rows } = result;
  const end = offset + limit;
  const next = end < rows.length ? cursorText({ tradeDate, version, screen: name, offset: end }) : null;
  const head = JSON.stringify({
    date: tradeDate,
    sessions_behind: sessionsBehind,
    as_of: { oldest: instantOrNull(result.oldestAsOf), newest: instantOrNull(result.newestAsOf) },
    source,
    simulated,
    total: rows.length,
    universe: result.universe,
    unknown: result.unknown,
  });
  // They belong to the screen, so only the first page has them.
  const nearMisses = offset === 0 ? result.nearMisses : '[]';
  return `${head.slice(0, -1)},"rows":[${rowsText(result, offset, end, closes)}],"near_misses":${nearMisses},"next_cursor":${JSON.stringify(next)}}`;
}

/** Rows as JSON text: the symbol and the selected values by name. */
function rowsText(
  { symbols, rows, columns }: CachedResult,
  from: number,
  to: number,
  closes: Page['closes'],
): string {
  const others = columns.filter(({ name }) => name !== 'symbol');
  const keys = others.map(({ name }) => `,${JSON.stringify(name)}:`);
  const texts: string[] = [];
  for (let row = from; row < Math.min(to, rows.length); row++) {
    const symbol = symbols[rows[row]!]!;
    let text = `{"symbol":${JSON.stringify(symbol)}`;
    for (const [at, { type, values, words }] of others.entries()) {
      text += keys[at]! + valueText(type, values[row]!, words);
    }
    if (closes !== null) text += `,"closes":${JSON.stringify(closes.get(symbol) ?? [])}`;
    texts.push(`${text}}`);
  }
  return texts.join(',');
}
