import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathsOf, searchFields } from '../../../explorer/src/screener/field-words.ts';
import { FilterFault, readScreen, writeFilter } from '../../../explorer/src/screener/filter-text.ts';
import {
  columnsOf,
  computedOf,
  READY_SCREENS,
  sortOf,
} from '../../../explorer/src/screener/screen-search.ts';
import { listScreenFields } from '../../../src/api/screener/list-screen-fields.ts';
import { screenFaults } from '../../../src/api/screener/screen-stocks.ts';

const { fields } = listScreenFields();

/** What a trader writes, and the condition that it means in names of fields. */
const PHRASINGS: readonly (readonly [said: string, meant: string])[] = [
  ['gap > 3 %', 'price.gap_pct > 3'],
  ['gap > 3%', 'price.gap_pct > 3'],
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
  ['above vwap', 'last_price > levels.vwap'],
  ['below VWAP', 'last_price < levels.vwap'],
  ['price above vwap', 'last_price > levels.vwap'],
  ['price is above the vwap', 'last_price > levels.vwap'],
  ['last_price > levels.vwap', 'last_price > levels.vwap'],
  ['last_price > {levels.vwap}', 'last_price > levels.vwap'],
  ['last price > vwap', 'last_price > levels.vwap'],
  ['over the 20 sma', 'last_price > technical.moving_averages.sma_20'],
  ['above 50-day ma', 'last_price > technical.moving_averages.sma_50'],
  ['above sma200', 'last_price > technical.moving_averages.sma_200'],
  ['below 9 ema', 'last_price < technical.moving_averages.ema_9'],
  ['ema 9 > ema 20', 'technical.moving_averages.ema_9 > technical.moving_averages.ema_20'],
  ['price over $50', 'last_price > 50'],
  ['under $10', 'last_price < 10'],
  ['price between 20 and 50', 'last_price between 20 and 50'],
  ['price >= 1,000', 'last_price >= 1000'],
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
  ['above prior high', 'last_price > levels.pdh'],
  ["above yesterday's high", 'last_price > levels.pdh'],
  ['above pdh', 'last_price > levels.pdh'],
  ['below pdl', 'last_price < levels.pdl'],
  ['above r1', 'last_price > levels.pivot_r1'],
  ['over the ib high', 'last_price > levels.ib_high'],
  ['above premarket high', 'last_price > price.pre_market.high'],
  ['above the flip', 'last_price > gex_gamma_flip'],
  ['below gamma flip', 'last_price < gex_gamma_flip'],
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
  ['gap up above vwap', 'price.gap_pct > 0 and last_price > levels.vwap'],
  [
    'rsi below 30 above the 200 sma',
    'technical.rsi_14 < 30 and last_price > technical.moving_averages.sma_200',
  ],
  ['short gamma below the flip', 'gex_regime = short_gamma and last_price < gex_gamma_flip'],
  ['price > $10 < $20', 'last_price > 10 and last_price < 20'],
  ['not halted', 'not halted = true'],
  ['flip is not null', 'gex_gamma_flip is not null'],
  ['gap > 3 %, above vwap', 'price.gap_pct > 3 and last_price > levels.vwap'],
  [
    'gap > 3 % and above vwap or oversold',
    '(price.gap_pct > 3 and last_price > levels.vwap) or technical.rsi_14 < 30',
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
      '(levels.pdc - gex_gamma_flip) * (last_price - gex_gamma_flip)',
    ],
    [
      'within 0.5 % of pdh',
      'computed.from_pdh_pct <= 0.5',
      'abs(last_price - levels.pdh) / levels.pdh * 100',
    ],
    [
      'within 0.25 atr of vwap',
      'computed.from_vwap_atr <= 0.25',
      'abs(last_price - levels.vwap) / technical.atr_14',
    ],
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
      'price.gap_pct > 3 and computed.volume_over_average >= 2 and last_price > levels.vwap',
    );
  });

  it.each([
    ['gap > 3', /gap may mean several things/, ['price.gap_pct', 'price.gap']],
    ['change > 1', /several things/, ['price.change_pct', 'price.change']],
    ['above poc', /several things/, ['levels.developing_poc', 'levels.prior_poc']],
    ['above high', /several things/, ['price.regular.high', 'levels.pdh', 'price.pre_market.high']],
    ['iv > 50', /several things/, ['options.iv_rank', 'options.iv_percentile']],
    ['over 20', /What is to be > 20/, ['$20']],
    ['rsi under 30 and over 20', /What is to be > 20/, ['$20']],
    ['up 5', /in percent/, ['up 5 %']],
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
    ['price > halted', /halted is not compared with last_price/, []],
    ['halted = 3', /halted is true or false/, ['true', 'false']],
    ['day type in (1,200)', /space after each comma/, ['1, 200']],
    ['short interest > 20 %', /No field is called short interest; \+ condition searches/, []],
    ['rsi', /rsi is compared with nothing/, []],
  ] as const)('%s is refused, with what is near', (said, sentence, instead) => {
    const fault = faultOf(said);
    expect(fault.message).toMatch(sentence);
    if (instead !== null) expect(fault.instead).toEqual(instead);
    // What is offered is about the words that it replaces.
    expect(fault.at + fault.length).toBeLessThanOrEqual(said.length);
  });

  it.each([
    ['gap > 3', 'price.gap_pct'],
    ['over 20', '$20'],
    ['up 5', 'up 5 %'],
    ['up over 5', '5 %'],
    ['near pdh', 'within 0.25 ATR of pdh'],
    ['within 3 of pdh', '0.5 %'],
    ['within 5 %', '0.5 % of vwap'],
  ])('%s is read once what is offered replaces its words', (said, chosen) => {
    const { at, length, instead } = faultOf(said);
    expect(instead).toContain(chosen);
    expect(readScreen(said.slice(0, at) + chosen + said.slice(at + length), fields).filter).not.toBeNull();
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
      { numRuns: 3000 },
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
