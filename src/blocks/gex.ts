import { COVERAGE_MIN } from '../analysis/options/gamma-exposure.ts';
import { nullableNumber, nullableOneOf } from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import { absentFlat, flatBlock } from './block.ts';
import { chainOf, chainState } from './chain-state.ts';

const flat = {
  gex_regime: nullableOneOf(
    ['long_gamma', 'short_gamma', 'neutral'],
    'Sign of net dealer gamma exposure, assuming dealers long calls and short puts; neutral below a tenth of the gross, null where open interest of calls or puts is not known.',
  ),
  gex_gamma_flip: nullableNumber('Price at which dealer gamma changes sign, between strikes, USD.'),
};

/** Dealer gamma of the chain. Null without a chain, with too little coverage, and where open interest is not known. */
export const gex = flatBlock({
  name: 'gex',
  flat,
  reads: [chainState],
  derive(_view, known) {
    const exposure = chainOf(known)?.priced?.exposure;
    if (exposure === undefined || !(exposure.coverage >= COVERAGE_MIN)) return absentFlat(flat);
    return { gex_regime: exposure.regime, gex_gamma_flip: finiteOrNull(exposure.flip) };
  },
});
