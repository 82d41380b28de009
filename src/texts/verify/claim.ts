import type { Fact } from '../facts/fact-registry.ts';
import type { Claim, ClaimVerdict } from './text-claim.ts';

/** What is said of a number or date, without where it is. */
export type Judgement = Pick<Claim, 'verdict' | 'about' | 'fact' | 'expected' | 'derivation' | 'reason'>;

const judge =
  (verdict: ClaimVerdict) =>
  (
    about: string | null,
    reason: string,
    fact: Fact | null = null,
    more: Partial<Pick<Claim, 'expected' | 'derivation'>> = {},
  ): Judgement => ({ verdict, about, fact, expected: null, derivation: null, reason, ...more });

export const matches = judge('matches');
export const derivable = judge('derivable');
export const contradicts = judge('contradicts');
export const unknown = judge('unknown');
