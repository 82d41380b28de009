import { nullableNumber, nullableOneOf } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const flat = {
  gex_regime: nullableOneOf(
    ['long_gamma', 'short_gamma', 'neutral'],
    'Sign of net dealer gamma exposure, assuming dealers long calls and short puts.',
  ),
  gex_gamma_flip: nullableNumber('Strike where dealer gamma changes sign.'),
};

/** Dealer gamma. Needs the option chain, which is not on the tape yet. */
export const gex = defineBlock({
  name: 'gex',
  schema: null,
  flat,
  reads: [],
  derive: () => absent(flat),
});
