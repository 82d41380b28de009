/** Words of screens: joins, comparisons, phrases of the trade, and amounts with their units. */

/** What each word means, of meanings that have their words with commas between them. */
export const byWord = (meanings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(meanings).flatMap(([meaning, words]) => words.split(', ').map((word) => [word, meaning])),
  );

export const JOINS = new Set(['and', '&', ',', 'with', 'but', 'then', 'while', 'plus']);
const COMPARING: Readonly<Record<string, string>> = {
  '>': '>, is more than, more than, greater than, is above, is over, above, over, holding above, holding over, holding, higher than, bigger than',
  '<': '<, is less than, less than, is below, is under, below, under, holding below, holding under, lower than, smaller than',
  '>=': '>=, is greater than or equal to, greater than or equal to, no less than, is at least, at least, minimum, min, ≥',
  '<=': '<=, is less than or equal to, less than or equal to, no more than, is at most, at most, maximum, max, up to, ≤',
  '=': '=, equals, is',
  '!=': '!=, is not, ≠',
};
/** The longest words first. */
export const COMPARISONS = Object.entries(byWord(COMPARING)).sort(
  ([one], [other]) => other.split(' ').length - one.split(' ').length,
);

/** Words before a condition that say nothing of it. */
export const FILLERS = new Set(
  'show find list give me i want looking for stocks stock names tickers companies shares that which who are trading trades trade currently still priced have has having very any only now also sitting staying just already with'.split(
    ' ',
  ),
);
/** Words behind a condition that say nothing of it: a screen is of a day, and its indicators are of sessions. */
export const TAIL = /,? (?:today|now|right now|currently|on the day|on the daily(?: chart)?|per day|a day)$/i;

export const NOTS = new Set(['not', 'no', 'without', 'excluding', 'exclude', 'avoid', 'except']);

