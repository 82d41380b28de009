import type { Level, Stock } from './api/queries.ts';
import type { DrawnLevel, LevelGroup } from './chart/overlay-content.ts';

/** Levels as the chart, the ladder and the legend name and group them. */

const GROUP_OF_FAMILY: Readonly<Record<string, LevelGroup>> = {
  pivot: 'pivot',
  opening: 'opening',
  prior_day: 'prior',
  prior_week: 'prior',
  prior_month: 'prior',
  overnight: 'prior',
  recent_range: 'prior',
  vwap: 'vwap',
  prior_profile: 'value',
  developing_profile: 'value',
  moving_average: 'average',
  options: 'option',
  gamma: 'option',
  pattern: 'pattern',
};

const groupOf = (family: string): LevelGroup => GROUP_OF_FAMILY[family] ?? 'prior';

const LABELS: Readonly<Record<string, string>> = {
  pivot_pp: 'PP',
  cpr_tc: 'CPR top',
  cpr_bc: 'CPR bottom',
  ib_high: 'IB high',
  ib_low: 'IB low',
  ib_1_5x_high: 'IB 1.5x',
  ib_1_5x_low: 'IB -1.5x',
  ib_2x_high: 'IB 2x',
  ib_2x_low: 'IB -2x',
  pdh: 'PDH',
  pdl: 'PDL',
  pdc: 'PDC',
  overnight_high: 'ON high',
  overnight_low: 'ON low',
  prior_week_high: 'PWH',
  prior_week_low: 'PWL',
  prior_month_high: 'PMH',
  prior_month_low: 'PML',
  range_3d_high: '3D high',
  range_3d_low: '3D low',
  vwap: 'VWAP',
  vwap_upper_1: 'VWAP +1σ',
  vwap_lower_1: 'VWAP -1σ',
  vwap_upper_2: 'VWAP +2σ',
  vwap_lower_2: 'VWAP -2σ',
  prior_poc: 'pPOC',
  prior_vah: 'pVAH',
  prior_val: 'pVAL',
  prior_hvn: 'pHVN',
  prior_lvn: 'pLVN',
  developing_poc: 'POC',
  developing_vah: 'VAH',
  developing_val: 'VAL',
  developing_hvn: 'HVN',
  developing_lvn: 'LVN',
};

/** `R1`, `VAH`, `ORB 15 high`, `Rising wedge trigger`. */
export function labelOf(name: string): string {
  const known = LABELS[name];
  if (known !== undefined) return known;
  const pivot = /^pivot_([rs]\d)$/.exec(name);
  if (pivot !== null) return pivot[1]!.toUpperCase();
  const range = /^orb_(\d+)m_(high|low)$/.exec(name);
  if (range !== null) return `ORB ${range[1]} ${range[2]}`;
  const average = /^(ema|sma)_(\d+)$/.exec(name);
  if (average !== null) return `${average[1]!.toUpperCase()} ${average[2]}`;
  return inWords(name);
}

/** Names that are written in capitals. */
const CAPITALS = /\b(adx|atr|cpr|cvd|(?:ema|sma)\d*|gex|ib|iv|macd|oi|orb|poc|rsi|vah|val|vix|vwap)\b/g;

/** `rising_wedge` as `Rising wedge`, `vix_regime` as `VIX regime`; nothing for nothing. */
export function inWords(name: string | null | undefined): string {
  const words = (name ?? '').replaceAll('_', ' ').replace(CAPITALS, (word) => word.toUpperCase());
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

const drawn = ({ name, family, price, strength }: Level): DrawnLevel => ({
  name,
  label: labelOf(name),
  group: groupOf(family),
  price,
  strength,
});

/** The levels of a stock that belong to the switched groups. */
export const levelsOf = ({ level_ladder }: Stock, groups: ReadonlySet<LevelGroup>): DrawnLevel[] =>
  (level_ladder?.levels ?? []).map(drawn).filter(({ group }) => groups.has(group));
