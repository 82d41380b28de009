import { COVERAGE_MIN } from '../analysis/options/gamma-exposure.ts';
import { onceFor } from '../base/once-for.ts';
import {
  NOT_NEGATIVE,
  nullableDateTime,
  nullableInteger,
  nullableNumber,
  nullableOneOf,
} from '../base/schema.ts';
import { finiteOrNull, instantOrNull } from '../base/wire.ts';
import { absentFlat, flatBlock } from './block.ts';
import { type ChainState, chainOf, chainState } from './chain-state.ts';

const flat = {
  gex_regime: nullableOneOf(
    ['long_gamma', 'short_gamma', 'neutral'],
    'Sign of net dealer gamma exposure, assuming dealers long calls and short puts; neutral below a tenth of the gross, null where the open contracts of calls or puts are not known.',
  ),
  gex_gamma_flip: nullableNumber('Price at which dealer gamma changes sign, between strikes, USD.'),
  gex_source_time: nullableDateTime('When the chain behind gex_regime and gex_gamma_flip was taken.'),
  gex_sessions_old: nullableInteger(
    'Age of that chain, sessions: 0 of the trade date, 1 of the session before.',
    NOT_NEGATIVE,
  ),
};

/** Dealer gamma of the chain. Null without a chain, with too little coverage, and where open interest is not known. */
export const gex = flatBlock({
  name: 'gex',
  flat,
  reads: [chainState],
  derive(_view, known) {
    const chain = chainOf(known);
    return chain === null ? absentFlat(flat) : gammaOf(chain);
  },
});

const gammaOf = onceFor(({ takenAt, sessionsOld, priced }: ChainState) => {
  const { coverage, regime = null, flip } = priced?.exposure ?? {};
  const isCovered = coverage !== undefined && coverage >= COVERAGE_MIN;
  return {
    gex_regime: isCovered ? regime : null,
    gex_gamma_flip: isCovered ? finiteOrNull(flip) : null,
    gex_source_time: instantOrNull(takenAt),
    gex_sessions_old: sessionsOld,
  };
});