/** What says a condition without a number, by the condition; a number in it is what most screeners of the trade begin with. */
const PHRASES = byWord({
  'price.gap_pct > 0': 'gap up, gap up stocks, gapping up, gaps up, gapped up',
  'price.gap_pct < 0': 'gap down, gapping down, gaps down, gapped down',
  'price.gap_pct >= 2 or price.gap_pct <= -2': 'gappers, gapper, gapping',
  'price.gap_pct >= 2 and price.day_price > price.regular.open': 'gap and go',
  'price.gap_pct >= 2 and price.day_price < price.regular.open': 'gap and fade, gap and crap',
  'price.gap_pct < 0 and price.change_pct > 0': 'red to green',
  'price.gap_pct > 0 and price.change_pct < 0': 'green to red',
  'price.change_pct >= 2': 'gainers, top gainers',
  'price.change_pct <= -2': 'losers, top losers',
  'price.change_pct >= 2 or price.change_pct <= -2': 'movers, top movers',
  'computed.premarket_change_pct >= 2': 'premarket gainers',
  'computed.premarket_change_pct <= -2': 'premarket losers',
  'computed.premarket_change_pct >= 2 or computed.premarket_change_pct <= -2':
    'premarket movers, premarket gappers',
  'price.change_pct > 0': 'up, green',
  'price.change_pct < 0': 'down, red',
  'technical.rsi_14 < 30': 'oversold',
  'technical.rsi_14 > 70': 'overbought',
  'directional_bias = bullish': 'bullish',
  'directional_bias = bearish': 'bearish',
  'regime_v5.trend_regime = up': 'uptrend, trending up, up trend',
  'regime_v5.trend_regime = down': 'downtrend, trending down, down trend',
  'regime_v5.trend_regime = sideways': 'sideways, range bound, ranging, consolidating',
  'technical.adx_14 >= 25': 'strong trend, trending',
  'compression.is_inside_day = true': 'inside day, inside bar',
  'price.regular.high > levels.pdh and price.regular.low < levels.pdl': 'outside day, outside bar',
  'compression.is_nr7 = true': 'nr7',
  'compression.vcp_contraction_count >= 2': 'vcp, volatility contraction',
  'is_overextended = true': 'overextended, extended',
  'gex_regime = short_gamma': 'short gamma, negative gamma',
  'gex_regime = long_gamma': 'long gamma, positive gamma',
  'day_context.day_type = trending': 'trend day',
  'day_context.day_type = rotational': 'range day',
  'nearest_level_type = support': 'near support',
  'nearest_level_type = resistance': 'near resistance',
  'nearest_level_type != neutral': 'near a level',
  'levels.orb_15m_status = breakout_up': 'orb breakout, opening range breakout',
  'levels.orb_15m_status = breakout_down': 'orb breakdown, opening range breakdown',
  'options.unusual_activity = true':
    'unusual options, unusual options volume, unusual option volume, options flow, uoa, unusual options activity, unusual option activity',
  'options.iv_rank > 50': 'high iv rank, high ivr',
  'options.iv_rank < 20': 'low iv rank, low ivr',
  'cvd_trend = accumulating': 'accumulation',
  'is_distribution = true': 'distribution',
  'block_trade_count > 0': 'block trades, block trade',
  'earnings.days_until = 0':
    'reports today, reporting today, reports earnings today, reporting earnings today, results today, earnings today',
  'earnings.days_until = 1':
    'reports tomorrow, reporting tomorrow, reports earnings tomorrow, reporting earnings tomorrow, results tomorrow, earnings tomorrow',
  'earnings.surprise_pct > 0': 'beat earnings, earnings beat, beat estimates',
  'earnings.surprise_pct < 0': 'missed earnings, earnings miss, missed estimates',
  'analyst.latest_grade_action = upgrade': 'upgraded, upgrade, analyst upgrade, analyst upgrades, upgrades',
  'analyst.latest_grade_action = downgrade': 'downgraded, downgrade, downgrades',
  'ownership.insider_sentiment = buying': 'insider buying, insiders buying, insider buys',
  'ownership.insider_sentiment = selling': 'insider selling, insiders selling',
  'news.count_24h > 0': 'news, fresh news, on news, news today, in the news',
  'news.sentiment = positive': 'good news, positive news',
  'news.sentiment = negative': 'bad news, negative news',
  'analyst.consensus = "Strong Buy"': 'strong buy',
  'fundamental.pe_ratio between 0 and 15': 'low pe',
  'price.day_price < 5': 'penny stocks, penny stock, pennies',
  'fundamental.float_shares < 20000000': 'low float, low floats, low floaters',
  'fundamental.market_cap between 50000000 and 300000000': 'micro cap, micro caps, microcap',
  'fundamental.market_cap between 300000000 and 2000000000': 'small cap, small caps, smallcap',
  'fundamental.market_cap between 2000000000 and 10000000000': 'mid cap, mid caps, midcap',
  'fundamental.market_cap > 10000000000': 'large cap, large caps, largecap',
  'fundamental.market_cap > 200000000000': 'mega cap, mega caps',
  'fundamental.beta > 1.5': 'high beta',
  'fundamental.beta < 0.8': 'low beta',
  'adv20_usd > 20000000': 'liquid',
  // Sectors as the two usual lists of them call each.
  'fundamental.sector in (Technology, "Information Technology")': 'tech, technology, techs',
  'fundamental.sector = Energy': 'energy',
  'fundamental.sector in (Financials, "Financial Services")': 'financials, financial',
  'fundamental.sector in (Healthcare, "Health Care")': 'healthcare, health care',
  'fundamental.sector = Industrials': 'industrials, industrial',
  'fundamental.sector = Utilities': 'utilities, utility',
  'fundamental.sector in (Materials, "Basic Materials")': 'materials',
  'fundamental.sector = "Real Estate"': 'real estate',
  'fundamental.sector in ("Consumer Staples", "Consumer Defensive")': 'consumer staples',
  'fundamental.sector in ("Consumer Discretionary", "Consumer Cyclical")': 'consumer discretionary',
  'fundamental.sector = "Communication Services"': 'communication services',
  'computed.volume_over_average >= 2':
    'unusual volume, high volume, heavy volume, big volume, strong volume, on volume, on high volume, on heavy volume, volume spike, high rvol, high relative volume',
  'computed.volume_over_average < 0.5': 'low volume, light volume',
  'technical.trend_stack_valid = true': 'golden stack, trend stack',
  'range_3d.break_high = true': '3-day high',
  'range_3d.break_low = true': '3-day low',
  'cvd_divergence = bullish_div': 'bullish divergence',
  'cvd_divergence = bearish_div': 'bearish divergence',
  'peer_divergence_v1.signal = bullish_divergence':
    'beating its peers, relative strength to peers, stronger than peers',
  'peer_divergence_v1.signal = bearish_divergence': 'lagging its peers, weaker than peers',
  'computed.bands_atr < 3': 'squeeze, in a squeeze, squeezing, ttm squeeze',
  'computed.sides_of_flip < 0': 'flip crossed, crossed the flip',
});

