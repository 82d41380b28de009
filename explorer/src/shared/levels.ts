import type { Exposure, Stock } from './api/queries.ts';
import { chainAge } from './chain-age.ts';
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

const FAMILIES: Readonly<Record<string, string>> = {
  pivot: 'pivot',
  opening: 'opening range, first hour',
  prior_day: 'prior day',
  prior_week: 'prior week',
  prior_month: 'prior month',
  overnight: 'overnight',
  recent_range: 'last three days',
  vwap: 'VWAP',
  prior_profile: 'profile of the prior day',
  developing_profile: 'profile of the session',
  moving_average: 'moving average',
  options: 'option strikes',
  gamma: 'dealer gamma',
  pattern: 'pattern',
  round_number: 'round number',
};

/** What a level comes from, in words. */
export const familyWords = (family: string): string => FAMILIES[family] ?? inWords(family).toLowerCase();

/** Parts of short forms. */
const LONG: readonly (readonly [RegExp, string])[] = [
  [/^pdh$/, 'High of the prior day'],
  [/^pdl$/, 'Low of the prior day'],
  [/^pdc$/, 'Close of the prior day'],
  [/^pivot_pp$/, 'Pivot point'],
  [/^pivot_r(\d)$/, 'Pivot resistance $1'],
  [/^pivot_s(\d)$/, 'Pivot support $1'],
  [/^cpr_tc$/, 'Top of the central pivot range'],
  [/^cpr_bc$/, 'Bottom of the central pivot range'],
  [/^ib_(high|low)$/, 'Initial balance $1: the first hour'],
  [/^ib_1_5x_(high|low)$/, 'Initial balance stretched 1.5 times, $1'],
  [/^ib_2x_(high|low)$/, 'Initial balance stretched twice, $1'],
  [/^orb_(\d+)m_(high|low)$/, 'Opening range of $1 minutes, $2'],
  [/^overnight_(high|low)$/, 'Overnight $1'],
  [/^prior_week_(high|low)$/, 'Prior week $1'],
  [/^prior_month_(high|low)$/, 'Prior month $1'],
  [/^range_3d_(high|low)$/, 'Three-day $1'],
  [/^vwap$/, 'Volume-weighted average price of the session'],
  [/^vwap_upper_(\d)$/, 'VWAP plus $1 standard deviations'],
  [/^vwap_lower_(\d)$/, 'VWAP less $1 standard deviations'],
  [/^prior_poc$/, 'Point of control of the prior session: the price with most volume'],
  [/^prior_vah$/, 'Value area high of the prior session'],
  [/^prior_val$/, 'Value area low of the prior session'],
  [/^prior_hvn\w*$/, 'High-volume node of the prior session'],
  [/^prior_lvn\w*$/, 'Low-volume node of the prior session'],
  [/^developing_poc$/, 'Point of control so far: the price with most volume'],
  [/^developing_vah$/, 'Value area high so far'],
  [/^developing_val$/, 'Value area low so far'],
  [/^developing_hvn\w*$/, 'High-volume node so far'],
  [/^developing_lvn\w*$/, 'Low-volume node so far'],
  [/^call_wall$/, 'Call wall: the strike with the most call gamma'],
  [/^put_wall$/, 'Put wall: the strike with the most put gamma'],
  [/^gamma_flip$/, 'Gamma flip: where the net gamma of dealers changes sign'],
  [/^ema_(\d+)$/, 'Exponential average of $1 days'],
  [/^sma_(\d+)$/, 'Simple average of $1 days'],
];

/** The long form of a level's name: `pHVN` is the `High-volume node of the prior session`. */
export function fullName(name: string): string {
  const found = LONG.find(([short]) => short.test(name));
  return found === undefined ? inWords(name) : name.replace(...found);
}

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

const drawn = ({
  name,
  family,
  price,
  strength,
}: Pick<DrawnLevel, 'name' | 'family' | 'price' | 'strength'>): DrawnLevel => ({
  name,
  label: labelOf(name),
  group: groupOf(family),
  family,
  price,
  strength,
});

/** The levels of a stock that belong to the switched groups. */
export const levelsOf = ({ level_ladder }: Stock, groups: ReadonlySet<LevelGroup>): DrawnLevel[] =>
  (level_ladder?.levels ?? []).map(drawn).filter(({ group }) => groups.has(group));

/** A wall or flip with the chain that it is of, where that is of an earlier session: then it is not today's. */
export interface OptionLevel extends DrawnLevel {
  readonly of: string | null;
}

/** Walls and flip of the dealers. */
export const optionLevels = (exposure: Exposure | undefined): OptionLevel[] =>
  (['call_wall', 'gamma_flip', 'put_wall'] as const).flatMap((name) => {
    const price = exposure?.[name] ?? null;
    if (exposure === undefined || price === null) return [];
    const strength = name === 'gamma_flip' ? 1 : 0.9;
    const of = exposure.sessions_old === 0 ? null : chainAge(exposure);
    return [{ ...drawn({ name, family: 'gamma', price, strength }), of }];
  });
