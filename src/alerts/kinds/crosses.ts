import { Type } from '../../base/type.ts';
import { defineAlert } from '../kind.ts';
import type { Moment } from '../moment.ts';
import { fieldName, quantity } from '../words.ts';
import { fieldPath, isNumeric, outOfBounds } from './field.ts';

/** Fields that begin anew with each session: the open puts price on one side of them, which is no cross. */
const OF_SESSION = /^levels\.(?:vwap|developing_|ib_|orb_)/;

const parameters = Type.Object(
  {
    field: Type.String({ ...fieldPath('What crosses: a number.'), default: 'last_price' }),
    direction: Type.Enum(['above', 'below', 'either'], { default: 'either', description: 'Which way.' }),
    value: Type.Optional(Type.Number({ description: 'The number that is crossed; else `other`.' })),
    other: Type.Optional(fieldPath('The field that is crossed, such as levels.vwap.')),
  },
  { additionalProperties: false },
);

const MOVES =
  '^(?:(?<field>.*?)\\s+)?(?:cross(?:es)?|goes|moves|gets|rises|falls|trades)\\s+(?:(?<direction>above|over|below|under)\\s+)?';
const SIDES = { over: 'above', under: 'below' };

/** Less than any field is rounded to. */
const DUST = 1e-9;

/** 1 above, -1 below: where the field was when it last was on a side. */
type Side = 1 | -1 | 0;

/** A field goes from one side of a number or of another field to the other. */
export const crosses = defineAlert({
  name: 'crosses',
  title: 'crosses',
  description:
    'A field goes from one side of a number or of another field to the other, such as price and VWAP, price and the gamma flip, RSI and 70. A gap overnight counts, but not over VWAP and ranges that begin with the session.',
  parameters,
  example: { field: 'last_price', direction: 'above', other: 'levels.vwap' },
  phrases: [
    { pattern: new RegExp(`${MOVES}(?<value>.+)$`), words: SIDES, example: 'rsi crosses above 70' },
    { pattern: new RegExp(`${MOVES}(?<other>.+)$`), words: SIDES, example: 'crosses VWAP' },
    { pattern: /^(?:is\s+)?(?<comparison>.+)$/, example: 'is above the gamma flip' },
  ],
  check({ field, other, value }) {
    if ((other === undefined) === (value === undefined))
      return ['It crosses a `value` or another field, `other`: send one of them.'];
    return [field, other ?? field].filter((path) => !isNumeric(path)).map((path) => `${path} is no number.`);
  },
  unreachable({ field, value }) {
    if (value === undefined) return null;
    // Either way takes values on both sides: what is at most 100 never crosses 100.
    return outOfBounds(field, value + DUST, value - DUST);
  },
  fields: ({ field, other }) => [field, ...(other === undefined ? [] : [other])],
  judge({ field, direction, value, other }, before: Side | null, moment: Moment, isFirst) {
    const own = moment.number(field);
    const bound = other === undefined ? value! : moment.number(other);
    const side = own > bound ? 1 : own < bound ? -1 : 0;
    const began = isFirst && other !== undefined && OF_SESSION.test(other) ? 0 : (before ?? 0);
    if (side === 0) return { state: began, fired: null };
    const isWanted = direction === 'either' || (direction === 'above') === side > 0;
    if (began !== -side || !isWanted) return { state: side, fired: null };
    const what =
      other === undefined ? quantity(bound, field) : `${fieldName(other)} (${quantity(bound, other)})`;
    return {
      state: side,
      fired: `${fieldName(field)} crossed ${side > 0 ? 'above' : 'below'} ${what}, now ${quantity(own, field)}`,
    };
  },
  sentence: ({ field, direction, value, other }) =>
    [
      fieldName(field),
      'crosses',
      ...(direction === 'either' ? [] : [direction]),
      other === undefined ? quantity(value!, field) : fieldName(other),
    ].join(' '),
});