/** Says a condition only where no value of its own follows: `gappers with volume above vwap`, but `volume > 1m`. */
export const ALONE: Readonly<Record<string, string>> = {
  volume: 'computed.volume_over_average >= 1',
};

/** A phrase by any of its words, plural and article aside; undefined for none. */
export function phraseOf(words: string): string | undefined {
  const said = words
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:in )?(?:an? |the )/, '');
  const meant = (one: string): string | undefined => PHRASES[one];
  const untimed = meant(said.replace(TAIL, ''));
  // The last rating change may be of another day than the one that is said.
  const isOfToday = untimed !== undefined && !/^(?:analyst|ownership|earnings\.surprise)/.test(untimed);
  return (
    meant(said) ??
    (isOfToday ? untimed : undefined) ??
    meant(said.replace(/ (?:stocks?|names?|companies|sector)$/, ''))
  );
}

/** Everything that says a condition or is part of one, for what was written with a slip. */
export const SAYINGS: readonly string[] = Object.keys(PHRASES);

/** At which hour results come. */
export const HOUR = /\b(?:after|before) (?:the )?(?:close|open|bell|market)\b|\b(?:amc|bmo|ah)\b/;

/** Words of industries, each with the phrase of its sector. */
const INDUSTRIES: readonly (readonly [words: RegExp, sector: string])[] = [
  [/\b(?:semis?|semiconductors?|chips?|chipmakers?|software|saas|ai|cybersecurity)\b/, 'tech'],
  [/\b(?:biotechs?|biotechnology|bios|pharmas?|medtech)\b/, 'healthcare'],
  [/\b(?:banks?|insurers?|insurance|brokers?|fintechs?|crypto)\b/, 'financials'],
  [/\b(?:oils?|gas|drillers?|refiners?|uranium)\b/, 'energy'],
  [/\b(?:gold|silver|miners?|metals|steel|chemicals?|lithium)\b/, 'materials'],
  [/\b(?:airlines?|defen[cs]e|rails?|truckers?|machinery)\b/, 'industrials'],
  [/\b(?:retail|retailers?|homebuilders?|restaurants?|casinos?|autos?|evs?)\b/, 'consumer discretionary'],
  [/\b(?:reits?|homebuilding)\b/, 'real estate'],
];

