import type { ScreenField } from '../api/queries.ts';
import { byWord } from './trade-phrases.ts';

/** Fields of a screen by the words of the trade. */

export interface KnownField
  extends Pick<ScreenField, 'path' | 'type' | 'unit' | 'description' | 'label' | 'short_name'> {
  readonly words: readonly string[] | null;
  readonly aliases: readonly string[];
}

type Fields = readonly KnownField[];

/** What a list shows as the price of a stock, and therefore what words about the price mean. */
export const PRICE = 'price.day_price';
/** The newest print, which after the close is not the price of the day. */
export const LAST = 'last_price';

/** Paths, each with the words of a screen beside its names in the catalogue. */
const TRADE_WORDS: Readonly<Record<string, string>> = {
  [PRICE]: 'price',
  [LAST]: 'last',
  'fundamental.dividend_yield': 'dividend',
  'technical.bollinger.percent_b': '%b',
  gex_gamma_flip: 'flip',
  'levels.pdh': 'prior high',
  'levels.pdl': 'prior low',
  'levels.pdc': 'pdc, prior close, previous close, yesterday close',
  'price.regular.open': 'open',
  'levels.prior_month_high': 'prior months high',
  'levels.pivot_pp': 'pp',
  'price.pre_market.volume': 'premarket volume',
  'computed.premarket_change_pct': 'premarket change, premarket gap',
  'computed.after_hours_change_pct': 'after hours change',
  'computed.from_open_pct': 'change from open',
  volume: 'daily volume',
  'technical.range_vs_atr_14': 'range, day range, days range',
  'options.put_call_ratio': 'put/call',
  'day_context.day_type': 'day type',
  directional_bias: 'bias',
  net_confluence: 'net',
  'earnings.days_until': 'earnings',
  adv20_usd: 'dollar volume',
  'computed.volume_over_average': 'rvol',
  adv30_shares: 'average volume, avg volume, average daily volume, adv',
  'analyst.target_upside': 'upside',
};
const SYNONYMS = byWord(TRADE_WORDS);

/** Words that mean one of several fields: which, the unit of the value decides, or else the reader. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  gap: ['price.gap_pct', 'price.gap'],
  change: ['price.change_pct', 'price.change'],
  poc: ['levels.developing_poc', 'levels.prior_poc'],
  vah: ['levels.developing_vah', 'levels.prior_vah'],
  val: ['levels.developing_val', 'levels.prior_val'],
  high: ['price.regular.high', 'levels.pdh', 'price.pre_market.high'],
  low: ['price.regular.low', 'levels.pdl', 'price.pre_market.low'],
  close: [PRICE, 'levels.pdc'],
  iv: ['options.iv_rank', 'options.iv_percentile'],
  margin: ['fundamental.profit_margin', 'fundamental.gross_margin', 'fundamental.operating_margin'],
  target: ['analyst.target_mean', 'analyst.target_high', 'analyst.target_low'],
  bull: ['bullish_confluence', 'pulse_bull', 'bullish_entry_score'],
  bear: ['bearish_confluence', 'pulse_bear', 'bearish_entry_score'],
  score: ['net_confluence', 'pulse_net', 'net_entry_score'],
  'orb high': ['levels.orb_5m_high', 'levels.orb_15m_high', 'levels.orb_30m_high'],
  'orb low': ['levels.orb_5m_low', 'levels.orb_15m_low', 'levels.orb_30m_low'],
  support: ['level_ladder.nearest_support.price', 'level_ladder.nearest_support.distance_atr'],
  resistance: ['level_ladder.nearest_resistance.price', 'level_ladder.nearest_resistance.distance_atr'],
};

const plain = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[_.\s]+/g, ' ')
    .trim();

/** `20 sma`, `20-day sma`, `sma20`, `200 day moving average`, `200dma` as `sma 20`; a plain average is the simple one. */
const averageOf = (words: string): string =>
  words
    .replace(/simple moving averages?$/, 'sma')
    .replace(/exponential moving averages?$/, 'ema')
    .replace(/moving averages?$/, 'ma')
    .replace(/^(\d+)(?:[- ]?(?:days?|d|period|session|sessions))?[- ]?(sma|ema|ma|average)s?$/, '$2 $1')
    .replace(/^(sma|ema|ma)[- ]?\(?(\d+)\)?$/, '$1 $2')
    .replace(/^(\d+)[- ]day$/, 'sma $1')
    .replace(/^(?:ma|average) (?=\d)/, 'sma ');

/** The averages that there are, those of the wanted length first; empty where words name no average. */
export function nearAverages(words: string, fields: Fields): string[] {
  const wanted = /^(?:sma|ema) (\d+)$/.exec(averageOf(plain(words).replace(/^(?:the|its) /, '')));
  if (wanted === null) return [];
  const away = (path: string): number =>
    Math.abs(Math.log(Number(path.split('_').at(-1)) / Number(wanted[1])));
  return fields
    .flatMap(({ path }) => (/\.[se]ma_\d+$/.test(path) ? [path] : []))
    .sort((one, other) => away(one) - away(other))
    .slice(0, 3);
}

