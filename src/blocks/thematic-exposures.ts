import {
  listOf,
  nullableDate,
  nullableNumber,
  nullableOneOf,
  nullableString,
  oneOf,
  record,
  string,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const ThematicExposure = record('ThematicExposure', 'Exposure of the company to one structural theme.', {
  theme: string('Key of the theme, e.g. ai_infrastructure.'),
  theme_name: nullableString('Name of the theme for people.'),
  direction: oneOf(
    ['positive', 'negative', 'mixed'],
    'Whether the company gains or loses when the theme advances.',
  ),
  magnitude: nullableNumber('Strength of the exposure, 0-1.', { minimum: 0, maximum: 1 }),
  momentum: nullableNumber('20-session return of the theme basket, percent.'),
  momentum_state: nullableOneOf(['accelerating', 'steady', 'fading'], 'Where the theme stands.'),
  rationale: nullableString('Why the company is exposed.'),
  valid_from: nullableDate('Date from which the exposure holds.'),
});

/** Structural themes that move the stock. Filled from the graph's themes; no feed brings them yet. */
export const thematicExposures = defineBlock({
  name: 'thematic_exposures',
  include: 'thematic_exposure',
  schema: listOf(ThematicExposure, 'Structural theme exposures with direction, magnitude, momentum.'),
  flat: {},
  reads: [],
  derive: () => absent({}),
});
