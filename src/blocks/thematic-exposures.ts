import { ofReports } from '../analysis/reported-figures.ts';
import * as wire from '../base/schema.ts';
import { nestedBlock } from './block.ts';

const ThematicExposure = wire.record('ThematicExposure', 'Exposure of the company to one structural theme.', {
  theme: wire.string('Key of the theme, e.g. ai_infrastructure.'),
  theme_name: wire.nullableString('Name of the theme for people.'),
  direction: wire.oneOf(
    ['positive', 'negative', 'mixed'],
    'Whether the company gains or loses when the theme advances.',
  ),
  magnitude: wire.nullableNumber('Strength of the exposure, 0-1.', wire.FRACTION),
  momentum: wire.nullableNumber('Always null: the basket of a theme is no part of one stock.'),
  momentum_state: wire.nullableOneOf(['accelerating', 'steady', 'fading'], 'Always null, as `momentum` is.'),
  rationale: wire.nullableString('Why the company is exposed.'),
  valid_from: wire.nullableDate('Date from which the exposure holds.'),
});

/**
 * Structural themes that move the stock, the strongest first, without those of magnitude 0 or not yet valid. `momentum`
 * is null because a theme's basket is not part of one stock's view. Null when no exposure was ever reported.
 */
export const thematicExposures = nestedBlock({
  name: 'thematic_exposures',
  include: 'thematic_exposure',
  schema: wire.listOf(ThematicExposure, 'Structural theme exposures with direction, magnitude, momentum.'),
  derive: ofReports(({ facts, tradeDate }) => {
    if (facts.theme_exposure.length === 0) return null;
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
    return exposures;
  }),
  // Theme names change, so the name on the day belongs to the edge.
  relate: (exposures) =>
    exposures.map(({ theme, theme_name, direction, magnitude, valid_from }) => ({
      type: 'EXPOSED_TO',
      label: 'Theme',
      key: theme,
      props: { theme, name: theme_name },
      edgeProps: { name: theme_name, direction, magnitude, valid_from },
    })),
});
