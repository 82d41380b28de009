import type { Fact } from '../chat/fact.ts';
import type { ClauseWords } from './clause-words.ts';
import { daysAfter } from './dates.ts';
import { type Judgement, unknown } from './judge-number.ts';
import type { Known } from './known.ts';
import type { Item, TextView } from './text-view.ts';

const EARNINGS = 'earnings.days_until';
const DATE_LENGTH = 10;
const NEAR = 12;

/** What the facts say of a date. */
export function judgeDate(
  item: Item & { readonly kind: 'date' },
  view: TextView,
  known: Known,
  words: ClauseWords,
  tradeDate: string,
): Judgement {
  const { date } = item.written;
  if (date === null) return unknown(null, 'The calendar has no such day.');
  const sameDay = known.dates.filter(({ value }) => value.slice(0, DATE_LENGTH) === date);
  const isOfData = saysAsOf(item, view);
  if (isOfData || date === tradeDate) {
    const fact = sameDay[0] ?? known.dates.find(({ id }) => id === TRADE_DATE) ?? null;
    if (date === tradeDate)
      return judged('matches', 'trade date', fact, 'It is the trade date of the facts.');
    if (isOfData && fact?.value !== date) {
      const reason = `The facts are of ${tradeDate}.`;
      return { ...judged('contradicts', 'trade date', fact, reason), expected: tradeDate };
    }
  }
  const next = nextEarnings(item, view, known, tradeDate);
  if (next?.date === date) {
    const derivation = `${tradeDate} + ${next.fact.id} (${next.fact.value}) days = ${date}`;
    return { ...judged('derivable', 'next earnings', next.fact, 'It follows from facts.'), derivation };
  }
  // Days before times: a date that a fact is told by comes first.
  const fact = sameDay.find(({ value }) => value.length === DATE_LENGTH) ?? sameDay[0];
  if (fact !== undefined) return judged('matches', fact.label, fact, `It is ${fact.label}.`);
  const { isConditional, isPast, isNegated } = words.around(item);
  if (next !== null && date > tradeDate && !isConditional && !isPast && !isNegated) {
    const reason = `Earnings are due on ${next.date}.`;
    return { ...judged('contradicts', 'next earnings', next.fact, reason), expected: next.date };
  }
  return unknown(null, 'No fact has this date.');
}

const TRADE_DATE = 'stock.price.trade_date';

const judged = (
  verdict: Judgement['verdict'],
  about: string,
  fact: Fact | null,
  reason: string,
): Judgement => ({ verdict, about, fact, expected: null, derivation: null, reason });

/** `as of August 28`, `trade date: 2026-08-28`. */
function saysAsOf({ from }: Item, { tokens }: TextView): boolean {
  const [earlier, before] = [tokens[from - 2]?.text, tokens[from - 1]?.text];
  return (earlier === 'as' && before === 'of') || (earlier === 'trade' && before === 'date');
}

/** When the next results are due, where the words before or after the date speak of them. */
function nextEarnings({ from, to }: Item, view: TextView, known: Known, tradeDate: string) {
  const { structure, mentionAt, mentions, itemAt } = view;
  const fact = known.number(EARNINGS);
  if (fact === null) return null;
  for (const step of [-1, 1]) {
    let at = step < 0 ? from - 1 : to;
    for (let looked = 0; looked < NEAR; looked++, at += step) {
      if (structure.clause[at] !== structure.clause[from] || itemAt[at] !== -1) break;
      if ((mentionAt[at] ?? -1) === -1) continue;
      if (mentions[mentionAt[at]!]!.measure.facts[0] === EARNINGS)
        return { fact, date: daysAfter(tradeDate, fact.value) };
      break;
    }
  }
  return null;
}
