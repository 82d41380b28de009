import { earningsDrift } from './earnings.ts';
import { initialBalanceBreakout, initialBalanceRetest } from './initial-balance.ts';
import { levelConfluence, rangeFade } from './levels.ts';
import { openingRangeBreakout, openingRangeHold } from './opening-range.ts';
import type { Playbook } from './playbook.ts';
import { squeezeBreakout } from './squeeze.ts';
import { trendContinuation, trendPullback } from './trend.ts';
import { vwapHold, vwapTouch } from './vwap.ts';

/** The whole library; of matches that fit alike the earlier one comes first. */
export const PLAYBOOKS: readonly Playbook[] = [
  ...openingRangeBreakout,
  ...vwapHold,
  ...trendPullback,
  ...rangeFade,
  ...earningsDrift,
  squeezeBreakout,
  ...vwapTouch,
  ...initialBalanceBreakout,
  ...initialBalanceRetest,
  ...openingRangeHold,
  ...levelConfluence,
  ...trendContinuation,
];

const BY_KEY: ReadonlyMap<string, Playbook> = new Map(
  PLAYBOOKS.map((playbook) => [playbook.strategy, playbook]),
);

/** The playbook of a key; null where the library has none. */
export function playbookOf(key: string): Playbook | null {
  return BY_KEY.get(key) ?? null;
}
