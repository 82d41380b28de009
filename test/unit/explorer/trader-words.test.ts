import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathsOf, searchFields } from '../../../explorer/src/shared/screening/field-words.ts';
import { FilterFault, writeFilter } from '../../../explorer/src/shared/screening/filter.ts';
import { readScreen } from '../../../explorer/src/shared/screening/filter-text.ts';
import { missWords } from '../../../explorer/src/screener/miss-words.ts';
import {
  columnsOf,
  computedOf,
  READY_SCREENS,
  sortOf,
} from '../../../explorer/src/screener/screen-search.ts';
import { listScreenFields } from '../../../src/api/screener/list-screen-fields.ts';
import { screenFaults } from '../../../src/api/screener/screen-stocks.ts';
import { inFull } from '../../support/depth.ts';

const { fields } = listScreenFields();

/** What a trader writes, and the condition that it means in names of fields. */
const PHRASINGS: readonly (readonly [said: string, meant: string])[] = [
  ['gap > 3 %', 'price.gap_pct > 3'],
  ['gap over 3 percent', 'price.gap_pct > 3'],
  ['gap > $2', 'price.gap > 2'],
  ['gap between 2 % and 5 %', 'price.gap_pct between 2 and 5'],
  ['gap up', 'price.gap_pct > 0'],
  ['gap up over 3 %', 'price.gap_pct > 3'],
  ['gap up 3 %', 'price.gap_pct >= 3'],
  ['gapping up more than 3%', 'price.gap_pct > 3'],
  ['gap down', 'price.gap_pct < 0'],
  ['gap down over 2 %', 'price.gap_pct < -2'],
  ['gap down at least 2 %', 'price.gap_pct <= -2'],
  ['up 5 %', 'price.change_pct >= 5'],
  ['up more than 5 %', 'price.change_pct > 5'],
  ['down 3 %', 'price.change_pct <= -3'],
  ['change < -1.5 %', 'price.change_pct < -1.5'],
  ['above vwap', 'price.day_price > levels.vwap'],
  ['below VWAP', 'price.day_price < levels.vwap'],
  ['price above vwap', 'price.day_price > levels.vwap'],
  ['price is above the vwap', 'price.day_price > levels.vwap'],
  ['last_price > levels.vwap', 'last_price > levels.vwap'],
  ['last_price > {levels.vwap}', 'last_price > levels.vwap'],
  ['last price > vwap', 'last_price > levels.vwap'],
  ['over the 20 sma', 'price.day_price > technical.moving_averages.sma_20'],
  ['above 50-day ma', 'price.day_price > technical.moving_averages.sma_50'],
  ['above sma200', 'price.day_price > technical.moving_averages.sma_200'],
  ['below 9 ema', 'price.day_price < technical.moving_averages.ema_9'],
  ['ema 9 > ema 20', 'technical.moving_averages.ema_9 > technical.moving_averages.ema_20'],
  ['price over $50', 'price.day_price > 50'],
  ['under $10', 'price.day_price < 10'],
  ['price between 20 and 50', 'price.day_price between 20 and 50'],
  ['price >= 1,000', 'price.day_price >= 1000'],
  ['rsi < 30', 'technical.rsi_14 < 30'],
  ['RSI below 30', 'technical.rsi_14 < 30'],
  ['rsi 14 is at most 30', 'technical.rsi_14 <= 30'],
  ['oversold', 'technical.rsi_14 < 30'],
  ['overbought', 'technical.rsi_14 > 70'],
  ['macd > signal line', 'technical.macd > technical.macd_signal'],
  ['adx at least 25', 'technical.adx_14 >= 25'],
  ['market cap > 10b', 'fundamental.market_cap > 10000000000'],
  ['market cap over 500 million', 'fundamental.market_cap > 500000000'],
  ['float under 20m', 'fundamental.float_shares < 20000000'],
  ['volume > 1m', 'volume > 1000000'],
  ['average volume > 500k', 'adv30_shares > 500000'],
  ['rel volume > 1.5x', 'rel_volume > 1.5'],
  ['relative volume > 1.5', 'rel_volume > 1.5'],
  ['above prior high', 'price.day_price > levels.pdh'],
  ["above yesterday's high", 'price.day_price > levels.pdh'],
  ['above pdh', 'price.day_price > levels.pdh'],
  ['below pdl', 'price.day_price < levels.pdl'],
  ['above r1', 'price.day_price > levels.pivot_r1'],
  ['over the ib high', 'price.day_price > levels.ib_high'],
  ['above premarket high', 'price.day_price > price.pre_market.high'],
  ['above the flip', 'price.day_price > gex_gamma_flip'],
  ['below gamma flip', 'price.day_price < gex_gamma_flip'],
  ['short gamma', 'gex_regime = short_gamma'],
  ['gamma regime is long gamma', 'gex_regime = long_gamma'],
  ['iv rank > 50', 'options.iv_rank > 50'],
  ['iv rank > 50 %', 'options.iv_rank > 50'],
  ['dark pool > 45 %', 'dark_pool_pct_1d > 0.45'],
  ['put/call > 1', 'options.put_call_ratio > 1'],
  ['bullish', 'directional_bias = bullish'],
  ['bias is bearish', 'directional_bias = bearish'],
  ['day type = trending', 'day_context.day_type = trending'],
  ['orb breakout', 'levels.orb_15m_status = breakout_up'],
  ['nr7', 'compression.is_nr7 = true'],
  ['inside day', 'compression.is_inside_day = true'],
  ['near resistance', 'nearest_level_type = resistance'],
  ['earnings within 5 days', 'earnings.days_until between 0 and 5'],
  ['reports today', 'earnings.days_until = 0'],
  ['sector is "Energy"', 'fundamental.sector = Energy'],
  ['halted', 'halted = true'],
  ['gap up above vwap', 'price.gap_pct > 0 and price.day_price > levels.vwap'],
  [
    'rsi below 30 above the 200 sma',
    'technical.rsi_14 < 30 and price.day_price > technical.moving_averages.sma_200',
  ],
  ['short gamma below the flip', 'gex_regime = short_gamma and price.day_price < gex_gamma_flip'],
  ['price > $10 < $20', 'price.day_price > 10 and price.day_price < 20'],
  ['not halted', 'not halted = true'],
  ['flip is not null', 'gex_gamma_flip is not null'],
  ['gap > 3 %, above vwap', 'price.gap_pct > 3 and price.day_price > levels.vwap'],
  ['price above 200 day moving average', 'price.day_price > technical.moving_averages.sma_200'],
  ['under the 50dma', 'price.day_price < technical.moving_averages.sma_50'],
  ['over 20 period ema', 'price.day_price > technical.moving_averages.ema_20'],
  [
    'above 20, 50 and 200 sma',
    'price.day_price > technical.moving_averages.sma_20 and price.day_price > technical.moving_averages.sma_50 and price.day_price > technical.moving_averages.sma_200',
  ],
  [
    'below all moving averages',
    ['ema_9', 'ema_20', 'sma_20', 'sma_50', 'sma_200']
      .map((name) => `price.day_price < technical.moving_averages.${name}`)
      .join(' and '),
  ],
  ['earnings tomorrow', 'earnings.days_until = 1'],
  ['reporting tomorrow', 'earnings.days_until = 1'],
  ['no earnings within 5 days', 'not earnings.days_until between 0 and 5'],
  ['unusual options activity', 'options.unusual_activity = true'],
  [
    'stocks that crossed above the 50 day moving average today',
    'price.previous_close < technical.moving_averages.sma_50 and price.day_price > technical.moving_averages.sma_50',
  ],
  ['gappers above vwap', '(price.gap_pct >= 2 or price.gap_pct <= -2) and price.day_price > levels.vwap'],
  ['up 3 % today above vwap', 'price.change_pct >= 3 and price.day_price > levels.vwap'],
  [
    'small cap low float under $10',
    'fundamental.market_cap between 300000000 and 2000000000 and fundamental.float_shares < 20000000 and price.day_price < 10',
  ],
  ['min volume 1m', 'volume >= 1000000'],
  ['over 5 % gap', 'price.gap_pct > 5'],
  ['stocks under 20m float', 'fundamental.float_shares < 20000000'],
  ['market cap 2b or more', 'fundamental.market_cap >= 2000000000'],
  ['float 20m or less, up', 'fundamental.float_shares <= 20000000 and price.change_pct > 0'],
  ['between $5 and $20', 'price.day_price between 5 and 20'],
  ['red to green', 'price.gap_pct < 0 and price.change_pct > 0'],
  ['show me stocks trading above vwap', 'price.day_price > levels.vwap'],
  ['no news', 'not news.count_24h > 0'],
  ['premarket volume over 100k', 'price.pre_market.volume > 100000'],
  [
    'gap > 3 % and above vwap or oversold',
    '(price.gap_pct > 3 and price.day_price > levels.vwap) or technical.rsi_14 < 30',
  ],
];

