import { inWords } from './levels.ts';
import { formatNumber } from './ui/number.tsx';

/** Inputs of a score, whose names end in their unit, as a trader says them. */

const UNITS: Readonly<Record<string, string>> = { atr: 'ATR', pct: '%', minutes: 'min', days: 'days' };
/** What is measured in ATR and is no distance from the price. */
const EXTENTS = /(spread|return|move|gap|width|range)$/;

const unitOf = (name: string): string | undefined => UNITS[name.slice(name.lastIndexOf('_') + 1)];

/** Names that their parts alone would not explain. */
const WHOLE: Readonly<Record<string, string>> = {
  percent_b: '%B',
  rel_vol_5d: 'Five-day relative volume',
  momentum_slope_60d: 'Sixty-day slope',
  pricing_edge_bull: 'Pricing edge of calls',
  pricing_edge_bear: 'Pricing edge of puts',
};

/** `support_atr` as `Support distance`. */
export function inputTitle(name: string): string {
  const whole = WHOLE[name];
  if (whole !== undefined) return whole;
  const unit = unitOf(name);
  if (unit === undefined) return inWords(name);
  const bare = name.slice(0, name.lastIndexOf('_'));
  return unit === 'ATR' && !EXTENTS.test(bare) ? `${inWords(bare)} distance` : inWords(bare);
}

/** `0.28 ATR`, `62.1`. */
export function inputValue(name: string, value: number): string {
  const unit = unitOf(name);
  const digits = Number.isInteger(value) && unit !== 'ATR' ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${formatNumber(value, digits)}${unit === undefined ? '' : ` ${unit}`}`;
}

/** In the middle of a sentence; names in capitals stay. */
export const startLow = (words: string): string =>
  /^[A-Z]{2}/.test(words) ? words : `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;

/** `support were less than 0.18 ATR away`, `bearish patterns weighed less than 0.12`, `RSI were above 62`. */
function conditionOf(name: string, from: number, to: number): string {
  const value = inputValue(name, to);
  const away = /^(support|resistance|level_above|level_below)_atr$/.exec(name)?.[1];
  const [more, over] = to > from ? ['more than', 'above'] : ['less than', 'below'];
  if (away !== undefined) return `${startLow(inWords(away))} were ${more} ${value} away`;
  if (/_patterns$/.test(name)) return `${startLow(inWords(name))} weighed ${more} ${value}`;
  return `${startLow(inputTitle(name))} were ${over} ${value}`;
}

interface Flip {
  readonly flips: string;
  readonly label_to: string;
  readonly input: string;
  readonly from: number;
  readonly to: number;
}

/** `would turn neutral if support were less than 0.18 ATR away`: the bias turns, and of a side the tier changes. */
export function flipWords({ flips, label_to, input, from, to }: Flip): string {
  const side = /^(bull|bear)/.exec(flips)?.[1];
  const label = label_to.toLowerCase().replaceAll('_', ' ');
  const outcome = side === undefined ? `would turn ${label}` : `the ${side} side would be ${label}`;
  return `${outcome} if ${conditionOf(input, from, to)}`;
}