/** What no field says, and what of the same purpose one does. */
export const UNKNOWN: readonly (readonly [words: RegExp, why: string, near: readonly string[]])[] = [
  [
    /\bshort (?:int|interest|float|ratio)\b|\bdays to cover\b|\bshort squeeze\b|\bheavily shorted\b|\bborrow\b/,
    'No data has short interest',
    ['low float', 'unusual volume', 'short gamma'],
  ],
  [
    /\bgolden cross/,
    'No field says when the averages crossed, only how they are now',
    ['sma 50 above sma 200', 'trend stack'],
  ],
  [
    /\bdeath cross/,
    'No field says when the averages crossed, only how they are now',
    ['sma 50 below sma 200'],
  ],
  [
    /\bmacd (?:has |just |bearish |sell )*cross\w* (?:down|under|below)\b/,
    'No field says when MACD crossed, only how it is now',
    ['macd below signal line'],
  ],
  [
    /\bmacd (?:has |just |bullish |buy )*cross\w*(?: (?:up|over))?\b|\bbullish macd\b|\bmacd buy\b/,
    'No field says when MACD crossed, only how it is now',
    ['macd above signal line'],
  ],
  [
    /\bmacd bearish\b|\bbearish macd\b|\bmacd sell\b/,
    'No field says when MACD crossed, only how it is now',
    ['macd below signal line'],
  ],
  [
    /\b(?:bear|bearish) (?:flag|pennant|wedge|engulfing)|\bhead and shoulders\b|\bdouble top|\btriple top|\bshooting star\b|\brising wedge\b/,
    'Patterns are no single fields; the page of a stock names them',
    ['pattern_bear > 0', 'nr7', 'inside day'],
  ],
  [
    /\bflags?\b|\bpennant|\bwedge|\btriangle|\bcup\b|\bdouble bottom|\btriple bottom|\bhammer|\bdoji|\bengulfing|\bmorning star\b|\bpatterns?\b|\bcandle/,
    'Patterns are no single fields; the page of a stock names them',
    ['pattern_bull > 0', 'nr7', 'inside day'],
  ],
  [
    /\b(?:52|fifty.two)[- ]?(?:week|wk)|\b52w|\ball[- ]time\b|\bath\b|\byearly (?:high|low)/,
    'No field has the high or low of a year',
    ['above prior month high', 'below prior month low', '3-day high'],
  ],
  [
    /\b(?:this|last|past|next) (?:week|month|quarter|year)\b|\bytd\b|\bin a row\b|\bconsecutive\b|\bstraight\b|\b\d+ (?:green|red|up|down) days\b/,
    'No field is of that period',
    ['earnings within 5 days', 'momentum_blend > 0', 'up'],
  ],
  [
    /\b\d+[- ]?(?:min|minutes?|hr|hours?)\b|\bhourly\b|\bweekly chart\b/,
    'Indicators of a screen are of sessions, not of minutes or weeks',
    ['rsi < 30', 'above vwap', 'orb breakout'],
  ],
  [HOUR, 'No field says at which hour results come', ['reports today', 'reports tomorrow']],
  [
    /\b(?:after|since|on) (?:the )?(?:earnings|results|report)\b/,
    'No field says what a move followed',
    ['beat earnings', 'missed earnings', 'reports today'],
  ],
  [
    /\ball (?:morning|afternoon|day|session|week)\b/,
    'No field says for how long, only how it is now',
    ['above vwap', 'below vwap', 'trend day'],
  ],
  [
    /\bgrade[ds]?\b|\bupgrade|\bdowngrade|\binsider|\bbeat|\bmissed/,
    'The newest one counts, of whatever day it is',
    ['upgraded', 'downgraded', 'insider buying', 'beat earnings'],
  ],
  [
    /\breclaim/,
    'No field says when the price crossed it, only where it is now',
    ['above vwap', 'above prior high'],
  ],
  [
    /\b(?:new|from|off|at)(?: the)? (?:highs?|lows?)\b/,
    'High or low of what?',
    ['within 0.5 % of hod', 'within 0.5 % of lod', 'above prior high', '3-day high'],
  ],
  [
    /\b(?:rising|falling|increasing|decreasing|turning|curling|accelerating)\b/,
    'A field has its value of now, not the way that it came',
    ['volume_trend = increasing', 'conviction_v5_velocity > 0', 'uptrend'],
  ],
  [
    /\btop \d+\b/,
    'A screen has every stock that passes; a heading sorts them',
    ['gainers', 'losers', 'unusual volume'],
  ],
  [
    /\bsectors?\b|\bindustry\b/,
    'A sector is written as the data has it',
    ['sector = Technology', 'sector = Energy', 'sector = Healthcare'],
  ],
  ...INDUSTRIES.map(
    ([words, sector]) => [words, 'No field has the industry, only its sector', [sector]] as const,
  ),
  [
    /\b(?:spy|qqq|iwm|dow|nasdaq|russell|index) (?:components?|members?|constituents?)\b/,
    'No field says in which index a stock is',
    ['large cap', 'mega cap', 'liquid'],
  ],
  [
    /^(?:strongest|highest|best|biggest|largest) (?:bull|bullish|long)\b/,
    'A screen has every stock that passes; a heading sorts them',
    ['bullish_confluence > 80', 'bullish_entry_score > 80'],
  ],
  [
    /^(?:strongest|highest|worst|biggest|largest) (?:bear|bearish|short)\b/,
    'A screen has every stock that passes; a heading sorts them',
    ['bearish_confluence > 80', 'bearish_entry_score > 80'],
  ],
  [/^shorts?$/, 'By which measure?', ['bearish', 'bearish_entry_score > 70']],
  [/^longs?$/, 'By which measure?', ['bullish', 'bullish_entry_score > 70']],
  [/^(?:micro|small|mid|large|mega)$/, 'Which size?', ['small cap', 'mid cap', 'large cap']],
  [/^runners?$/, 'How much?', ['up 10 %', 'movers']],
  [/\bhigh vol\b/, 'Volume or volatility?', ['unusual volume', 'volatility_regime = high']],
  [/\blow vol\b/, 'Volume or volatility?', ['low volume', 'volatility_regime = low']],
  [/\bstacked\b/, 'Which averages?', ['trend stack', 'ema 9 above ema 20']],
  [/\badr\b/, 'Ranges are measured in ATR', ['atr > $2', 'range > 1 ATR']],
  [/\bspreads?\b|\bbid\b|\bask\b/, 'No field has quotes', ['liquid', 'dollar volume > $100m']],
  [/^(?:up|down|move[ds]?) (?:big|a lot|strongly|hard)/, 'How much?', ['up 3 %', 'down 3 %', 'movers']],
  [/\bcatalyst/, 'What is a catalyst?', ['news today', 'reports today', 'upgraded']],
  [
    /\bbreak(?:ing|s)?[- ]?outs?\b|\bbreaking out\b|\bbroke out\b/,
    'Out of which level?',
    ['orb breakout', 'above prior high', '3-day high'],
  ],
  [
    /\bbreak(?:ing|s)?[- ]?downs?\b|\bbreaking down\b|\bbroke down\b/,
    'Out of which level?',
    ['orb breakdown', 'below prior low', '3-day low'],
  ],
  [/\bmost active\b|\bin play\b/, 'By which number?', ['unusual volume', 'dollar volume > $100m', 'movers']],
  [
    /^(?:strongest|weakest|highest|lowest|best|worst|biggest|largest|smallest|most)(?: (?:gainers|losers|movers))?\b/,
    'A screen has every stock that passes; a heading sorts them',
    ['gainers', 'losers', 'unusual volume'],
  ],
  [
    /\bpull(?:ed|ing)?[- ]?backs?\b|\bdips?\b|\bbounc(?:e|es|ing)\b/,
    'Back to what?',
    ['within 0.5 % of ema_20', 'within 0.25 ATR of vwap', 'near support'],
  ],
  [
    /\bunderperform|\bweak(?:er|ness)? (?:than|vs|versus|against|to)\b/,
    'Strength is known against the peers of a stock',
    ['lagging its peers', 'beating its peers'],
  ],
  [
    /\brelative strength\b|\boutperform|\bstrong(?:er)? (?:than|vs|versus|against)\b/,
    'Strength is known against the peers of a stock',
    ['beating its peers', 'lagging its peers'],
  ],
  [
    /\bsweeps?\b|\b(?:calls?|puts?) (?:buying|buyers|selling|volume)\b|\boptions? (?:volume|activity)\b|\boi\b|\bopen interest\b|^(?:weekl(?:y|ies)|0dte|leaps)\b/,
    'Options are known by their whole chain, and not by trade, side or expiry',
    ['unusual options activity', 'put/call < 0.7', 'put/call > 1'],
  ],
  [
    /\binstitution|\bhedge funds?\b|\b13f\b/,
    'No data has holdings of institutions',
    ['insider buying', 'block trades', 'accumulation'],
  ],
  [
    /\bivs?\b|\bimplied vol/,
    'Implied volatility by which measure?',
    ['high iv rank', 'low iv rank', 'options.iv_percentile > 50'],
  ],
];