const faultOf = (text: string): FilterFault => {
  try {
    readScreen(text, fields);
  } catch (error) {
    if (error instanceof FilterFault) return error;
    throw error;
  }
  throw new Error(`${text} is read`);
};

/** Where a text stops being read; its end where all of it is. */
const placeOfFault = (text: string): number => {
  try {
    readScreen(text, fields);
  } catch (error) {
    if (error instanceof FilterFault) return error.at;
    throw error;
  }
  return text.length;
};

describe('the words of a trader', () => {
  it.each(PHRASINGS)('%s', (said, meant) => {
    const { filter, computed } = readScreen(said, fields);
    expect(writeFilter(filter!)).toBe(meant);
    expect(computed).toEqual({});
    expect(screenFaults({ filter })).toEqual([]);
    // What is written is read again.
    expect(readScreen(writeFilter(filter!), fields).filter).toEqual(filter);
  });

  it.each([
    ['twice the volume', 'computed.volume_over_average >= 2', 'volume / adv30_shares'],
    ['2x average volume', 'computed.volume_over_average >= 2', 'volume / adv30_shares'],
    ['volume > 1.5x average', 'computed.volume_over_average > 1.5', 'volume / adv30_shares'],
    ['rvol over 2', 'computed.volume_over_average > 2', 'volume / adv30_shares'],
    [
      'squeeze',
      'computed.bands_atr < 3',
      '(technical.bollinger.upper - technical.bollinger.lower) / technical.atr_14',
    ],
    [
      'flip crossed',
      'computed.sides_of_flip < 0',
      '(levels.pdc - gex_gamma_flip) * (price.day_price - gex_gamma_flip)',
    ],
    [
      'within 0.5 % of pdh',
      'computed.from_pdh_pct <= 0.5',
      'abs(price.day_price - levels.pdh) / levels.pdh * 100',
    ],
    [
      'within 0.25 atr of vwap',
      'computed.from_vwap_atr <= 0.25',
      'abs(price.day_price - levels.vwap) / technical.atr_14',
    ],
    [
      'up more than 2 % premarket',
      'computed.premarket_change_pct > 2',
      '(price.pre_market.close - price.previous_close) / price.previous_close * 100',
    ],
    [
      'premarket down 3 %',
      'computed.premarket_change_pct <= -3',
      '(price.pre_market.close - price.previous_close) / price.previous_close * 100',
    ],
    [
      'up 1 % from the open',
      'computed.from_open_pct >= 1',
      '(price.day_price - price.regular.open) / price.regular.open * 100',
    ],
    [
      'down over 4 % after hours',
      'computed.after_hours_change_pct < -4',
      '(price.after_hours.close - price.regular.close) / price.regular.close * 100',
    ],
    [
      'gappers above vwap with volume',
      '(price.gap_pct >= 2 or price.gap_pct <= -2) and price.day_price > levels.vwap and computed.volume_over_average >= 1',
      'volume / adv30_shares',
    ],
    [
      'gappers with volume above vwap',
      '(price.gap_pct >= 2 or price.gap_pct <= -2) and computed.volume_over_average >= 1 and price.day_price > levels.vwap',
      'volume / adv30_shares',
    ],
    ['rvol 2+', 'computed.volume_over_average >= 2', 'volume / adv30_shares'],
    ['unusual volume', 'computed.volume_over_average >= 2', 'volume / adv30_shares'],
  ])('%s needs a computed number', (said, meant, expression) => {
    const { filter, computed } = readScreen(said, fields);
    expect(writeFilter(filter!)).toBe(meant);
    expect(Object.values(computed)).toEqual([expression]);
  });

  it.each([
    'gap up over 3 % with twice the volume and above vwap',
    'gap up over 3 % with twice the volume above VWAP',
    'Gap up over 3%, twice the volume, above VWAP',
  ])('%s is a whole sentence', (said) => {
    const { filter } = readScreen(said, fields);
    expect(writeFilter(filter!)).toBe(
      'price.gap_pct > 3 and computed.volume_over_average >= 2 and price.day_price > levels.vwap',
    );
  });

  it.each([
    ['gap > 3', /gap may mean several things/, ['price.gap_pct', 'price.gap']],
    ['change > 1', /several things/, ['price.change_pct', 'price.change']],
    ['above poc', /several things/, ['levels.developing_poc', 'levels.prior_poc']],
    ['above high', /several things/, ['price.regular.high', 'levels.pdh', 'price.pre_market.high']],
    ['iv > 50', /several things/, ['options.iv_rank', 'options.iv_percentile']],
    ['over 20', /What is to be > 20/, ['over $20']],
    ['rsi under 30 and over 20', /What is to be > 20/, ['over $20', 'technical.rsi_14 over 20']],
    ['up 5', /in percent/, ['5 %']],
    ['near pdh', /How near/, ['within 0.5 % of pdh', 'within 0.25 ATR of pdh']],
    ['within 3 of pdh', /percent or ATR/, ['0.5 %', '0.25 ATR']],
    ['within 5 %', /Within what of which level/, ['0.5 % of vwap']],
    ['last price > 3 %', /last_price is in USD, and not 3 %/, ['3']],
    ['rsi < low risk', /No field is called low risk/, null],
    ['gamma regime = sideways', /gex_regime is never “sideways”/, ['long_gamma', 'short_gamma', 'neutral']],
    ['volume > "Energy"', /volume is a number, and “Energy” is none/, []],
    ['rsi > true', /is a number, and “true” is none/, []],
    ['latest grade date > soon', /is a date, such as/, []],
    ['sector > 3', /has no order/, []],
    ['sector > {company_name}', /has no order/, []],
    ['rsi 70-30', /70 is above 30/, ['30 to 70']],
    ['sector between 3 and 4', /has no order/, []],
    ['price > halted', /halted is not compared with price.day_price/, []],
    ['halted = 3', /halted is true or false/, ['true', 'false']],
    ['day type in (1,200)', /space after each comma/, ['1, 200']],
    ['short interest > 20 %', /No data has short interest/, ['low float', 'unusual volume', 'short gamma']],
    ['high short interest', /No data has short interest/, ['low float', 'unusual volume', 'short gamma']],
    ['earnings this week', /of that period/, null],
    ['up 5 days in a row', /of that period/, null],
    [
      'above 21 ema',
      /called 21 ema/,
      [
        'technical.moving_averages.ema_20',
        'technical.moving_averages.sma_20',
        'technical.moving_averages.ema_9',
      ],
    ],
    ['rsi below 30 on the 5 min chart', /of sessions, not of minutes/, ['30']],
    ['rvol 2', /above or below 2/, ['rvol > 2', 'rvol < 2']],
    ['pullback to the 20 ema', /How near/, ['within 0.5 % of 20 ema', 'within 0.25 ATR of 20 ema']],
    ['ema 9 crossed above ema 20', /when ema 9 crossed/, ['ema 9 above ema 20']],
    ['volume > vwap and up', /not compared with volume/, []],
    ['rsi', /rsi is compared with nothing/, []],
  ] as const)('%s is refused, with what is near', (said, sentence, instead) => {
    const fault = faultOf(said);
    expect(fault.message).toMatch(sentence);
    if (instead !== null) expect(fault.instead).toEqual(instead);
    // What is offered is about the words that it replaces.
    expect(fault.at + fault.length).toBeLessThanOrEqual(said.length);
  });

  it.each<readonly [said: string, chosen: string]>([
    ['gap > 3', 'price.gap_pct'],
    ['over 20', 'over $20'],
    ['rsi under 30 and over 20', 'technical.rsi_14 over 20'],
    ['up 5', '5 %'],
    ['up over 5', '5 %'],
    ['rsi 70-30', '30 to 70'],
    ['rsi between 70 and 30', '30 to 70'],
    ['near pdh', 'within 0.25 ATR of pdh'],
    ['within 3 of pdh', '0.5 %'],
    ['within 5 %', '0.5 % of vwap'],
    ...[
      'short interest > 20 %',
      'double top',
      'earnings this week above vwap',
      'institutional buying',
      'macd crossover with volume',
      'bouncing',
      'high iv',
      'most active',
      'catalyst',
      'all time high',
      'breakdown',
      'bearish macd',
      'amc',
      'death cross',
    ].flatMap((said) => faultOf(said).instead.map((chosen) => [said, chosen] as const)),
  ])('%s is read once what is offered replaces its words', (said, chosen) => {
    const { at, length, instead } = faultOf(said);
    expect(instead).toContain(chosen);
    expect(readScreen(said.slice(0, at) + chosen + said.slice(at + length), fields).filter).not.toBeNull();
  });
});

