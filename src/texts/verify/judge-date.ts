import { DAY_MS, dateOf, midnightUtc } from '../../base/dates.ts';
import { contradicts, derivable, type Judgement, matches, unknown } from './claim.ts';
import type { WrittenDate } from './dates.ts';
import type { Item, TextView } from './items.ts';
import type { NumberMention } from './number-case.ts';

const EARNINGS = 'stock.earnings.days_until';
const TRADE_DATE = 'stock.price.trade_date';
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** What the facts say of a date. */
export function judgeDate(
  item: Item & WrittenDate,
  { named, context, view, known }: Pick<NumberMention, 'named' | 'context' | 'view' | 'known'>,
  tradeDate: string,
): Judgement {
  const { date, cited, from } = item;
  const { isSupposed, isPast, isNegated } = context;
  if (date === null) return unknown(null, 'The calendar has no such day.');
  const fact = known.dates.find(({ id }) => id === cited);
  if (fact !== undefined) return judgeCited(date, fact);
  // Days before times: a date that a fact holds comes first.
  const [first] = known.dates
    .filter(({ value }) => value.slice(0, DAY_LENGTH) === date)
    .sort((one, other) => one.value.length - other.value.length);
  const ofDay = known.dates.find(({ id }) => id === TRADE_DATE) ?? first ?? null;
  if (date === tradeDate && !isOfReport(item, view))
    return matches('trade date', 'It is the trade date of the facts.', ofDay);
  const before = view.tokens.slice(Math.max(0, from - 2), from).map(({ text }) => text);
  if (/^(?:as of|trade date)$/.test(before.join(' '))) {
    return contradicts('trade date', `The facts are of ${tradeDate}.`, ofDay, { expected: tradeDate });
  }
  const days = isOfEarnings(item, named, view) ? known.number(EARNINGS) : null;
  const due = days === null ? null : dateOf(midnightUtc(tradeDate) + days.value * DAY_MS);
  if (due === date) {
    const derivation = `${tradeDate} + ${EARNINGS} (${days!.value}) days = ${date}`;
    return derivable('next earnings', 'It follows from facts.', days, { derivation });
  }
  if (first !== undefined) return matches(first.label, `It is ${first.label}.`, first);
  if (due !== null && date > tradeDate && ![isSupposed, isPast, isNegated].includes(true)) {
    return contradicts('next earnings', `Earnings are due on ${due}.`, days, { expected: due });
  }
  return unknown(null, 'No fact has this date.');
}

function judgeCited(date: string, fact: NumberMention['known']['dates'][number]): Judgement {
  const own = fact.value.slice(0, DAY_LENGTH);
  return own === date
    ? matches(fact.label, `It is ${fact.label}.`, fact)
    : contradicts(fact.label, `${fact.label} is ${own}.`, fact, { expected: own });
}

/** The date is cited as that of results, or its clause names them next to it. */
function isOfEarnings(
  { cited, from }: Item & WrittenDate,
  { mentions: [nearest] }: NumberMention['named'],
  { tokens }: TextView,
): boolean {
  if (cited === EARNINGS) return true;
  if (nearest === undefined || tokens[nearest.from]!.clause !== tokens[from]!.clause) return false;
  return nearest.measure.facts[0] === EARNINGS;
}

/** The sentence speaks of results, which may not be of the day. */
function isOfReport({ from }: Item, { tokens, mentionAt }: TextView): boolean {
  const { sentence } = tokens[from]!;
  return mentionAt.some(
    (mention, at) => tokens[at]!.sentence === sentence && mention?.measure.facts[0] === EARNINGS,
  );
}