/** Begins what a size completes: `gap up 3 %`, `down more than 2 %`. */
export const MOVES: Readonly<Record<string, readonly [field: string, sign: 1 | -1]>> = Object.fromEntries(
  (
    [
      ['price.gap_pct', 1, 'gap up, gaps up, gapping up, gapped up'],
      ['price.gap_pct', -1, 'gap down, gaps down, gapping down, gapped down'],
      ['price.change_pct', 1, 'up, gainers, gaining'],
      ['price.change_pct', -1, 'down, losers, losing'],
    ] as const
  ).flatMap(([field, sign, words]) => words.split(', ').map((word) => [word, [field, sign]])),
);

/** Of which part of the day a move is, said before or behind its size. */
const PARTS: readonly (readonly [words: string, field: string])[] = [
  ['(?:in |in the )?pre-? ?market', 'computed.premarket_change_pct'],
  ['(?:in )?(?:after-? ?hours|post-? ?market)', 'computed.after_hours_change_pct'],
  ['(?:from|since|off) (?:the )?open', 'computed.from_open_pct'],
  ["(?:today|on the day|from (?:the )?(?:prior |previous |yesterday's )?close)", 'price.change_pct'],
];

/** Words without the part of the day in them, and the change in it; the field is null where none is named. */
export function partOf(words: string): { readonly rest: string; readonly field: string | null } {
  for (const [part, field] of PARTS) {
    const match = new RegExp(`^(?:${part}) (.+)$|^(.+?) ${part}$`, 'i').exec(words);
    if (match !== null) return { rest: match[1] ?? match[2]!, field };
  }
  return { rest: words, field: null };
}

