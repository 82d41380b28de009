import { Type } from '../../base/type.ts';
import { defineAlert } from '../kind.ts';
import { quantity } from '../words.ts';

const GAP = 'price.gap_pct';

const parameters = Type.Object(
  {
    direction: Type.Enum(['up', 'down', 'either'], { default: 'either', description: 'Which way.' }),
    percent: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'Least distance of the open from the close before, percent.',
    }),
  },
  { additionalProperties: false },
);

/** A session opens away from the close before it. */
export const gap = defineAlert({
  name: 'gap',
  title: 'gaps at the open',
  description:
    'The regular session opens away from the close before, told with the first minute of the session.',
  parameters,
  example: { direction: 'either', percent: 2 },
  phrases: [
    {
      pattern: /^gaps?(?:\s+(?<direction>up|down))?(?:\s+(?:more than|over|by))?\s+(?<percent>[\d.]+)\s*%?$/,
      example: 'gaps up 2 %',
    },
  ],
  fields: () => [GAP],
  judge({ direction, percent }, before: string | null, moment) {
    const size = moment.number(GAP);
    const isOpen = moment.rows > 0 && before !== moment.tradeDate;
    // What had no open before it is asked again with the next minute.
    if (!isOpen || Number.isNaN(size)) return { state: before, fired: null };
    const isWanted = direction === 'either' || (direction === 'up') === size > 0;
    const fired =
      isWanted && Math.abs(size) >= percent
        ? `opened ${quantity(Math.abs(size), GAP)} ${size > 0 ? 'above' : 'below'} the close before`
        : null;
    return { state: moment.tradeDate, fired };
  },
  sentence: ({ direction, percent }) =>
    `it opens ${percent} % or more ${{ up: 'above', down: 'below', either: 'away from' }[direction]} the close before`,
});
