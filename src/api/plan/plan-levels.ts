import type { Static } from 'typebox';
import { CONFLUENCE_ATR, levelLadder, NOISE_ATR } from '../../analysis/level-ladder.ts';
import { finiteOrNull } from '../../base/wire.ts';
import type { LevelToday } from '../../blocks/level-today.ts';
import { comingLevels } from './coming-levels.ts';
import type { PlanLevel } from './schema.ts';
import type { PlanDay, Planned } from './stock-answer.ts';

/** Levels of each side. */
const NEAREST = 3;
const NOTHING_YET: LevelToday = { state: null, touched_at: null, decided_at: null, holds: null };

type Rung = Omit<Static<typeof PlanLevel>, 'with' | 'families'>;

/** The levels of a stock by their distance from its price; those within noise of a nearer one are named with it. */
export function planLevels(planned: Planned, day: PlanDay) {
  const rungs = rungsOf(planned, day);
  const counted = day.all ? rungs : rungs.filter(({ record }) => record?.verdict !== 'worse_than_chance');
  return {
    above: nearest(counted, 'resistance', rungs),
    below: nearest(counted, 'support', rungs),
    /** How many were left out since their kind holds less often than chance. */
    leftOut: rungs.length - counted.length,
  };
}

function nearest(counted: readonly Rung[], side: Rung['side'], all: readonly Rung[]) {
  const found: Static<typeof PlanLevel>[] = [];
  for (const rung of counted) {
    if (rung.side !== side) continue;
    const last = found.at(-1);
    if (last !== undefined && isWithin(rung, last, NOISE_ATR)) last.with.push(rung.name);
    else if (found.length === NEAREST) break;
    else found.push({ ...rung, with: [], families: familiesAt(rung, all) });
  }
  return found;
}

/** Distances in ATR from one price to another; without an ATR none is within reach. */
const isWithin = (one: Rung, other: Rung, reach: number): boolean =>
  one.distance_atr !== null &&
  other.distance_atr !== null &&
  Math.abs(one.distance_atr - other.distance_atr) <= reach;

const familiesAt = (rung: Rung, all: readonly Rung[]): number =>
  new Set([rung, ...all.filter((other) => isWithin(rung, other, CONFLUENCE_ATR))].map(({ family }) => family))
    .size;

/** Nearest first. */
function rungsOf({ stock, tradeDate, recordOf }: Planned, day: PlanDay): Rung[] {
  const price = stock.last_price;
  const ladder = stock.level_ladder;
  if (price === null) return [];
  const rungs: readonly Omit<Rung, 'record'>[] =
    tradeDate === day.date
      ? (ladder?.levels ?? [])
      : levelLadder(comingLevels(stock, day), price, ladder?.atr ?? Number.NaN).rungs.map(
          ({ distancePct, distanceAtr, ...level }) => ({
            ...level,
            distance_pct: distancePct,
            distance_atr: finiteOrNull(distanceAtr),
            ...NOTHING_YET,
          }),
        );
  return rungs
    .map((rung) => ({ ...rung, record: recordOf(`level.${rung.family}`) }))
    .sort((one, other) => Math.abs(one.distance) - Math.abs(other.distance));
}
