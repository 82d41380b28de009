import { onceFor } from '../base/once-for.ts';
import type { Fundamentals } from '../market/facts.ts';
import type { StockView } from '../market/stock-view.ts';
import { BOOK_FIGURES, type BookFigure, type Books } from './fundamentals.ts';
import { DAY_MS } from './sessions.ts';

/** A stated figure and the instant from which it may be quoted. */
export interface StatedFigure {
  readonly value: number;
  readonly knownAt: number;
}

/** The newest fact that states a figure; null when none does. */
export function newestStated<Fact extends { readonly knownAt: number }>(
  facts: readonly Fact[],
  figure: (fact: Fact) => number | null | undefined,
): StatedFigure | null {
  for (let at = facts.length - 1; at >= 0; at--) {
    const fact = facts[at]!;
    const value = figure(fact) ?? null;
    if (value !== null) return { value, knownAt: fact.knownAt };
  }
  return null;
}

/** What of a view changes with a report alone. */
export interface Reported extends Pick<StockView, 'facts' | 'tradeDate' | 'actions' | 'sessionOn'> {
  /** Those that are not too old, the newest period last: a restated period does not become newer. */
  readonly statements: readonly Statement[];
}

/** Works something out once for what is reported of a stock, and not every minute. */
export function ofReports<Value>(make: (reported: Reported) => Value): (view: StockView) => Value {
  const known = onceFor(
    (
      facts: StockView['facts'],
      statements: Reported['statements'],
      tradeDate: string,
      actions: StockView['actions'],
      sessionOn: StockView['sessionOn'],
    ) => make({ facts, statements, tradeDate, actions, sessionOn }),
  );
  return ({ facts, tradeDate, actions, sessionOn, asOf }) =>
    known(facts, currentStatements(facts.fundamentals, asOf), tradeDate, actions, sessionOn);
}

type SplitBasis = Pick<StockView, 'actions' | 'sessionOn'>;

/** New shares for one of the day on which a fact was reported; 1 without a split since. */
export function splitFactorSince({ actions, sessionOn }: SplitBasis, knownAt: number): number {
  let factor = 1;
  for (const { kind, exDate, value } of actions) {
    // A fact from before the first trade on the new basis is on the old one.
    if (kind === 'split' && knownAt < (sessionOn(exDate)?.preOpen ?? exDate)) factor *= value;
  }
  return factor;
}

/** Dollars a share on the trade date's basis. */
export function perShareNow(view: SplitBasis, stated: StatedFigure | null): number | null {
  return stated === null ? null : stated.value / splitFactorSince(view, stated.knownAt);
}

/** A number of shares on the trade date's basis. */
export function sharesNow(view: SplitBasis, stated: StatedFigure | null): number | null {
  return stated === null ? null : stated.value * splitFactorSince(view, stated.knownAt);
}

/** Maximum age of statements and vendors' ratios: a fiscal year and the 95 days to the next filing. */
export const STATEMENT_MAX_AGE_MS = 460 * DAY_MS;

/** A reported statement with its figures as the mathematics reads them. */
export interface Statement extends Fundamentals {
  readonly knownAt: number;
  readonly books: Books;
}

function currentStatements(all: StockView['facts']['fundamentals'], asOf: number): readonly Statement[] {
  const from = asOf - STATEMENT_MAX_AGE_MS;
  return statementsFrom(all, all.findLastIndex(({ knownAt }) => knownAt < from) + 1);
}

const statementsFrom = onceFor((all: StockView['facts']['fundamentals'], first: number) =>
  all
    .slice(first)
    .map((statement) => ({ ...statement, books: booksOf(statement) }))
    .sort(byPeriod),
);

function byPeriod(one: Statement, other: Statement): number {
  if (one.periodEnd === other.periodEnd) return one.knownAt - other.knownAt;
  return one.periodEnd < other.periodEnd ? -1 : 1;
}

/** A ratio of the newest statement that has all its inputs; NaN when none has. Periods are never mixed. */
export function ofNewest(statements: readonly Statement[], ratio: (books: Books) => number): number {
  for (let at = statements.length - 1; at >= 0; at--) {
    const value = ratio(statements[at]!.books);
    if (!Number.isNaN(value)) return value;
  }
  return Number.NaN;
}

function booksOf(statement: Fundamentals): Books {
  const books = {} as Record<BookFigure, number>;
  for (const figure of BOOK_FIGURES) books[figure] = statement[figure] ?? Number.NaN;
  return books;
}
