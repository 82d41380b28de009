import { LEVEL_GROUPS, type LevelGroup } from '../shared/chart/overlay-content.ts';

/** What lies over the candles, as the address lists it. */
export const LAYERS = {
  levels: 'Levels',
  profile: 'Volume profile',
  gamma: 'Gamma, expected move',
  patterns: 'Patterns',
  events: 'Events',
} as const;
export type Layer = keyof typeof LAYERS;

const isLayer = (word: string): word is Layer => word in LAYERS;
const isGroup = (word: string): word is LevelGroup => word in LEVEL_GROUPS;

/** Layers and groups of levels that are on without a word in the address. */
export const DEFAULT_LAYERS = 'levels,profile,gamma,patterns,events,opening,prior,vwap,value,option';

/** Reads `levels,gamma,vwap`; words that it does not know are left out. */
export function readLayers(list: string): { layers: ReadonlySet<Layer>; groups: ReadonlySet<LevelGroup> } {
  const words = list.split(',');
  return { layers: new Set(words.filter(isLayer)), groups: new Set(words.filter(isGroup)) };
}

/** The list with a word switched. */
export function withToggled(list: string, word: Layer | LevelGroup): string {
  const words = list.split(',').filter((one) => one !== '');
  return (words.includes(word) ? words.filter((one) => one !== word) : [...words, word]).join(',');
}
