import { flag } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const flat = {
  halted: flag('True while trading in the symbol is halted. False when no halt is known.'),
};

/** Whether trading is halted. No feed reports halts yet, so it states the contract's default. */
export const halts = defineBlock({
  name: 'halts',
  schema: null,
  flat,
  reads: [],
  derive: () => absent(flat),
});
