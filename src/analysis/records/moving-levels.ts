import type { BarColumns } from '../../market/observations.ts';
import { developingProfile } from '../developing-profile.ts';
import { type LevelFamily, NOISE_ATR } from '../level-ladder.ts';
import { type VwapColumns, vwapColumns } from '../vwap.ts';

/** A level that moves during the session: what it is at the end of each bar, NaN where there is none. */
export interface MovingLevel {
  readonly family: LevelFamily;
  readonly name: string;
  readonly path: Float64Array;
}

/** Bands of VWAP in deviations, by the names under which they are served. */
export const BANDS = {
  vwap: 0,
  vwap_upper_1: 1,
  vwap_lower_1: -1,
  vwap_upper_2: 2,
  vwap_lower_2: -2,
} as const;

export function bandOf({ vwap, deviation }: VwapColumns, deviations: number): Float64Array {
  const path = new Float64Array(vwap.length);
  for (let bar = 0; bar < path.length; bar++) path[bar] = vwap[bar]! + deviations * deviation[bar]!;
  return path;
}

/**
 * The levels of a session that move, in the order of the answer.
 *
 * @param bars the one-minute bars of the regular session
 */
export function movingLevels(bars: BarColumns): MovingLevel[] {
  const rows = { from: 0, to: bars.time.length };
  const { vwap, deviation } = vwapColumns(bars, rows);
  const { poc, vah, val } = developingProfile(bars, rows);
  const bands = Object.entries(BANDS).map(
    ([name, deviations]) => [name, bandOf({ vwap, deviation }, deviations)] as const,
  );
  const profile = Object.entries({ developing_poc: poc, developing_vah: vah, developing_val: val });
  return [
    ...bands.map(([name, path]) => ({ family: 'vwap' as const, name, path })),
    ...profile.map(([name, path]) => ({ family: 'developing_profile' as const, name, path })),
  ];
}

/**
 * Levels of one family that lie within noise at the end of a bar are one there: the first. What becomes of the bars after
 * has no part in it.
 */
export function withoutTwinPaths(levels: readonly MovingLevel[], atr: number): MovingLevel[] {
  const noise = NOISE_ATR * atr;
  const kept: MovingLevel[] = [];
  for (const level of levels) {
    const others = kept.filter(({ family }) => family === level.family);
    const path = others.length === 0 ? level.path : level.path.slice();
    for (const { path: other } of others)
      for (let bar = 0; bar < path.length; bar++)
        if (Math.abs(other[bar]! - path[bar]!) <= noise) path[bar] = Number.NaN;
    kept.push({ ...level, path });
  }
  return kept;
}
