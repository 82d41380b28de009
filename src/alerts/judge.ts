import { hash } from 'node:crypto';
import type { DayMoments } from '../derive/moments.ts';
import { alertKind } from './kinds/index.ts';
import { type Moment, momentsOf } from './moment.ts';
import { type Rule, sentenceOf } from './rule.ts';

/** Firings of a rule and a stock on one date; beyond them it is silent until the next. */
const FIRINGS_A_DAY = 50;

/** What a rule knows of a stock after a moment. */
export interface Seen {
  /** The moment, epoch milliseconds, and its trade date. */
  readonly at: number;
  readonly tradeDate: string;
  /** Of the kind. */
  readonly state: unknown;
  /** How often it has fired: on that date, and ever. */
  readonly today: number;
  readonly ever: number;
}

/** A rule that fired. */
export interface Firing {
  readonly id: string;
  readonly rule: string;
  readonly owner: string;
  readonly symbol: string;
  readonly tradeDate: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Close of the newest bar, dollars; null before the first. */
  readonly price: number | null;
  /** Without the symbol: `price crossed above VWAP (217.20)`. */
  readonly says: string;
  /** The rule as it reads then. */
  readonly sentence: string;
}

/** It follows from what fired and when, so that the same minute judged again is the same firing. */
export const firingId = (rule: string, symbol: string, tradeDate: string, at: number): string =>
  `fir_${hash('sha256', `${rule} ${symbol} ${tradeDate} ${at}`, 'base64url').slice(0, 22)}`;

const mayFire = (
  { repeat, since }: Pick<Rule, 'repeat' | 'since'>,
  today: number,
  ever: number,
  at: number,
) => at > since && (repeat === 'once' ? ever === 0 : today < (repeat === 'daily' ? 1 : FIRINGS_A_DAY));

/** As it is answered: to a hundredth of a cent. */
function priceOf({ bars, rows, number }: Moment): number | null {
  const price = number('last_price');
  if (!Number.isNaN(price)) return price;
  return rows === 0 ? null : Math.round(bars.close[rows - 1]! * 10_000) / 10_000;
}

/** A day folded: what it fired, and what is known after it. */
export interface Folded {
  readonly seen: Seen | null;
  readonly firings: readonly Firing[];
}

/**
 * Folds a rule over the moments of a day of one stock: the one way in which rules are judged, live, in previews and in tests.
 * Pure.
 *
 * @param until silence counts up to here, epoch milliseconds
 */
export function fold(rule: Rule, before: Seen | null, day: DayMoments, until: number): Folded {
  const { countsSilence = false, judge } = alertKind(rule.kind);
  const firings: Firing[] = [];
  let seen = before;
  for (const moment of momentsOf(day, countsSilence, until)) {
    if (seen !== null && moment.at <= seen.at) continue;
    const { symbol, tradeDate } = moment;
    const isFirst: boolean = seen?.tradeDate !== tradeDate;
    const verdict = judge(rule.parameters, seen?.state ?? null, moment, isFirst);
    const { state, fired, at = moment.at } = verdict;
    let [today, ever] = [isFirst ? 0 : seen!.today, seen?.ever ?? 0];
    if (fired !== null && mayFire(rule, today, ever, at)) {
      today++;
      ever++;
      const id = firingId(rule.id, symbol, tradeDate, at);
      const told = { symbol, tradeDate, at, price: priceOf(moment), says: fired, sentence: sentenceOf(rule) };
      firings.push({ id, rule: rule.id, owner: rule.owner, ...told });
    }
    seen = { at: moment.at, tradeDate, state, today, ever };
  }
  return { seen, firings };
}
