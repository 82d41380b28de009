import { FACT_FIELDS, type FieldRule } from '../fact-fields.ts';
import { FACT_KINDS, type FactKind, STATED_RATIOS } from '../facts.ts';

/** How the fields of reported facts are called in files: as in `facts.ts`, in snake_case; stated ratios by their own names. */

/** What every row may say beside the fields of its kind. */
export const ROW_NAMES = ['kind', 'symbol', 'key', 'known_at'] as const;

/** A field as a file names it. */
export interface NamedField {
  readonly name: string;
  /** Its name in the fact's value; of a stated ratio, its name among the ratios. */
  readonly field: string;
  readonly rule: FieldRule;
  readonly isRatio: boolean;
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const RATIO: FieldRule = { holds: 'number', required: false };

const NAMED_FIELDS: ReadonlyMap<string, readonly NamedField[]> = new Map(
  FACT_KINDS.map((kind) => [kind, namedFieldsOf(kind)]),
);

function namedFieldsOf(kind: FactKind): NamedField[] {
  return Object.entries<FieldRule>(FACT_FIELDS[kind]).flatMap(([field, rule]): NamedField[] =>
    rule.holds === 'ratios'
      ? STATED_RATIOS.map((ratio) => ({ name: ratio, field: ratio, rule: RATIO, isRatio: true }))
      : [{ name: snakeCase(field), field, rule, isRatio: false }],
  );
}

/** The fields of a kind as files name them, or null for a word that is no kind. */
export function namedFields(kind: string): readonly NamedField[] | null {
  return NAMED_FIELDS.get(kind) ?? null;
}

/** Every name that a row of any kind may use. */
export const ALL_NAMES: ReadonlySet<string> = new Set([
  ...ROW_NAMES,
  ...[...NAMED_FIELDS.values()].flat().map(({ name }) => name),
]);