/** Screens as they are written in forums and chats, each understood as the condition behind it. */
const OF_FORUMS: readonly (readonly [said: string, meant: string])[] = [
  [
    'low float stocks gapping up more than 10% premarket',
    'fundamental.float_shares < 20000000 and computed.premarket_change_pct > 10',
  ],
  [
    'stocks under $20 up at least 10 % on the day with rvol over 5',
    'price.day_price < 20 and price.change_pct >= 10 and computed.volume_over_average > 5',
  ],
  ['premarket gainers above 5%', 'computed.premarket_change_pct > 5'],
  [
    "breaking above yesterday's high on heavy volume",
    '(price.previous_close < levels.pdh and price.day_price > levels.pdh) and computed.volume_over_average >= 2',
  ],
  ['gap down more than 5 % then green', 'price.gap_pct < -5 and price.change_pct > 0'],
  ['stocks that gapped down and are now green', 'price.gap_pct < 0 and price.change_pct > 0'],
  [
    'above vwap and 9 ema',
    'price.day_price > levels.vwap and price.day_price > technical.moving_averages.ema_9',
  ],
  [
    'above the 50 and 200 day moving averages',
    'price.day_price > technical.moving_averages.sma_50 and price.day_price > technical.moving_averages.sma_200',
  ],
  ['50 day above 200 day', 'technical.moving_averages.sma_50 > technical.moving_averages.sma_200'],
  [
    'stocks between $1 and $10 with float under 50 million',
    'price.day_price between 1 and 10 and fundamental.float_shares < 50000000',
  ],
  ['oversold large caps', 'technical.rsi_14 < 30 and fundamental.market_cap > 10000000000'],
  ['earnings in the next 5 days', 'earnings.days_until between 0 and 5'],
  [
    'opening range breakout on volume',
    'levels.orb_15m_status = breakout_up and computed.volume_over_average >= 2',
  ],
  [
    'mid caps in an uptrend with rsi between 40 and 60',
    'fundamental.market_cap between 2000000000 and 10000000000 and regime_v5.trend_regime = up and technical.rsi_14 between 40 and 60',
  ],
  ['volume greater than average', 'computed.volume_over_average > 1'],
  ['3x relative volume', 'computed.volume_over_average >= 3'],
  ['more than 5% above vwap', 'computed.above_vwap_pct > 5'],
  ['1 ATR below the 20 ema', 'computed.below_ema_20_atr >= 1'],
  ['beat earnings and gapping up', 'earnings.surprise_pct > 0 and price.gap_pct > 0'],
  ['not a penny stock', 'not price.day_price < 5'],
  ['above $10 but under $50', 'price.day_price > 10 and price.day_price < 50'],
  [
    'gap up 3%, rvol 2+, float under 50m',
    'price.gap_pct >= 3 and computed.volume_over_average >= 2 and fundamental.float_shares < 50000000',
  ],
  ['market cap 2-10b', 'fundamental.market_cap between 2000000000 and 10000000000'],
  ['float between 5 and 20 million', 'fundamental.float_shares between 5000000 and 20000000'],
  ['from $5 to $10, rsi 40-60', 'price.day_price between 5 and 10 and technical.rsi_14 between 40 and 60'],
  ['gap down 3-5%', 'price.gap_pct <= -3 and price.gap_pct >= -5'],
  ['er in 3-5 days', 'earnings.days_until between 3 and 5'],
  ['rsi is 70+', 'technical.rsi_14 >= 70'],
  ['3x avg vol or more', 'computed.volume_over_average >= 3'],
  ['holds the 200 day', 'price.day_price > technical.moving_averages.sma_200'],
  [
    'up 5% on heavy volume above vwap',
    'price.change_pct >= 5 and computed.volume_over_average >= 2 and price.day_price > levels.vwap',
  ],
  ['gainers under $10', 'price.change_pct >= 2 and price.day_price < 10'],
  [
    'no tech or energy, up',
    'not (fundamental.sector in (Technology, "Information Technology") or fundamental.sector = Energy) and price.change_pct > 0',
  ],
  ['stacked 9/20 emas', 'technical.moving_averages.ema_9 > technical.moving_averages.ema_20'],
  [
    'within 2% of pmh, within 1% of hod',
    'computed.from_prior_month_high_pct <= 2 and computed.from_regular_high_pct <= 1',
  ],
  // What is compared with an equals sign is of the data.
  ['company_name = er vol', 'company_name = "er vol"'],
];

