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

const ThematicExposure = record('ThematicExposure', 'Exposure of the company to one structural theme.', {
  theme: string('Key of the theme, e.g. ai_infrastructure.'),
  theme_name: nullableString('Name of the theme for people.'),
  direction: oneOf(
    ['positive', 'negative', 'mixed'],
    'Whether the company gains or loses when the theme advances.',
  ),
  magnitude: nullableNumber('Strength of the exposure, 0-1.', { minimum: 0, maximum: 1 }),
  momentum: nullableNumber('Always null: the basket of a theme is no part of one stock.'),
  momentum_state: nullableOneOf(['accelerating', 'steady', 'fading'], 'Always null, as `momentum` is.'),
  rationale: nullableString('Why the company is exposed.'),
  valid_from: nullableDate('Date from which the exposure holds.'),
});

/**
 * Structural themes that move the stock, the strongest first; one whose magnitude has gone to 0 or that does not hold
 * yet is left out. What a theme's basket does is no part of one stock's view, so its momentum is null. Null when no
 * exposure was ever reported.
 */
export const thematicExposures = defineBlock({
  name: 'thematic_exposures',
  include: 'thematic_exposure',
  schema: listOf(ThematicExposure, 'Structural theme exposures with direction, magnitude, momentum.'),
  flat: {},
  reads: [],
  derive({ facts, tradeDate }) {
    if (facts.theme_exposure.length === 0) return { nested: null, flat: {} };
    const exposures = facts.theme_exposure
      .filter(({ magnitude, validFrom }) => magnitude !== 0 && (validFrom === null || validFrom <= tradeDate))
      .map(({ theme, themeName, direction, magnitude, rationale, validFrom }) => ({
        theme,
        theme_name: themeName,
        direction,
        magnitude,
        momentum: null,
        momentum_state: null,
        rationale,
        valid_from: validFrom,
      }))
      .sort(
        (one, other) => (other.magnitude ?? 0) - (one.magnitude ?? 0) || (one.theme < other.theme ? -1 : 1),
      );
    return { nested: exposures, flat: {} };
  },
  // A theme may be renamed; what it was called on the day is of the edge, as is how it moves this stock.
  relate: (exposures) =>
    exposures.map(({ theme, theme_name, direction, magnitude, valid_from }) => ({
      type: 'EXPOSED_TO',
      label: 'Theme',
      key: theme,
      props: { theme, name: theme_name },
      edgeProps: { name: theme_name, direction, magnitude, valid_from },
    })),
});
