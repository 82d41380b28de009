import { flag } from '../base/schema.ts';
import { flatBlock } from './block.ts';

const flat = {
  halted: flag('True while trading in the symbol is halted. False when no halt is known.'),
};

/** Whether trading is halted at the as-of instant; a halt excludes its end. */
export const halts = flatBlock({
  name: 'halts',
  flat,
  derive({ facts, asOf }) {
    const halted = facts.halt.some(({ from, to }) => from <= asOf && (to === null || asOf < to));
    return { halted };
  },
});
