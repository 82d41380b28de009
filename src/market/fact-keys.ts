import { createHash } from 'node:crypto';
import { KEY_LENGTH_MAX } from './fact-door.ts';
import type { AnyFact, FactKind, FactValues } from './facts.ts';

/** What each kind's value speaks of, as text. */
const SUBJECTS: { readonly [Kind in FactKind]: (value: FactValues[Kind]) => string } = {
  profile: () => 'company',
  listing: ({ from }) => from,
  fundamentals: ({ periodEnd }) => periodEnd,
  // Either may be of another day's share basis, so that the words of one must not become newer by those of the other.
  shares: ({ outstanding }) => (outstanding === null ? 'float' : 'shares'),
  earnings_report: ({ date }) => date,
  earnings_date: () => 'next',
  analyst_grade: ({ date, firm }) => `${date} ${plain(firm)}`,
  recommendations: () => 'consensus',
  price_target: () => 'consensus',
  analyst_estimates: ({ year }) => year,
  insider_transaction: ({ date, owner, code, shares, price }) =>
    `${date} ${plain(owner)} ${code} ${shares} ${price ?? '-'}`,
  news: ({ url, publishedAt, headline }) => url ?? `${publishedAt} ${plain(headline)}`,
  theme_exposure: ({ theme }) => theme,
  halt: ({ from }) => String(from),
};

/**
 * The key under which a value's revisions meet, for sources that name none: the same subject told twice has one key,
 * whatever the case and spacing of its names. Pure; never longer than 200 characters, since a longer subject is stood
 * for by its digest.
 */
export function keyOf<Kind extends FactKind>(kind: Kind, value: FactValues[Kind]): string {
  const subject = SUBJECTS[kind](value);
  return subject.length <= KEY_LENGTH_MAX ? subject : createHash('sha256').update(subject).digest('hex');
}

/** A fact under its usual key. */
export function factOf<Kind extends FactKind>(kind: Kind, knownAt: number, value: FactValues[Kind]): AnyFact {
  // The compiler cannot follow that kind and value come from the same member of the union.
  return { kind, key: keyOf(kind, value), knownAt, value } as AnyFact;
}

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