interface Names {
  /** Paths, each in plain words. */
  readonly paths: ReadonlyMap<string, string>;
  /** Names of the catalogue in plain words, each with the paths that it has. */
  readonly owners: ReadonlyMap<string, readonly string[]>;
}
const NAMES = new WeakMap<Fields, Names>();

const namesOf = ({ label, short_name, aliases }: KnownField): readonly string[] =>
  [short_name ?? label, label, ...aliases].map((name) => plain(name).replaceAll("'s", ''));

function namesIn(fields: Fields): Names {
  let known = NAMES.get(fields);
  if (known === undefined) {
    const owners = new Map<string, string[]>();
    for (const field of fields)
      for (const name of new Set(namesOf(field))) owners.set(name, [...(owners.get(name) ?? []), field.path]);
    known = { paths: new Map(fields.map(({ path }) => [path, plain(path)])), owners };
    NAMES.set(fields, known);
  }
  return known;
}

/**
 * The paths that words may mean: one where they are clear, several where they are open, none where nothing is called so.
 * A path comes first, then the words of a screen, then a name of the catalogue and the end of a path that no other has.
 */
export function pathsOf(words: string, fields: Fields): readonly string[] {
  const { paths: known, owners } = namesIn(fields);
  if (known.has(words)) return [words];
  const said = averageOf(
    plain(words)
      .replace(/^(?:the|its) /, '')
      .replaceAll("'s", ''),
  );
  const meant = SYNONYMS[said] ?? SYNONYMS[said.replaceAll(' ', '-')];
  if (meant !== undefined && (known.has(meant) || meant.startsWith('computed.'))) return [meant];
  const open = OPEN[said]?.filter((path) => known.has(path));
  if (open !== undefined && open.length > 0) return open;
  const named = owners.get(said) ?? [];
  if (named.length === 1) return named;
  const exact = [...known].filter(([, name]) => name === said);
  const ends = exact.length > 0 ? exact : [...known].filter(([, name]) => name.endsWith(` ${said}`));
  const shortest = Math.min(...ends.map(([path]) => path.split('.').length));
  return ends.map(([path]) => path).filter((path) => path.split('.').length === shortest);
}

/** How many letters are to be changed, left out or put in between two words; more than 2 is 3. */
function slips(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [place, against] of [...other].entries())
      next.push(Math.min(next[place]! + 1, row[place + 1]! + 1, row[place]! + (letter === against ? 0 : 1)));
    row = next;
  }
  return Math.min(row.at(-1)!, 3);
}

/** Of known sayings those that words are a slip away from, the nearest first. */
export function nearSayings(words: string, sayings: readonly string[], fields: Fields): string[] {
  const said = plain(words);
  const allowed = said.length > 6 ? 2 : 1;
  return [...new Set([...sayings, ...Object.keys(SYNONYMS), ...namesIn(fields).owners.keys()])]
    .map((saying) => [saying, slips(said, saying)] as const)
    .filter(([, away]) => away <= allowed)
    .sort(([, one], [, other]) => one - other)
    .slice(0, 3)
    .map(([saying]) => saying);
}

const NO_MEANING = new Set(['the', 'of', 'a', 'an', 'to', 'in', 'is', 'its', 'and', 'or', 'by', 'on']);

const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^a-z0-9%]+/)
    .filter((word) => word !== '' && !NO_MEANING.has(word))
    // One form for `buybacks` and `buyback`, `ranges` and `range`.
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));

type SaidWords = Readonly<Record<'names' | 'said', readonly string[]>>;
const SAID = new WeakMap<KnownField, SaidWords>();

/** Words of a field's names and of its description. */
function saidOf(field: KnownField): SaidWords {
  let words = SAID.get(field);
  if (words === undefined) {
    words = {
      names: wordsOf([field.path, ...namesOf(field), TRADE_WORDS[field.path] ?? ''].join(' ')),
      said: wordsOf(field.description),
    };
    SAID.set(field, words);
  }
  return words;
}

/** Fields by what they mean: those whose name, synonyms and description have more than half of the words, best first. */
export function searchFields<Field extends KnownField>(
  text: string,
  fields: readonly Field[],
  limit: number,
): Field[] {
  const words = wordsOf(text);
  if (words.length === 0) return fields.slice(0, limit);
  const weigh = (places: readonly string[], word: string): number =>
    places.includes(word) ? 1 : places.some((place) => place.startsWith(word)) ? 0.6 : 0;
  return fields
    .map((field, at) => {
      const { names, said } = saidOf(field);
      const weights = words.map((word) => 3 * weigh(names, word) + weigh(said, word));
      const sum = weights.reduce((sum, weight) => sum + weight, 0);
      const share = weights.filter((weight) => weight > 0).length / words.length;
      // Of fields that match alike the one with fewer other names is meant.
      return { field, at, score: share <= 0.5 ? 0 : sum * share ** 2 - names.length * 0.01 };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, limit)
    .map(({ field }) => field);
}
