import type { Level } from '../../analysis/level-ladder.ts';
import { centralPivotRange, floorPivots } from '../../analysis/levels.ts';
import type { PlanDay, StockAnswer } from './stock-answer.ts';

/** Levels that the evening before has as the next session will: they do not follow from its own bars. */
const STAYS = (day: PlanDay): ReadonlySet<string> =>
  new Set(['pattern', ...(day.isNewWeek ? [] : ['prior_week']), ...(day.isNewMonth ? [] : ['prior_month'])]);

/**
 * Levels of a session before its first print, from the answer of the session before at its end: its high, low and close are
 * those of the prior day, its profile the prior one.
 */
export function comingLevels(stock: StockAnswer, day: PlanDay): Level[] {
  const { price, technical, volume_profile: profile, level_ladder: ladder } = stock;
  const levels: { name: string; family: Level['family']; price: number | null | undefined }[] = [];
  const add = (family: Level['family'], named: Readonly<Record<string, number | null | undefined>>) => {
    for (const [name, at] of Object.entries(named)) levels.push({ name, family, price: at });
  };
  const { regular, official_close } = price ?? {};
  if (regular?.final) {
    const close = official_close ?? regular.close;
    const { pivot, ...pivots } = floorPivots(regular.high, regular.low, close);
    const { top, bottom } = centralPivotRange(regular.high, regular.low, close);
    add('prior_day', { pdh: regular.high, pdl: regular.low, pdc: close });
    add('pivot', { pivot_pp: pivot, cpr_tc: top, cpr_bc: bottom });
    add('pivot', Object.fromEntries(Object.entries(pivots).map(([name, at]) => [`pivot_${name}`, at])));
  }
  const { poc, vah, val } = profile?.developing ?? {};
  add('prior_profile', { prior_poc: poc, prior_vah: vah, prior_val: val });
  add('moving_average', technical?.moving_averages ?? {});
  const stays = STAYS(day);
  const kept = (ladder?.levels ?? []).filter(({ family }) => stays.has(family));
  return [...levels, ...kept].flatMap(({ name, family, price: at }) =>
    typeof at === 'number' ? [{ name, family, price: at }] : [],
  );
}
