import { contradicts, derivable, type Judgement, matches, unknown } from './claim.ts';
import type { ClauseContext } from './clause.ts';
import type { Known } from './compare.ts';
import { daysAfter } from './dates.ts';
import type { DateItem, TextView } from './items.ts';

const EARNINGS = 'stock.earnings.days_until';
const TRADE_DATE = 'stock.price.trade_date';
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const NEAR = 12;

/** What the facts say of a date. */
export function judgeDate(
  item: DateItem,
  view: TextView,
  known: Known,
  { isSupposed, isPast, isNegated }: ClauseContext,
  tradeDate: string,
): Judgement {
  const { date, cited } = item;
  if (date === null) return unknown(null, 'The calendar has no such day.');
  // Days before times: a date that a fact holds comes first.
  const sameDay = known.dates
    .filter(({ value }) => value.slice(0, DAY_LENGTH) === date)
    .sort((one, other) => one.value.length - other.value.length);
  const fact = cited === null ? null : known.get(cited);
  const own = typeof fact?.value === 'string' ? fact.value.slice(0, DAY_LENGTH) : null;
  if (fact !== null && own === date) return matches(fact, fact.label, `It is ${fact.label}.`);
  if (own !== null && known.dates.some(({ id }) => id === cited)) {
    return contradicts(fact, fact!.label, own, `${fact!.label} is ${own}.`);
  }
  const ofDay = known.dates.find(({ id }) => id === TRADE_DATE) ?? sameDay[0] ?? null;
  if (date === tradeDate) return matches(ofDay, 'trade date', 'It is the trade date of the facts.');
  const before = view.tokens.slice(Math.max(0, item.from - 2), item.from).map(({ text }) => text);
  if (/^(?:as of|trade date)$/.test(before.join(' '))) {
    return contradicts(ofDay, 'trade date', tradeDate, `The facts are of ${tradeDate}.`);
  }
  const days = known.number(EARNINGS);
  const due = days === null || !speaksOfEarnings(item, view, cited) ? null : daysAfter(tradeDate, days.value);
  if (due === date) {
    return derivable(days, 'next earnings', `${tradeDate} + ${EARNINGS} (${days!.value}) days = ${date}`);
  }
  const [first] = sameDay;
  if (first !== undefined) return matches(first, first.label, `It is ${first.label}.`);
  if (due !== null && date > tradeDate && !isSupposed && !isPast && !isNegated) {
    return contradicts(days, 'next earnings', due, `Earnings are due on ${due}.`);
  }
  return unknown(null, 'No fact has this date.');
}

/** True where the words before or behind a date speak of the next results. */
function speaksOfEarnings(
  { from, to }: DateItem,
  { tokens, mentions, mentionAt, itemAt }: TextView,
  cited: string | null,
): boolean {
  if (cited === EARNINGS) return true;
  return [-1, 1].some((step) => {
    let at = step < 0 ? from - 1 : to;
    for (let looked = 0; looked < NEAR; looked++, at += step) {
      if (tokens[at]?.clause !== tokens[from]!.clause || itemAt[at] !== -1) return false;
      if (mentionAt[at] !== -1) return mentions[mentionAt[at]!]!.measure.facts[0] === EARNINGS;
    }
    return false;
  });
}
