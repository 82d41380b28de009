import type { Fact } from '../chat/fact.ts';
import type { Claim, Verdict } from './schema.ts';

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
