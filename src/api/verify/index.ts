import type { Fact } from '../chat/fact.ts';
import type { Claim } from './claim.ts';
import { ClauseWords } from './clause-words.ts';
import { judgeDate } from './judge-date.ts';
import { directed, type Judgement, judgeNumber } from './judge-number.ts';
import { Known } from './known.ts';
import { Links } from './links.ts';
import { Subjects } from './subjects.ts';
import { type Item, type TextView, viewOf } from './text-view.ts';

export { CLAIM_KINDS, type Claim, VERDICTS, type Verdict } from './claim.ts';
export { possibleSymbols } from './subjects.ts';

/** What a text is held against. */
export interface Ground {
  readonly facts: readonly Fact[];
  /** The stock that the text is about, in capitals. */
  readonly symbol: string;
  /** YYYY-MM-DD: a date without a year is the nearest to it. */
  readonly tradeDate: string;
  /** Other stocks that the text may speak of, in capitals. */
  readonly others: ReadonlySet<string>;
}

/** A text that was read and is not judged yet. */
export interface Draft {
  readonly text: string;
  readonly view: TextView;
}

export const draftOf = (text: string, ground: Ground): Draft => ({ text, view: viewOf(text, ground) });

/** How many numbers and dates it holds. */
export const sizeOf = ({ view }: Draft): number => view.items.length;

/** The claims of a text: `claimsIn` of its draft. */
export const claimsOf = (text: string, ground: Ground): Claim[] => claimsIn(draftOf(text, ground), ground);

/**
 * Says of each number and date of a text whether the facts bear it out. Time grows with the text's length and no faster.
 *
 * A number is held against the measure that its clause names, and only where the words between leave no doubt is it
 * called wrong.
 *
 * @returns in the order of the text; without spans of time that no measure is told in, which state nothing
 */
export function claimsIn({ text, view }: Draft, ground: Ground): Claim[] {
  const known = new Known(ground.facts);
  const links = new Links(view);
  const words = new ClauseWords(view, ground.tradeDate);
  const subjects = new Subjects(view, ground.symbol, ground.others);
  return view.items.flatMap((item, place) => {
    const named = links.namedFor(place);
    if (item.kind === 'date') {
      const judgement = judgeDate(item, view, known, words, ground.tradeDate);
      return claimOf(text, view, item, { value: item.written.date, unit: null }, judgement);
    }
    const { quantity, direction } = directed(item, view);
    const told = {
      item,
      quantity,
      direction,
      named,
      around: words.around(item),
      other: subjects.otherOf(item),
    };
    const judgement = judgeNumber(told, view, known);
    return judgement === null ? [] : claimOf(text, view, item, quantity, judgement);
  });
}

function claimOf(
  text: string,
  { reading, tokens }: TextView,
  { kind, from, to }: Item,
  { value, unit }: Pick<Claim, 'value' | 'unit'>,
  judgement: Judgement,
): Claim {
  const start = reading.places[tokens[from]!.start]!;
  const end =
    reading.places[tokens[to - 1]!.end - 1]! + lastLength(text, reading.places[tokens[to - 1]!.end - 1]!);
  return { text: text.slice(start, end), start, end, kind, value, unit, ...judgement };
}

/** UTF-16 units of the sign at a place. */
const lastLength = (text: string, place: number): number => (text.codePointAt(place)! > 0xffff ? 2 : 1);
