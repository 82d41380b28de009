import { type Static, Type } from 'typebox';
import {
  dateTime,
  flag,
  integer,
  listOf,
  nullableNumber,
  number,
  oneOf,
  record,
  string,
} from '../../base/schema.ts';

/** 20,000 symbols with all digits of their returns. */
export const DIFFUSION_BODY_BYTES = 1_048_576;

export const SIGNALS = ['bullish_divergence', 'bearish_divergence', 'neutral'] as const;

export const DiffusionBody = Type.Object(
  {
    returns: Type.Record(
      Type.String(),
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        // A larger return is a wrong unit.
        minimum: -1,
        maximum: 1_000,
        description: 'Simple return as a fraction (0.012 is +1.2 %); null is skipped.',
      }),
      {
        description: 'Returns by symbol. Symbols that the topology does not know are skipped and counted.',
      },
    ),
    schema_version: Type.Optional(Type.Integer({ default: 1, description: 'Version of this request; 1.' })),
  },
  { title: 'DiffusionRequest', additionalProperties: false },
);

export type DiffusionBody = Static<typeof DiffusionBody>;

const DiffusionScore = record('DiffusionScore', 'How far a return is from those of its peers.', {
  symbol: string('Ticker symbol.'),
  signal: oneOf(SIGNALS, 'Bullish from a composite of 2 on, bearish from -2 on.'),
  peers_local: integer('Direct peers with a return.', { minimum: 0 }),
  peers_medium: integer('Peers with a return within three steps.', { minimum: 0 }),
  peers_broad: integer('Peers with a return within eight steps.', { minimum: 0 }),
  weight_config: string('The scales that had peers, e.g. local_medium_broad.'),
  local: nullableNumber('Divergence from the direct peers, in deviations of its own history.'),
  medium: nullableNumber('The same within three steps.'),
  broad: nullableNumber('The same within eight steps.'),
  composite: number('Weighted divergence over the scales that had peers.'),
  contaminated: flag('True when one peer, or peers with their own event, dominate the mean.'),
});

export const DiffusionAnswer = record('DiffusionResponse', 'Divergences of the supplied returns.', {
  schema_version: integer('Version of this answer.', { minimum: 1 }),
  computed_at: dateTime('When the computation was completed.'),
  symbols_computed: integer('Symbols with a score.', { minimum: 0 }),
  symbols_skipped: integer(
    'Symbols of the topology without a return or without peers, and supplied ones that it does not know.',
    { minimum: 0 },
  ),
  topology_built_at: dateTime(
    'When the topology in use was built: of the newest month, from the sessions before it.',
  ),
  scores: listOf(DiffusionScore, 'By symbol.'),
});