const IS_TECH = 'fundamental.sector in (Technology, "Information Technology")';

/** Sentences of a trader who never saw a screen, what is chosen of what each refusal offers, and the meaning then. */
const OF_A_TRADER: readonly (readonly [said: string, chosen: readonly string[], meant: string])[] = [
  [
    'gapping up 4%+ premarket on news, float under 20m, pm vol over 500k',
    [],
    'computed.premarket_change_pct >= 4 and news.count_24h > 0 and fundamental.float_shares < 20000000 and price.pre_market.volume > 500000',
  ],
  ['rvol > 3 and up 5% on the day', [], 'computed.volume_over_average > 3 and price.change_pct >= 5'],
  [
    'holding above vwap all morning, over the 9 ema, 2-20 bucks',
    ['vwap'],
    'price.day_price > levels.vwap and price.day_price > technical.moving_averages.ema_9 and price.day_price between 2 and 20',
  ],
  [
    'rsi under 30 on the daily but still above the 200 sma',
    [],
    'technical.rsi_14 < 30 and price.day_price > technical.moving_averages.sma_200',
  ],
  [
    'new 52 wk highs today on 2x avg vol',
    ['above prior month high'],
    'price.day_price > levels.prior_month_high and computed.volume_over_average >= 2',
  ],
  [
    'low float runners under $10, float < 10m, already up 20%+',
    ['movers'],
    'fundamental.float_shares < 20000000 and (price.change_pct >= 2 or price.change_pct <= -2) and price.day_price < 10 and fundamental.float_shares < 10000000 and price.change_pct >= 20',
  ],
  [
    'reports earnings tmrw after the close, iv rank over 70',
    ['reports tomorrow'],
    'earnings.days_until = 1 and options.iv_rank > 70',
  ],
  [
    'semis red on the day but holding the 50 day',
    ['tech'],
    `${IS_TECH} and price.change_pct < 0 and price.day_price > technical.moving_averages.sma_50`,
  ],
  [
    'golden cross in the last 5 days, mid caps and up',
    ['sma 50 above sma 200'],
    'technical.moving_averages.sma_50 > technical.moving_averages.sma_200 and fundamental.market_cap between 2000000000 and 10000000000 and price.change_pct > 0',
  ],
  ['bull flag on the 5 min', ['pattern_bull > 0'], 'pattern_bull > 0'],
  [
    'short int > 20% of float, days to cover over 5, breaking out of a base',
    ['low float', 'unusual volume', 'above prior high'],
    'fundamental.float_shares < 20000000 and computed.volume_over_average >= 2 and price.day_price > levels.pdh',
  ],
  [
    'atr over $3, avg vol at least 2m shs, no biotechs',
    ['healthcare'],
    'technical.atr_14 > 3 and adv30_shares >= 2000000 and not fundamental.sector in (Healthcare, "Health Care")',
  ],
  [
    'unusual call buying, call vol 3x oi, weeklies',
    ['unusual options activity', 'put/call < 0.7', 'unusual options activity'],
    'options.unusual_activity = true and options.put_call_ratio < 0.7 and options.unusual_activity = true',
  ],
  [
    'names sitting within 1% of the gamma flip, spy components only',
    ['large cap'],
    'computed.from_gex_gamma_flip_pct <= 1 and fundamental.market_cap > 10000000000',
  ],
  [
    'gap down more than 3% after er, reclaimed vwap, now green',
    ['3 %', 'above vwap'],
    'price.gap_pct < -3 and price.day_price > levels.vwap and price.change_pct > 0',
  ],
  [
    'inside day w/ nr7, price > 20, mkt cap over 10b',
    [],
    'compression.is_inside_day = true and compression.is_nr7 = true and price.day_price > 20 and fundamental.market_cap > 10000000000',
  ],
  [
    'within 2% of pm high, rvol 5x or better',
    [],
    'computed.from_pre_market_high_pct <= 2 and computed.volume_over_average >= 5',
  ],
  [
    'macd just crossed up on the daily, adx > 25, energy or financials',
    ['macd above signal line'],
    'technical.macd > technical.macd_signal and technical.adx_14 > 25 and (fundamental.sector = Energy or fundamental.sector in (Financials, "Financial Services"))',
  ],
  [
    'lost yest low and under vwap, rsi < 40, weak vs spy, looking for shorts',
    ['lagging its peers', 'bearish'],
    '(price.previous_close > levels.pdl and price.day_price < levels.pdl) and price.day_price < levels.vwap and technical.rsi_14 < 40 and peer_divergence_v1.signal = bearish_divergence and directional_bias = bearish',
  ],
  [
    'strongest bullish score, 80+, large cap tech, stacked 8/21/50 emas',
    ['bullish_confluence > 80', 'bullish_confluence 80+', 'trend stack'],
    `bullish_confluence > 80 and bullish_confluence >= 80 and fundamental.market_cap > 10000000000 and ${IS_TECH} and technical.trend_stack_valid = true`,
  ],
];

