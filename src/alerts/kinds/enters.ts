import { Type } from '../../base/type.ts';
import { scalarField } from '../../derive/scalar-fields.ts';
import { defineAlert } from '../kind.ts';
import type { Moment } from '../moment.ts';
import { fieldName, quantity, wordOf } from '../words.ts';
import { fieldPath, isNumeric, outOfBounds } from './field.ts';

const parameters = Type.Object(
  {
    field: fieldPath('What enters or leaves: a number, a word or a flag.'),
    how: Type.Enum(['enters', 'leaves'], { default: 'enters', description: 'Which of both fires.' }),
    words: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        minItems: 1,
        maxItems: 20,
        description: 'Words of a text field, `true` or `false` of a flag.',
      }),
    ),
    low: Type.Optional(Type.Number({ description: 'Lower end of a range of a number.' })),
    high: Type.Optional(Type.Number({ description: 'Upper end; one end may be open.' })),
  },
  { additionalProperties: false },
);

interface Of {
  readonly field: string;
  readonly how: 'enters' | 'leaves';
  readonly words?: string[] | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

const isFlag = (path: string): boolean => scalarField(path)?.type === 'boolean';

/** The value as a word; null where the field is absent. */
function wordAt(field: string, moment: Moment): string | null {
  if (!isFlag(field)) return moment.text(field);
  const flag = moment.number(field);
  return Number.isNaN(flag) ? null : String(flag === 1);
}

/** Whether a value is inside; null where it is absent. */
function isInside({ field, words, low = -Infinity, high = Infinity }: Of, moment: Moment): boolean | null {
  if (words !== undefined) {
    const word = wordAt(field, moment);
    return word === null ? null : words.includes(word);
  }
  const value = moment.number(field);
  return Number.isNaN(value) ? null : value >= low && value <= high;
}

const rangeOf = ({ field, low, high }: Of): string =>
  low === undefined
    ? `${quantity(high!, field)} or less`
    : high === undefined
      ? `${quantity(low, field)} or more`
      : `${quantity(low, field)} to ${quantity(high, field)}`;

function faultOf({ field, words, low, high }: Of): string | null {
  const known = scalarField(field);
  if (known === null) return null;
  if ((words === undefined) === (low === undefined && high === undefined))
    return 'It enters `words`, or a range from `low` to `high`: send one of them.';
  if (words === undefined) {
    if (!isNumeric(field)) return `${field} is no number; name its words.`;
    return low !== undefined && high !== undefined && low > high
      ? 'The range is empty: low is above high.'
      : null;
  }
  if (isNumeric(field)) return `${field} is a number; give a range.`;
  const allowed = isFlag(field) ? ['true', 'false'] : known.words;
  const unknown = words.filter((word) => allowed !== null && !allowed.includes(word));
  return unknown.length === 0
    ? null
    : `${field} is never ${unknown.join(' or ')}; it is ${allowed!.join(', ')}.`;
}

/** A field enters a range or becomes a word, or leaves it: a tier, a regime, a gate, a halt, a broken opening range. */
export const enters = defineAlert({
  name: 'enters',
  title: 'enters or leaves',
  description:
    'A field enters or leaves a range, or becomes or stops being a word: a tier, a regime, a gate, a halt (`halted` is `true`), an opening range that breaks (`levels.orb_15m_status` is `breakout_up`).',
  parameters,
  example: { field: 'bullish_tier', how: 'enters', words: ['EXCELLENT', 'GOOD'] },
  phrases: [
    {
      pattern: /^(?:(?:is|becomes|enters|turns)\s+)?(?<comparison>.+)$/,
      example: 'bias is bullish',
    },
  ],
  check(of) {
    const fault = faultOf(of);
    return fault === null ? [] : [fault];
  },
  unreachable: ({ field, words, low = -Infinity, high = Infinity }) =>
    words === undefined ? outOfBounds(field, low, high) : null,
  fields: ({ field }) => [field],
  judge(of, before: boolean | null, moment) {
    const inside = isInside(of, moment);
    // What is not known of a minute is neither: a range that forms is outside of each of its words.
    const state = inside ?? (of.words === undefined ? before : false);
    const hasMoved = before !== null && state !== null && state !== before;
    if (!hasMoved || state !== (of.how === 'enters')) return { state, fired: null };
    const name = fieldName(of.field);
    if (of.words !== undefined) {
      const word = wordAt(of.field, moment);
      if (isFlag(of.field)) return { state, fired: `is ${word === 'true' ? '' : 'not '}${name}` };
      return { state, fired: `${name} is ${word === null ? 'unknown' : wordOf(word)}` };
    }
    const value = quantity(moment.number(of.field), of.field);
    return { state, fired: `${name} ${state ? 'entered' : 'left'} ${rangeOf(of)}, now ${value}` };
  },
  sentence: (of) =>
    isFlag(of.field)
      ? `it ${(of.how === 'enters') === (of.words?.[0] === 'true') ? 'becomes' : 'stops being'} ${fieldName(of.field)}`
      : of.words === undefined
        ? `${fieldName(of.field)} ${of.how} ${rangeOf(of)}`
        : `${fieldName(of.field)} ${of.how === 'enters' ? 'becomes' : 'stops being'} ${of.words.map(wordOf).join(' or ')}`,
});
