import type { Static } from 'typebox';
import * as wire from '../../base/schema.ts';

export const DemoAnswer = wire.record('Demo', 'The simulated market that the first start builds.', {
  state: wire.oneOf(
    ['there', 'leaving', 'none'],
    'Whether it is there, is being removed, or is not there (any more).',
  ),
  stocks: wire.integer('Its stocks, funds and indices.', wire.NOT_NEGATIVE),
  share_done: wire.nullableNumber(
    'Share of its stock-days that is removed; null before the first is gone, and in the other states.',
    wire.FRACTION,
  ),
});
export type DemoAnswer = Readonly<Static<typeof DemoAnswer>>;