describe('a sentence of a trader', () => {
  it.each(OF_A_TRADER)('%s', (said, chosen, meant) => {
    let text = said;
    for (const one of chosen) {
      const { at, length, instead } = faultOf(text);
      expect(instead).toContain(one);
      for (const offered of instead) {
        const next = text.slice(0, at) + offered + text.slice(at + length);
        // Each is read, as far as the next part that is not.
        expect(placeOfFault(next)).toBeGreaterThanOrEqual(at + offered.length);
      }
      text = text.slice(0, at) + one + text.slice(at + length);
    }
    const { filter, computed } = readScreen(text, fields);
    expect(writeFilter(filter!)).toBe(meant);
    expect(screenFaults({ filter, computed })).toEqual([]);
  });
});

describe('a sentence of a forum', () => {
  it.each(OF_FORUMS)('%s', (said, meant) => {
    const { filter, computed } = readScreen(said, fields);
    expect(writeFilter(filter!)).toBe(meant);
    expect(screenFaults({ filter, computed })).toEqual([]);
  });

  it('with a slip is refused with what was meant', () => {
    expect(faultOf('gapers').instead).toEqual(['gappers']);
    expect(faultOf('unusal volume').instead).toEqual(['unusual volume']);
  });

  it('takes no rating change of another day for one of today', () => {
    expect(faultOf('upgraded today').message).toMatch(/of whatever day/);
  });
});