/** A price that was on the one side at the close before, and is on the other now. */
export const CROSSES: readonly (readonly [words: string, op: '<' | '>'])[] = [
  ...'crossed, crosses, crossing, cross, broke, breaks, breaking, broken, closed back'.split(', ').flatMap(
    (verb) =>
      [
        [`${verb} above`, '>'],
        [`${verb} over`, '>'],
        [`${verb} below`, '<'],
        [`${verb} under`, '<'],
      ] as const,
  ),
  ...['reclaimed', 'reclaims', 'reclaiming'].map((verb) => [verb, '>'] as const),
  ...['lost', 'loses'].map((verb) => [verb, '<'] as const),
];

/** Asks for a distance. */
export const NEAR =
  /^(?:near|close to|around|at|testing|touching|(?:pulled |pulling )?back to|pullback to|bouncing off|bounced off) (?:the |its )?(.+)$/;

/** Has a sign that says something, and a size that does not. */
export const SIDES_OF_FLIP = 'sides_of_flip';

/** Numbers that phrases of the trade need and no field has. */
export const COMPUTED: Readonly<Record<string, string>> = {
  volume_over_average: 'volume / adv30_shares',
  premarket_change_pct: '(price.pre_market.close - price.previous_close) / price.previous_close * 100',
  after_hours_change_pct: '(price.after_hours.close - price.regular.close) / price.regular.close * 100',
  from_open_pct: '(price.day_price - price.regular.open) / price.regular.open * 100',
  // Bands of 2 deviations within the channel of 1.5 ATR to each side: the squeeze of Carter, Mastering the Trade.
  bands_atr: '(technical.bollinger.upper - technical.bollinger.lower) / technical.atr_14',
  // Below 0 where the close before and the price lie on two sides of the flip.
  [SIDES_OF_FLIP]: '(levels.pdc - gex_gamma_flip) * (price.day_price - gex_gamma_flip)',
};
export const FACTORS: Readonly<Record<string, number>> = { twice: 2, double: 2, triple: 3, 'three times': 3 };

export const TIMES_VOLUME =
  /^(?:on )?(?:([\d.]+) ?(?:x|times)|(twice|double|triple|three times))(?: (?:the|its|average|usual|normal|relative))* (?:volume|rvol)$/;

const MAGNITUDES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  billion: 1e9,
};
export const MIRRORED: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

export interface Amount {
  readonly number: number;
  readonly unit: 'percent' | 'USD' | 'times' | 'ATR' | 'days' | 'sessions' | 'shares' | 'points' | null;
}

/** `3 %`, `$5`, `10 million`, `2x`, `0.5 ATR`, `5 days` as a number and its unit; null for what is none. */
export function amountOf(text: string): Amount | null {
  if (/^zero$/i.test(text)) return { number: 0, unit: null };
  const match =
    /^([-+−]?)(\$?)([-+]?\d[\d,]*(?:\.\d+)?|\.\d+)(e[-+]?\d+)? ?(k|m|b|thousand|million|billion)? ?(%|percent|x|times|atr|dollars?|usd|days?|sessions?|points?|shares?)?$/i.exec(
      text.trim(),
    );
  if (match === null) return null;
  const [, sign, dollar, digits, exponent = '', magnitude = '', word = ''] = match;
  const size =
    Number(`${digits!.replaceAll(',', '')}${exponent}`) * (MAGNITUDES[magnitude.toLowerCase()] ?? 1);
  const said = word.toLowerCase();
  return {
    number: sign === '-' || sign === '−' ? -size : size,
    unit:
      said === '%' || said === 'percent'
        ? 'percent'
        : dollar === '$' || /^(?:dollar|usd)/.test(said)
          ? 'USD'
          : said === 'x' || said === 'times'
            ? 'times'
            : said === 'atr'
              ? 'ATR'
              : ((/^(?:day|session|share|point)/.exec(said)?.[0].concat('s') as Amount['unit'] | undefined) ??
                null),
  };
}
