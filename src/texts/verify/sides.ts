import { type KnownValues, LAST_PRICE, type NumericFact } from './compare.ts';
import { losesLevel } from './comparison.ts';
import type { Item, TextView } from './items.ts';
import type { Mention } from './lexicon.ts';
import type { Named } from './link.ts';
import { FILLING, isSide, OVER, UNDER } from './words.ts';

/** What a text puts above (1) or below (-1) something else. */
interface Relation {
  readonly clause: number;
  readonly sign: 1 | -1;
  readonly subject: Mention | null;
  readonly object: Mention | null;
  readonly higher: NumericFact | null;
  readonly lower: NumericFact | null;
}

/** What is wrong or not known of a relation: the fact that speaks against it, or null. */
export interface SideFault {
  readonly fact: NumericFact | null;
  readonly reason: string;
}

const OBJECT_MAX = 4;
const SUBJECT_MAX = 12;
const TRIGGER = /^(?:move|close|break|trade|rally|drop|push)$/;

/** Reads once what a text puts above or below something else. */
export class Sides {
  readonly #view: TextView;
  readonly #known: KnownValues;
  readonly #relations: readonly Relation[];
  /** Numbers of a distance to what is not named: `5.2% above it`. */
  readonly #distances = new Set<Item>();

  constructor(view: TextView, known: KnownValues) {
    this.#view = view;
    this.#known = known;
    this.#relations = view.tokens.flatMap(({ text }, at) => {
      const isUnder = UNDER.has(text) || losesLevel(view, at);
      const isSide = view.mentionAt[at] === undefined && (isUnder || OVER.has(text));
      return isSide ? (this.#relationAt(at, isUnder ? -1 : 1) ?? []) : [];
    });
  }

  /** Null where all that its clause puts above or below something else holds. */
  faultOf(item: Item, { mentions, isTight }: Named): SideFault | null {
    if (this.#distances.has(item)) return { fact: null, reason: 'What it is a distance to is not named.' };
    const { clause } = this.#view.tokens[item.from]!;
    for (const { clause: where, sign, subject, object, higher, lower } of this.#relations) {
      const isOf = isTight && mentions.some((mention) => mention === subject || mention === object);
      if (where !== clause && !isOf) continue;
      if (higher === null || lower === null || higher.unit !== lower.unit)
        return { fact: null, reason: 'What lies above or below what is not clear.' };
      if (higher.value > lower.value) continue;
      const [one, other, word] = sign === 1 ? [higher, lower, 'above'] : [lower, higher, 'below'];
      return {
        fact: isTight && mentions.includes(object!) ? one : null,
        reason: `${one.label} is ${one.value}, not ${word} ${other.label} (${other.value}).`,
      };
    }
    return null;
  }

  /** Null for a bound of a number, a distance to a measure, and what is no statement: `a close above the high of 187`. */
  #relationAt(at: number, sign: 1 | -1): Relation | null {
    const { tokens, mentionAt, itemAt } = this.#view;
    const { clause, sentence } = tokens[at]!;
    let object: Mention | undefined;
    for (let ahead = at + 1; object === undefined && ahead <= at + OBJECT_MAX; ahead++) {
      if (tokens[ahead]?.sentence !== sentence) break;
      if (itemAt[ahead] !== undefined) return null;
      object = mentionAt[ahead];
    }
    let back = at - 1;
    while (back >= 0 && FILLING.has(tokens[back]!.text)) back--;
    const distance = itemAt[back];
    if (distance?.kind === 'number' && distance.unit !== null && tokens[back]!.clause === clause) {
      if (object === undefined) this.#distances.add(distance);
      return null;
    }
    const [before, earlier] = [tokens[at - 1], tokens[at - 2]];
    const isFirst = earlier === undefined || earlier.sentence !== sentence;
    if (before !== undefined && TRIGGER.test(before.text) && (isFirst || /^(?:an?|any)$/.test(earlier.text)))
      return null;
    const subject = this.#subjectBefore(at);
    const one = subject === null ? this.#known.number(LAST_PRICE) : this.#factOf(subject);
    const other = object === undefined ? null : this.#factOf(object);
    const [higher, lower] = sign === 1 ? [one, other] : [other, one];
    return { clause, sign, subject, object: object ?? null, higher, lower };
  }

  #factOf({ measure }: Mention): NumericFact | null {
    return measure.trait === 'open' ? null : (this.#known.meantBy(measure)[0] ?? null);
  }

  /** The measure before it in its sentence that is not itself above or below another; null for the stock. */
  #subjectBefore(at: number): Mention | null {
    const { tokens, mentionAt } = this.#view;
    for (let back = at - 1; back >= at - SUBJECT_MAX; back--) {
      if (tokens[back]?.sentence !== tokens[at]!.sentence) break;
      const mention = mentionAt[back];
      if (mention === undefined) continue;
      if (mention.measure.trait === 'stock') return null;
      const isObject = tokens
        .slice(Math.max(0, mention.from - 3), mention.from)
        .some(({ text }) => isSide(text));
      if (!isObject) return mention;
      back = mention.from;
    }
    return null;
  }
}