describe('why a stock does not pass', () => {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  it.each([
    ['float under 20m', 56_244_826, 'Float 56.2 M, needs below 20 M'],
    ['rsi < 30', 41.237, 'RSI 41.24, needs below 30'],
    ['gap > 3 %', 1.2, 'Gap 1.20 %, needs above 3 %'],
    ['above vwap', 76.333, 'Price 76.33, needs above VWAP'],
    ['earnings within 5 days', 12, 'Days to earnings 12 days, needs 0 days to 5 days'],
    ['short gamma', 'long_gamma', 'Gamma regime long gamma, needs short gamma'],
    ['halted', false, 'Halted no, needs yes'],
    ['rvol > 2', 0.561, 'Rvol 0.56, needs above 2'],
  ] as const)('of %s with %s', (said, value, words) => {
    expect(missWords(readScreen(said, fields).filter as never, value, byPath)).toBe(words);
  });
});

describe('any text', () => {
  it('is read into what the service takes, or refused at a place in it', () => {
    const word = fc.constantFrom(
      ...PHRASINGS.flatMap(([said]) => said.split(' ')),
      ...[
        '(',
        ')',
        '{',
        '}',
        ',',
        'or',
        'better',
        'to',
        '2-20',
        '80+',
        'pm',
        'vol',
        'stacked',
        'energy',
        'semis',
        'not',
        'in',
        'near',
        'within',
        'true',
        'latest_grade_date',
        'of',
        '"',
        '%',
        '$',
        '<',
        '=',
        'é',
        '0',
      ],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join(' ');
        try {
          const { filter, computed } = readScreen(text, fields);
          if (filter !== null) expect(screenFaults({ filter, computed })).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterFault);
          expect((error as FilterFault).at).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: inFull(3000, 400) },
    );
  });

  it('of parentheses alone, or too long, is refused', () => {
    expect(faultOf('('.repeat(4000)).message).toMatch(/not the end/);
    expect(faultOf('a'.repeat(4001)).message).toMatch(/at most 4000 letters/);
  });
});

