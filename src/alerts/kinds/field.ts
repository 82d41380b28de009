import { Type } from '../../base/type.ts';
import { StockResult } from '../../derive/compose.ts';
import { presentOf, scalarField } from '../../derive/scalar-fields.ts';
import { fieldName } from '../words.ts';

export const fieldPath = (description: string) =>
  Type.String({ minLength: 1, maxLength: 120, description, examples: ['last_price'], 'x-field': true });

const NUMBERS: ReadonlySet<string | undefined> = new Set(['number', 'integer']);

/** Whether a field is a number; an unknown one is refused elsewhere. */
export const isNumeric = (path: string): boolean =>
  scalarField(path) === null || NUMBERS.has(scalarField(path)?.type);

type Node = Parameters<typeof presentOf>[0];

/** The least and the greatest number that a field can be, as its schema says; infinite where it says nothing. */
function boundsOf(path: string): { readonly minimum: number; readonly maximum: number } {
  const node = path
    .split('.')
    .reduce<Node | undefined>(
      (at, name) => at && presentOf(at).properties?.[name],
      StockResult as unknown as Node,
    );
  const { minimum = -Infinity, maximum = Infinity } = (node ?? {}) as { minimum?: number; maximum?: number };
  return { minimum, maximum };
}

/** Why a field never gets above one number or below another; null where it may. */
export function outOfBounds(path: string, above: number, below: number): string | null {
  const { minimum, maximum } = boundsOf(path);
  const name = fieldName(path);
  if (above > maximum) return `${name} is at most ${maximum}.`;
  return below < minimum ? `${name} is at least ${minimum}.` : null;
}
