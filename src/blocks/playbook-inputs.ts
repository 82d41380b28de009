import type { ConfluenceZone } from '../analysis/level-ladder.ts';
import { PLAYBOOK_INPUTS, type PlaybookInput, type PlaybookInputs } from '../analysis/playbooks/inputs.ts';
import type { SessionFigures } from '../analysis/playbooks/session-figures.ts';
import type { FastInputs } from '../analysis/scoring/inputs.ts';
import { orNaN } from '../base/wire.ts';
import type { NestedOf } from './block.ts';
import type { dayContext } from './day-context.ts';
import type { range3d } from './range-3d.ts';
import type { technical } from './technical.ts';

/** What the inputs of playbooks are read from at an instant; NaN: not known. Only what an input asks for is read. */
export interface PlaybookParts {
  readonly price: number;
  readonly vwap: number;
  /** Edges of the first 15 and 60 minutes, once these are over. */
  readonly openingRange: { readonly high: number; readonly low: number };
  readonly initialBalance: { readonly high: number; readonly low: number; readonly range: number };
  readonly fast: Pick<
    FastInputs,
    'vwap_atr' | 'orb_lean' | 'intraday_return_atr' | 'volume_pace' | 'support_atr' | 'resistance_atr'
  >;
  readonly figures: SessionFigures;
  readonly day: Pick<
    NonNullable<NestedOf<typeof dayContext>>,
    'rotation_score' | 'trend_score' | 'day_type'
  > | null;
  readonly technical: Pick<
    NonNullable<NestedOf<typeof technical>>,
    'moving_averages' | 'adx_14' | 'rsi_14'
  > | null;
  readonly atr: number;
  /** Standing levels, lowest first. */
  readonly levels: readonly number[];
  /** Zones of them, the highest first. */
  readonly zones: readonly ConfluenceZone[];
  readonly range: Pick<NonNullable<NestedOf<typeof range3d>>, 'high' | 'low'> | null;
  /** Whether the last session was narrow; null where not known. */
  readonly isNarrow: boolean | null;
  readonly atrCompressionRatio: number;
  readonly relVol5d: number;
  readonly results: {
    readonly surprise_pct: number;
    readonly days_since_earnings: number;
    readonly days_to_earnings: number;
  };
}

const fast =
  (name: keyof PlaybookParts['fast']) =>
  (of: PlaybookParts): number =>
    of.fast[name];
const figure =
  (name: keyof SessionFigures) =>
  (of: PlaybookParts): number =>
    of.figures[name];
const average =
  (name: 'ema_9' | 'ema_20' | 'sma_20' | 'sma_50' | 'sma_200') =>
  (of: PlaybookParts): number =>
    orNaN(of.technical?.moving_averages?.[name]);
const zoneBelow = ({ zones, price }: PlaybookParts): ConfluenceZone | undefined =>
  zones.find(({ high }) => high <= price);
const zoneAbove = ({ zones, price }: PlaybookParts): ConfluenceZone | undefined =>
  zones.findLast(({ low }) => low >= price);
/** Place of the first level above the price. */
function split({ levels, price }: PlaybookParts): number {
  const above = levels.findIndex((level) => level > price);
  return above === -1 ? levels.length : above;
}

const SOURCES: Readonly<Record<PlaybookInput, (of: PlaybookParts) => number>> = {
  price: (of) => of.price,
  vwap: (of) => of.vwap,
  vwap_atr: fast('vwap_atr'),
  vwap_30m_ago: figure('vwap_30m_ago'),
  vwap_run: figure('vwap_run'),
  vwap_excursion_atr: figure('vwap_excursion_atr'),
  orb_high: (of) => of.openingRange.high,
  orb_low: (of) => of.openingRange.low,
  orb_lean: fast('orb_lean'),
  orb_retest_run: figure('orb_retest_run'),
  ib_high: (of) => of.initialBalance.high,
  ib_low: (of) => of.initialBalance.low,
  ib_range: (of) => of.initialBalance.range,
  session_high: figure('session_high'),
  session_low: figure('session_low'),
  session_ema_9: figure('session_ema_9'),
  session_ema_20: figure('session_ema_20'),
  session_ema_20_excursion_atr: figure('session_ema_20_excursion_atr'),
  session_ema_50: figure('session_ema_50'),
  session_ema_50_10m_ago: figure('session_ema_50_10m_ago'),
  intraday_return_atr: fast('intraday_return_atr'),
  rotation_score: (of) => orNaN(of.day?.rotation_score),
  trend_score: (of) => orNaN(of.day?.trend_score),
  volume_pace: fast('volume_pace'),
  rel_vol_5d: (of) => of.relVol5d,
  ema_9: average('ema_9'),
  ema_20: average('ema_20'),
  sma_20: average('sma_20'),
  sma_50: average('sma_50'),
  sma_200: average('sma_200'),
  atr: (of) => of.atr,
  adx_14: (of) => orNaN(of.technical?.adx_14),
  rsi_14: (of) => orNaN(of.technical?.rsi_14),
  support: (of) => of.levels[split(of) - 1] ?? Number.NaN,
  resistance: (of) => of.levels[split(of)] ?? Number.NaN,
  support_atr: fast('support_atr'),
  resistance_atr: fast('resistance_atr'),
  support_zone_high: (of) => orNaN(zoneBelow(of)?.high),
  support_zone_low: (of) => orNaN(zoneBelow(of)?.low),
  support_zone_families: (of) => orNaN(zoneBelow(of)?.families.length),
  resistance_zone_high: (of) => orNaN(zoneAbove(of)?.high),
  resistance_zone_low: (of) => orNaN(zoneAbove(of)?.low),
  resistance_zone_families: (of) => orNaN(zoneAbove(of)?.families.length),
  range_3d_high: (of) => orNaN(of.range?.high),
  range_3d_low: (of) => orNaN(of.range?.low),
  narrow_session: ({ isNarrow }) => (isNarrow === null ? Number.NaN : Number(isNarrow)),
  atr_compression_ratio: (of) => of.atrCompressionRatio,
  surprise_pct: (of) => of.results.surprise_pct,
  days_since_earnings: (of) => of.results.days_since_earnings,
  days_to_earnings: (of) => of.results.days_to_earnings,
};

/** The inputs of playbooks, each read from its part when it is asked for. */
export function playbookInputs(parts: PlaybookParts): PlaybookInputs {
  const inputs = Object.create(ASKED) as PlaybookInputs & { [PARTS]: PlaybookParts };
  inputs[PARTS] = parts;
  return inputs;
}

const PARTS = Symbol('parts');
const ASKED = Object.defineProperties(
  {},
  Object.fromEntries(
    PLAYBOOK_INPUTS.map((name) => {
      const source = SOURCES[name];
      return [
        name,
        {
          get(this: { [PARTS]: PlaybookParts }): number {
            return source(this[PARTS]);
          },
        },
      ];
    }),
  ),
);
