/**
 * Field names in the trade's words. A label holds no figure, so that the window of an average is not taken for a number
 * that is quoted: `technical.moving_averages.sma_50` is the fifty-session simple moving average.
 */

/** Words for parts of names; other parts are words themselves, and an empty one is left out. */
const WORDS: Readonly<Record<string, string>> = {
  adv20: 'twenty-day average volume',
  adv30: 'thirty-day average volume',
  adx: 'average directional index',
  atr: 'average true range',
  bc: 'bottom',
  cpr: 'central pivot range',
  cvd: 'cumulative volume delta',
  dte: 'days to expiration',
  ema: 'exponential moving average',
  eps: 'earnings per share',
  est: 'estimated',
  ev: 'enterprise value over',
  fy2: 'next fiscal year',
  gex: 'dealer gamma',
  hvn: 'high-volume node',
  ib: 'initial balance',
  ipo: 'initial public offering',
  iv: 'implied volatility',
  macd: 'moving average convergence divergence',
  nr7: 'narrowest range of seven sessions',
  oi: 'open interest',
  orb: 'opening range',
  pct: 'percent',
  pdc: 'prior session close',
  pdh: 'prior session high',
  pdl: 'prior session low',
  pe: 'price to earnings',
  peg: 'price to earnings to growth',
  poc: 'point of control',
  pp: 'point',
  r1: 'first resistance',
  r2: 'second resistance',
  r3: 'third resistance',
  rel: 'relative',
  roa: 'return on assets',
  roe: 'return on equity',
  roic: 'return on invested capital',
  rsi: 'relative strength index',
  s1: 'first support',
  s2: 'second support',
  s3: 'third support',
  sma: 'simple moving average',
  sma20: 'twenty-session average',
  tc: 'top',
  ttm: 'trailing twelve months',
  usd: 'in dollars',
  v2: '',
  v44: '',
  v5: '',
  v1: '',
  vah: 'value area high',
  val: 'value area low',
  vcp: 'volatility contraction',
  vix: 'volatility index',
  vol: 'volume',
  vwap: 'volume-weighted average price',
  yoy: 'year over year',
};

/** Names that their parts alone would not explain. */
const WHOLE: Readonly<Record<string, string>> = {
  atr_1m_14: 'average true range of minute bars',
  bar_1min_timestamp: 'newest minute bar',
  rel_volume: 'prior-day relative volume',
  ib_1_5x_high: 'initial balance high extended by half its range',
  ib_1_5x_low: 'initial balance low extended by half its range',
  ib_2x_high: 'initial balance high extended by its range',
  ib_2x_low: 'initial balance low extended by its range',
  vwap_lower_1: 'volume-weighted average price less one deviation',
  vwap_lower_2: 'volume-weighted average price less two deviations',
  vwap_upper_1: 'volume-weighted average price plus one deviation',
  vwap_upper_2: 'volume-weighted average price plus two deviations',
};

/** Blocks whose name says nothing that the field does not. */
const SILENT: ReadonlySet<string> = new Set(
  'fundamental levels moving_averages options ownership price technical'.split(' '),
);

const NUMBERS: Readonly<Record<string, string>> = {
  '1': 'one',
  '2': 'two',
  '3': 'three',
  '5': 'five',
  '7': 'seven',
  '8': 'eight',
  '9': 'nine',
  '14': 'fourteen',
  '15': 'fifteen',
  '20': 'twenty',
  '24': 'twenty-four',
  '30': 'thirty',
  '50': 'fifty',
  '52': 'fifty-two',
  '55': 'fifty-five',
  '60': 'sixty',
  '90': 'ninety',
  '200': 'two-hundred',
  '252': 'two-hundred-fifty-two',
};

const PERIODS: Readonly<Record<string, string>> = {
  '': 'session',
  d: 'day',
  h: 'hour',
  m: 'minute',
  q: 'quarter',
  w: 'week',
};

/** A count in words, for the windows that names here have; null for others. */
export const numberWord = (count: number): string | null => NUMBERS[String(count)] ?? null;

/** @param path a field of an answer, with dots between its names */
export function labelOf(path: string): string {
  const names = path.split('.').filter((name) => !SILENT.has(name));
  return names.map(nameInWords).filter(Boolean).join(' ');
}

/** One name: windows come first, as they are spoken. */
export function nameInWords(name: string): string {
  const whole = WHOLE[name];
  if (whole !== undefined) return whole;
  const pieces = name.toLowerCase().split(/[_\s]+/);
  const windows = pieces.flatMap((piece) => windowWord(piece) ?? []);
  const words = pieces.filter((piece) => windowWord(piece) === null).map((piece) => WORDS[piece] ?? piece);
  return [...windows, ...words].filter(Boolean).join(' ');
}

function windowWord(piece: string): string | null {
  const [, count, period] = /^(\d+)([dhmqw]?)$/.exec(piece) ?? [];
  const number = count === undefined ? undefined : NUMBERS[count];
  return number === undefined ? null : `${number}-${PERIODS[period!]}`;
}

/** Names of the inputs of the score, without a direction. */
const INPUT_WORDS: Readonly<Record<string, string>> = {
  support_atr: 'the distance to support in ATR',
  support_strength: 'support strength',
  resistance_atr: 'the distance to resistance in ATR',
  resistance_strength: 'resistance strength',
  percent_b: 'percent B',
  atr_compression_ratio: 'the ATR compression ratio',
  up_volume_share: 'the share of volume on up days',
  rel_vol_5d: 'five-day relative volume',
  vwap_atr: 'the distance to VWAP in ATR',
  volume_pace: 'volume pace',
  bullish_patterns: 'the weight of bullish patterns',
  bearish_patterns: 'the weight of bearish patterns',
  iv_rank: 'IV rank',
  iv_skew: 'IV skew',
  trend_score: 'the trend score',
  vix: 'VIX',
  days_to_earnings: 'days to earnings',
  days_since_earnings: 'days since earnings',
  surprise_pct: 'the earnings surprise in percent',
  news_sentiment: 'news sentiment',
  momentum_blend: 'the momentum blend in percent',
  momentum_slope_60d: 'the sixty-day momentum slope in percent a year',
  ema_spread_atr: 'the EMA spread in ATR',
  adx_14: 'ADX',
  pricing_edge_bull: 'the pricing edge of calls',
  pricing_edge_bear: 'the pricing edge of puts',
  greek_lean: 'the directional bias of the greeks',
  orb_high_atr: 'the distance to the opening range high in ATR',
  orb_low_atr: 'the distance to the opening range low in ATR',
  intraday_return_atr: 'the return on the day in ATR',
  rsi_14: 'RSI',
  macd_gap_atr: 'the gap of MACD to its signal line in ATR',
  sma20_atr: 'the distance to the twenty-day SMA in ATR',
};

/** The name of an input of the score; null for one without a name, which no sentence mentions. */
export const inputWords = (input: string): string | null => INPUT_WORDS[input] ?? null;
