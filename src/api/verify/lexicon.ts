import { PRICES } from './lexicon-price.ts';
import { INDICATORS } from './lexicon-technical.ts';
import { VOLUMES } from './lexicon-volume.ts';
import { LEVELS } from './lexicon-levels.ts';
import { COMPANY } from './lexicon-company.ts';
import { EXPECTATIONS } from './lexicon-expectations.ts';
import { OPTIONS } from './lexicon-options.ts';
import { SCORES } from './lexicon-scores.ts';
import { MARKET } from './lexicon-market.ts';
import type { Measure } from './lexicon-measure.ts';

export type { Formula, Measure } from './lexicon-measure.ts';

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