describe('the ready screens', () => {
  it.each(Object.entries(READY_SCREENS))('%s is read, and shows columns that there are', (_, screen) => {
    const { filter, computed } = readScreen(screen.filter!, fields);
    expect(filter).not.toBeNull();
    const numbers = { ...computedOf(screen), ...computed };
    for (const path of [...columnsOf(screen, computed), sortOf(screen).field])
      if (path.startsWith('computed.')) expect(Object.keys(numbers)).toContain(path.slice(9));
      else expect(fields.map((field) => field.path)).toContain(path);
    expect(screenFaults({ filter, computed: numbers, select: columnsOf(screen, computed) })).toEqual([]);
  });
});

describe('the search of fields', () => {
  it.each([
    ['narrowest range', 'compression.is_nr7'],
    ['dealer gamma', 'gex_regime'],
    ['dark pool', 'dark_pool_pct_1d'],
    ['days until earnings', 'earnings.days_until'],
    ['yesterday high', 'levels.pdh'],
    ['insider purchases', 'ownership.insider_purchases'],
    ['gap', 'price.gap_pct'],
    ['free shares', 'fundamental.float_shares'],
  ])('finds for %s among the first five %s', (words, path) => {
    expect(searchFields(words, fields, 5).map((field) => field.path)).toContain(path);
  });

  it('finds nothing for words without a meaning', () => {
    expect(searchFields('xyzzy', fields, 5)).toEqual([]);
    expect(pathsOf('xyzzy', fields)).toEqual([]);
  });

  it('knows by every path what it names', () => {
    for (const { path } of fields) expect(pathsOf(path, fields)).toEqual([path]);
  });
});
