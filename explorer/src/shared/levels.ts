import type { Exposure, Stock } from './api/queries.ts';
import { chainAge } from './chain-age.ts';
import type { DrawnLevel, LevelGroup } from './chart/overlay-content.ts';

/** Levels as the chart, the ladder and the legend name and group them. */

/** What a level comes from, in words, and with what it is switched and coloured. */
const FAMILIES: Readonly<Record<string, readonly [words: string, group: LevelGroup]>> = {
  pivot: ['pivot', 'pivot'],
  opening: ['opening range, first hour', 'opening'],
  prior_day: ['prior day', 'prior'],
  prior_week: ['prior week', 'prior'],
  prior_month: ['prior month', 'prior'],
  overnight: ['overnight', 'prior'],
  recent_range: ['last three days', 'prior'],
  vwap: ['VWAP', 'vwap'],
  prior_profile: ['profile of the prior day', 'value'],
  developing_profile: ['profile of the session', 'value'],
  moving_average: ['moving average', 'average'],
  options: ['option strikes', 'option'],
  gamma: ['dealer gamma', 'option'],
  pattern: ['pattern', 'pattern'],
  round_number: ['round number', 'prior'],
};

export const familyWords = (family: string): string => FAMILIES[family]?.[0] ?? inWords(family).toLowerCase();

/** Names of levels, each with its label on a chart, '' for the name in words, and its long form. */
const NAMES: readonly (readonly [name: RegExp, label: string, long: string])[] = [
  [/^pdh$/, 'PDH', 'High of the prior day'],
  [/^pdl$/, 'PDL', 'Low of the prior day'],
  [/^pdc$/, 'PDC', 'Close of the prior day'],
  [/^pivot_pp$/, 'PP', 'Pivot point'],
  [/^pivot_r(\d)$/, 'R$1', 'Pivot resistance $1'],
  [/^pivot_s(\d)$/, 'S$1', 'Pivot support $1'],
  [/^cpr_tc$/, 'CPR top', 'Top of the central pivot range'],
  [/^cpr_bc$/, 'CPR bottom', 'Bottom of the central pivot range'],
  [/^ib_(high|low)$/, 'IB $1', 'Initial balance $1: the first hour'],
  [/^ib_1_5x_(high)$/, 'IB 1.5x', 'Initial balance stretched 1.5 times, $1'],
  [/^ib_1_5x_(low)$/, 'IB -1.5x', 'Initial balance stretched 1.5 times, $1'],
  [/^ib_2x_(high)$/, 'IB 2x', 'Initial balance stretched twice, $1'],
  [/^ib_2x_(low)$/, 'IB -2x', 'Initial balance stretched twice, $1'],
  [/^orb_(\d+)m_(high|low)$/, 'ORB $1 $2', 'Opening range of $1 minutes, $2'],
  [/^overnight_(high|low)$/, 'ON $1', 'Overnight $1'],
  [/^prior_week_(high)$/, 'PWH', 'Prior week $1'],
  [/^prior_week_(low)$/, 'PWL', 'Prior week $1'],
  [/^prior_month_(high)$/, 'PMH', 'Prior month $1'],
  [/^prior_month_(low)$/, 'PML', 'Prior month $1'],
  [/^range_3d_(high|low)$/, '3D $1', 'Three-day $1'],
  [/^vwap$/, 'VWAP', 'Volume-weighted average price of the session'],
  [/^vwap_upper_(\d)$/, 'VWAP +$1σ', 'VWAP plus $1 standard deviations'],
  [/^vwap_lower_(\d)$/, 'VWAP -$1σ', 'VWAP less $1 standard deviations'],
  [/^prior_poc$/, 'pPOC', 'Point of control of the prior session: the price with most volume'],
  [/^prior_vah$/, 'pVAH', 'Value area high of the prior session'],
  [/^prior_val$/, 'pVAL', 'Value area low of the prior session'],
  [/^prior_hvn$/, 'pHVN', 'High-volume node of the prior session'],
  [/^prior_lvn$/, 'pLVN', 'Low-volume node of the prior session'],
  [/^developing_poc$/, 'POC', 'Point of control so far: the price with most volume'],
  [/^developing_vah$/, 'VAH', 'Value area high so far'],
  [/^developing_val$/, 'VAL', 'Value area low so far'],
  [/^developing_hvn$/, 'HVN', 'High-volume node so far'],
  [/^developing_lvn$/, 'LVN', 'Low-volume node so far'],
  [/^call_wall$/, '', 'Call wall: the strike with the most call gamma'],
  [/^put_wall$/, '', 'Put wall: the strike with the most put gamma'],
  [/^gamma_flip$/, '', 'Gamma flip: where the net gamma of dealers changes sign'],
  [/^ema_(\d+)$/, 'EMA $1', 'Exponential average of $1 days'],
  [/^sma_(\d+)$/, 'SMA $1', 'Simple average of $1 days'],
];

const namesOf = (name: string) => NAMES.find(([pattern]) => pattern.test(name)) ?? [name, '', inWords(name)];

/** The long form of a level's name: `pHVN` is the `High-volume node of the prior session`. */
export function fullName(name: string): string {
  const [pattern, , long] = namesOf(name);
  return name.replace(pattern, long);
}

/** `R1`, `VAH`, `ORB 15 high`, `Rising wedge trigger`. */
export function labelOf(name: string): string {
  const [pattern, label] = namesOf(name);
  return label === '' ? inWords(name) : name.replace(pattern, label);
}

/** Names that are written in capitals. */
const CAPITALS = /\b(adx|atr|cpr|cvd|(?:ema|sma)\d*|gex|ib|iv|macd|oi|orb|poc|rsi|vah|val|vix|vwap)\b/g;

/** `rising_wedge` as `Rising wedge`, `vix_regime` as `VIX regime`; nothing for nothing. */
export function inWords(name: string | null | undefined): string {
  const words = (name ?? '').replaceAll('_', ' ').replace(CAPITALS, (word) => word.toUpperCase());
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

const drawn = (level: Pick<DrawnLevel, 'name' | 'family' | 'price' | 'strength'>): DrawnLevel => ({
  name: level.name,
  label: labelOf(level.name),
  group: FAMILIES[level.family]?.[1] ?? 'prior',
  family: level.family,
  price: level.price,
  strength: level.strength,
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
