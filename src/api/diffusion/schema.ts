import type { Static } from 'typebox';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';

/** 20,000 symbols with all digits of their returns. */
export const DIFFUSION_BODY_BYTES = 1_048_576;

export const SIGNALS = ['bullish_divergence', 'bearish_divergence', 'neutral'] as const;

export const DiffusionBody = Type.Object(
  {
    returns: Type.Unsafe<Record<string, number | null>>({
      type: 'object',
      patternProperties: {
        '^.*$': {
          type: ['number', 'null'],
          // A larger return is a wrong unit.
          minimum: -1,
          maximum: 1_000,
          description: 'Simple return as a fraction (0.012 is +1.2 %); null is skipped.',
        },
      },
      description: 'Returns by symbol. Symbols that the topology does not know are skipped and counted.',
    }),
    schema_version: Type.Optional(Type.Integer({ default: 1, description: 'Version of this request; 1.' })),
  },
  { title: 'DiffusionRequest', additionalProperties: false },
);

export type DiffusionBody = Static<typeof DiffusionBody>;

const DiffusionScore = wire.record('DiffusionScore', 'How far a return is from those of its peers.', {
  symbol: wire.string('Ticker symbol.'),
  signal: wire.oneOf(SIGNALS, 'Bullish from a composite of 2 on, bearish from -2 on.'),
  peers_local: wire.integer('Direct peers with a return.', wire.NOT_NEGATIVE),
  peers_medium: wire.integer('Peers with a return within three steps.', wire.NOT_NEGATIVE),
  peers_broad: wire.integer('Peers with a return within eight steps.', wire.NOT_NEGATIVE),
  weight_config: wire.string('The scales that had peers, e.g. local_medium_broad.'),
  local: wire.nullableNumber('Divergence from the direct peers, in deviations of its own history.'),
  medium: wire.nullableNumber('The same within three steps, in deviations.'),
  broad: wire.nullableNumber('The same within eight steps, in deviations.'),
  composite: wire.number('Weighted divergence over the scales that had peers, in deviations.'),
  contaminated: wire.flag('True when one peer, or peers with their own event, dominate the mean.'),
});

export const DiffusionAnswer = wire.record('DiffusionResponse', 'Divergences of the supplied returns.', {
  schema_version: wire.integer('Version of this answer.', { minimum: 1 }),
  simulated: SIMULATED,
  computed_at: wire.dateTime('When the computation was completed.'),
  symbols_computed: wire.integer('Symbols with a score.', wire.NOT_NEGATIVE),
  symbols_skipped: wire.integer(
    'Symbols of the topology without a return or without peers, and supplied ones that it does not know.',
    { minimum: 0 },
  ),
  topology_built_at: wire.dateTime(
    'When the topology in use was built: of the newest month, from the sessions before it.',
  ),
  scores: wire.listOf(DiffusionScore, 'By symbol.'),
});
