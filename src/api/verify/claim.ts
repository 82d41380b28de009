import type { Fact } from '../chat/fact.ts';

/** What can be said of a number in a text, best first. */
export const VERDICTS = ['matches', 'derivable', 'contradicts', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const CLAIM_KINDS = ['number', 'date'] as const;

/** A number or date of a text, held against what is known. */
export interface Claim {
  /** As it is written. */
  readonly text: string;
  /** UTF-16 places in the text: of its first character, and behind its last one. */
  readonly start: number;
  readonly end: number;
  readonly kind: (typeof CLAIM_KINDS)[number];
  /** What it says: a number in `unit`, a date as YYYY-MM-DD; null for a date that does not exist. */
  readonly value: number | string | null;
  readonly unit: string | null;
  /** The measure that its clause names. */
  readonly about: string | null;
  readonly verdict: Verdict;
  /** The fact that it was held against. */
  readonly fact: Fact | null;
  /** Of a contradiction: what it should be, in the unit of `fact`, or of the claim where it follows from several. */
  readonly expected: number | string | null;
  /** How it follows, with the names and values of the facts that it follows from. */
  readonly derivation: string | null;
  /** Why, in one sentence. */
  readonly reason: string;
}

/** What is said of a number or date, without where it is. */
export type Judgement = Pick<Claim, 'verdict' | 'about' | 'fact' | 'expected' | 'derivation' | 'reason'>;

const judgement = (
  verdict: Verdict,
  about: string | null,
  fact: Fact | null,
  reason: string,
  { expected = null, derivation = null }: Partial<Pick<Claim, 'expected' | 'derivation'>> = {},
): Judgement => ({ verdict, about, fact, expected, derivation, reason });

export const matches = (fact: Fact | null, about: string | null, reason: string): Judgement =>
  judgement('matches', about, fact, reason);
export const derivable = (
  fact: Fact | null,
  about: string | null,
  derivation: string,
  reason = 'It follows from facts.',
): Judgement => judgement('derivable', about, fact, reason, { derivation });
export const contradicts = (
  fact: Fact | null,
  about: string | null,
  expected: Claim['expected'],
  reason: string,
  derivation: string | null = null,
): Judgement => judgement('contradicts', about, fact, reason, { expected, derivation });
export const unknown = (about: string | null, reason: string, fact: Fact | null = null): Judgement =>
  judgement('unknown', about, fact, reason);
