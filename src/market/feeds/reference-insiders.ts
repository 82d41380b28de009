import { DAY_MS, dateOf, midnightUtc } from '../../base/dates.ts';
import type { InsiderTransaction } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import { endOfDayNewYork } from './fact-times.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { factGatherer } from './reference-fact-gatherer.ts';
import {
  type JsonObject,
  jsonObject,
  numberIn,
  objectsIn,
  provenFiles,
  type Row,
  type SourceFile,
  tableRows,
  textIn,
} from './reference-source.ts';

/**
 * Transactions of insiders, origin Form 4 of the SEC. A transaction is known from the end of the day of its filing,
 * and where the source has no filing date, from `FILED_WITHIN_DAYS` after the transaction.
 *
 * A price of zero is a form's way of saying that nothing was paid (a grant, a gift, an exercise); it is null here, so
 * that the same transaction has one key whether its source writes 0 or leaves the field empty.
 */

/**
 * Section 16(a) of the Exchange Act wants a Form 4 by the second business day. Of 29,992 filings with both dates in the
 * other two files 98.8 % came within ten days; the rest, years late some of them, cannot be told from a file without
 * filing dates.
 */
export const FILED_WITHIN_DAYS = 10;

const TABLE_2025 = [
  'ticker',
  'owner_name',
  'owner_title',
  'transaction_date',
  'shares',
  'price_per_share',
  'acquired_disposed',
  'transaction_code',
  'filing_date',
];

/** `form4_transactions_*.csv`: with filing dates; some transaction dates carry a clock time of zero. */
export async function* readForm4Table(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  for (const row of sharesFirst(await tableRows(source, TABLE_2025, tally), isUsedUp2025)) {
    const side = row.text('acquired_disposed');
    const transaction = {
      date: row.text('transaction_date')?.slice(0, 10) ?? '',
      owner: row.text('owner_name') ?? '',
      title: row.text('owner_title'),
      code: row.text('transaction_code') ?? '',
      shares: row.number('shares') ?? Number.NaN,
      price: row.number('price_per_share') || null,
      direction: side === 'A' ? 'acquired' : side === 'D' ? 'disposed' : null,
    } as const;
    const knownAt = endOfDayNewYork(row.text('filing_date') ?? '');
    gatherer.take(row.text('ticker'), 'insider_transaction', knownAt, transaction, row);
    yield* gatherer.due();
  }
  yield* gatherer.due(true);
}

const TABLE_2023 = [
  'symbol',
  'change',
  'transactionDate',
  'transactionCode',
  'transactionPrice',
  'name',
  'filingDate',
];

/** `finnhub_insider_transactions_*.csv`: the sign of `change` is the direction; codes of two digits are not the SEC's. */
export async function* readInsiderChanges(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  for (const row of sharesFirst(await tableRows(source, TABLE_2023, tally), isUsedUp2023)) {
    const change = row.number('change') ?? Number.NaN;
    const transaction: InsiderTransaction = {
      date: row.text('transactionDate') ?? '',
      owner: row.text('name') ?? '',
      title: null,
      code: row.text('transactionCode') ?? '',
      shares: Math.abs(change),
      price: row.number('transactionPrice') || null,
      direction: change > 0 ? 'acquired' : 'disposed',
    };
    const knownAt = endOfDayNewYork(row.text('filingDate') ?? '');
    gatherer.take(row.text('symbol'), 'insider_transaction', knownAt, transaction, row);
    yield* gatherer.due();
  }
  yield* gatherer.due(true);
}

/** Codes under which a derivative is turned into shares: exercises and conversions. */
const CONVERSIONS: ReadonlySet<string | null> = new Set(['M', 'X', 'O', 'C']);

/**
 * A conversion is filed twice under one code, owner and number: the derivative that was used up and the shares that came
 * of it. The shares stand first, so that the derivative is the one that counts as `duplicate`.
 */
