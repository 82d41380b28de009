import type { DayType } from '../analysis/day-type.ts';
import { VIX_REGIMES } from '../analysis/market-state.ts';

/** What kind of market, and of day, a claim was made in. */

/** Dealers' gamma of the index before the open. */
const GAMMA_REGIMES = ['long_gamma', 'short_gamma', 'neutral_gamma'] as const;
export type GammaRegime = (typeof GAMMA_REGIMES)[number];
/** Regimes of a whole date, known before its open. */
export const DATE_REGIMES = [...VIX_REGIMES, ...GAMMA_REGIMES] as const;
export type DateRegime = (typeof DATE_REGIMES)[number];
/** Kinds of day as the answer of a minute has them. */
export const DAY_REGIMES = ['trending', 'rotational', 'uncertain'] as const satisfies readonly DayType[];
export type DayRegime = (typeof DAY_REGIMES)[number];
/** Number of a kind of day in the sums; 0 where it was not known yet. */
export const dayRegime = (type: DayType | null): number =>
  type === null ? 0 : DAY_REGIMES.indexOf(type) + 1;
