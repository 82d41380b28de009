import { PRICES } from './price.ts';
import { INDICATORS } from './technical.ts';
import { VOLUMES } from './volume.ts';
import { LEVELS } from './levels.ts';
import { COMPANY } from './company.ts';
import { EXPECTATIONS } from './expectations.ts';
import { OPTIONS } from './options.ts';
import { SCORES } from './scores.ts';
import { MARKET } from './market.ts';
import type { Measure } from './measure.ts';

export type { Formula, Measure } from './measure.ts';

/** Every measure that has a name of its own. What is not here is found by the labels and paths of the facts. */
export const MEASURES: readonly Measure[] = [
  ...PRICES,
  ...INDICATORS,
  ...VOLUMES,
  ...LEVELS,
  ...COMPANY,
  ...EXPECTATIONS,
  ...OPTIONS,
  ...SCORES,
  ...MARKET,
];