function sharesFirst(rows: readonly Row[], isUsedUp: (row: Row) => boolean): Row[] {
  return [...rows.filter((row) => !isUsedUp(row)), ...rows.filter(isUsedUp)];
}

const isUsedUp2025 = (row: Row): boolean =>
  CONVERSIONS.has(row.text('transaction_code')) && row.text('acquired_disposed') === 'D';
const isUsedUp2023 = (row: Row): boolean =>
  CONVERSIONS.has(row.text('transactionCode')) && (row.number('change') ?? 0) < 0;

/** Codes that the SEC defines as a gain or a loss of shares. Exercises, gifts and the rest can be either. */
const DIRECTION_OF_CODE: Readonly<Record<string, InsiderTransaction['direction']>> = {
  P: 'acquired',
  A: 'acquired',
  S: 'disposed',
  F: 'disposed',
  D: 'disposed',
};

/**
 * `sec_form4_json.zip`: one file for each quarter of a company (spelt `2024-Q1` or `2024.0-Q1.0`) and one or two of its
 * newest; the same transaction stands in several under several ids. Told once, from the earliest file that tells it.
 */
export async function* readForm4Archive(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const listed = new Map<string, Listed>();
  for await (const file of provenFiles(source, tally)) {
    const members = await jsonObject(file, tally);
    if (members !== null) listTransactions(members, file.where, listed, tally);
  }
  const gatherer = factGatherer(tally);
  for (const { ticker, knownAt, transaction, where, example } of listed.values()) {
    gatherer.take(ticker, 'insider_transaction', knownAt, transaction, { where, example });
  }
  yield* gatherer.due(true);
}

interface Listed {
  readonly ticker: string | null;
  readonly knownAt: number;
  readonly transaction: InsiderTransaction;
  readonly where: string;
  readonly example: string;
}

function listTransactions(
  members: JsonObject,
  where: string,
  listed: Map<string, Listed>,
  tally: RefusalTally,
): void {
  const ticker = textIn(members, 'ticker');
  const taken = endOfDayNewYork(textIn(members, 'last_updated')?.slice(0, 10) ?? '');
  for (const entry of objectsIn(members.transactions ?? members.trades)) {
    const transaction = transactionOf(entry);
    const { date, owner, code, shares, price } = transaction;
    const subject = [ticker, date, owner.toLowerCase(), code, shares, price].join('\n');
    const knownAt = Math.min(taken, filedBy(date));
    const example = JSON.stringify(entry);
    const earlier = listed.get(subject);
    if (earlier !== undefined) tally.note('duplicate', where, example);
    if (earlier === undefined || knownAt < earlier.knownAt) {
      listed.set(subject, { ticker, knownAt, transaction, where, example });
    }
  }
}

function transactionOf(entry: JsonObject): InsiderTransaction {
  const code = textIn(entry, 'transaction_type') ?? '';
  return {
    date: textIn(entry, 'transaction_date') ?? '',
    owner: textIn(entry, 'reporting_owner') ?? '',
    title: textIn(entry, 'reporting_owner_position'),
    code,
    shares: numberIn(entry, 'transaction_shares') ?? Number.NaN,
    price: numberIn(entry, 'transaction_price') || null,
    direction: DIRECTION_OF_CODE[code] ?? null,
  };
}

/** The instant by which a transaction's filing is taken to be out; NaN for what is no date. */
function filedBy(date: string): number {
  const day = midnightUtc(date);
  return Number.isNaN(day) ? Number.NaN : endOfDayNewYork(dateOf(day + FILED_WITHIN_DAYS * DAY_MS));
}

/** `finnhub_insider_sentiment_*.csv`: a vendor's monthly score, for which no kind of fact exists. */
export async function* countSentiment(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  for (const row of await tableRows(source, ['symbol', 'mspr'], tally)) {
    tally.note('not_read', row.where, row.example);
  }
  yield* [];
}
