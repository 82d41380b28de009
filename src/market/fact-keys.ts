import { createHash } from 'node:crypto';
import { type AnyFact, type FactKind, type FactValues, schemaOf } from './facts.ts';
import { KEY_LENGTH_MAX } from './validate-fact.ts';

/**
 * The key under which a value's revisions meet, for sources that name none: the same subject has one key, whatever the
 * case and spacing of its names. Pure; a subject longer than 200 characters becomes its digest.
 */
export function keyOf<Kind extends FactKind>(kind: Kind, value: FactValues[Kind]): string {
  const subject = schemaOf(kind).key(value as never);
  return subject.length <= KEY_LENGTH_MAX ? subject : createHash('sha256').update(subject).digest('hex');
}

/** A fact under its usual key. */
export function factOf<Kind extends FactKind>(kind: Kind, knownAt: number, value: FactValues[Kind]): AnyFact {
  // The compiler cannot follow that kind and value come from the same member of the union.
  return { kind, key: keyOf(kind, value), knownAt, value } as AnyFact;
}
