import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../../../src/texts/verify/index.ts';
import { GROUND } from '../../../support/verify-facts.ts';

/** What is said of sentences as they are written, number by number: what it quotes, the verdict, and of which fact. */

type Expected = readonly [
  quote: string,
  verdict: 'matches' | 'derivable' | 'contradicts' | 'unknown',
  fact?: string,
];

const said = (text: string): Expected[] =>
  claimsOf(text, GROUND).map(({ text: quote, verdict, fact }) => [quote, verdict, fact?.id ?? '']);

/** Compares without the fact where the table names none. */
function expectSaid(text: string, expected: readonly Expected[]): void {
  const found = said(text).map(([quote, verdict, fact], at) =>
    expected[at]?.[2] === undefined ? [quote, verdict] : [quote, verdict, fact],
  );
  expect(found).toEqual(expected.map((one) => [...one]));
}

const table = (name: string, sentences: readonly (readonly [string, ...Expected[]])[]): void => {
  describe(name, () => {
    for (const [text, ...expected] of sentences) it(text, () => expectSaid(text, expected));
  });
};

const RSI = 'stock.technical.rsi_14';
const LAST = 'stock.last_price';
const SMA_50 = 'stock.technical.moving_averages.sma_50';
const CHANGE = 'stock.price.change_pct';

table('a number beside its measure', [
  ['RSI of 62.', ['62', 'matches', RSI]],
  ['RSI is 62.3', ['62.3', 'matches', RSI]],
  ['RSI: 62', ['62', 'matches', RSI]],
  ['RSI (62)', ['62', 'matches', RSI]],
  ['RSI = 62', ['62', 'matches', RSI]],
  ['62 RSI', ['62', 'matches', RSI]],
  ['The RSI(14) currently reads 62.', ['62', 'matches', RSI]],
  ['RSI 14 is at 62', ['62', 'matches', RSI]],
  ['rsi_14: 62.3', ['62.3', 'matches', RSI]],
  ['stock.technical.rsi_14 = 62.3', ['62.3', 'matches', RSI]],
  ['**RSI**: `62`', ['62', 'matches', RSI]],
  ['| RSI | 62 |', ['62', 'matches', RSI]],
  ['The relative strength index has climbed steadily to 62', ['62', 'unknown', RSI]],
  ['The RSI of SIMX is 62.', ['62', 'matches', RSI]],
  ["The stock's RSI is 62", ['62', 'matches', RSI]],
  ['RSI and ADX are 62 and 25.', ['62', 'matches', RSI], ['25', 'matches', 'stock.technical.adx_14']],
  ['price 187.34 RSI 62 ATR 3.12', ['187.34', 'matches', LAST], ['62', 'matches', RSI], ['3.12', 'matches']],
  ['RSI is 71.', ['71', 'contradicts', RSI]],
  ['An RSI of 71 may fall.', ['71', 'contradicts', RSI]],
  ['RSI, now 71, could rise.', ['71', 'contradicts', RSI]],
  ['RSI and ADX are 62 and 35.', ['62', 'matches', RSI], ['35', 'contradicts', 'stock.technical.adx_14']],
]);

table('prices', [
  ['SIMX trades at $187.34', ['$187.34', 'matches', LAST]],
  ['SIMX ($187.34) is quiet', ['$187.34', 'matches', LAST]],
  ['The stock closed at 187.34', ['187.34', 'matches', 'stock.price.regular.close']],
  ['USD 187', ['USD 187', 'unknown']],
  ['USD 187.34', ['USD 187.34', 'unknown']],
  ['It is trading at 187 dollars', ['187 dollars', 'matches', LAST]],
  ['SIMX closed at 178.34.', ['178.34', 'contradicts', 'stock.price.regular.close']],
  ['The price is $187.43.', ['$187.43', 'contradicts', LAST]],
  ['The price is about $187.', ['$187', 'matches', LAST]],
  ['The price is roughly 190.', ['190', 'matches', LAST]],
  ['The price is roughly 200.', ['200', 'unknown', LAST]],
  ['The price is roughly 250.', ['250', 'contradicts', LAST]],
  ['50-day average of $180.10', ['$180.10', 'matches', SMA_50]],
  ['the 50 DMA at 180', ['180', 'matches', SMA_50]],
  ['SMA50: 180.1', ['180.1', 'matches', SMA_50]],
  ['the fifty-session moving average (180.10)', ['180.10', 'matches', SMA_50]],
  ['Its 50-day average is $182.10.', ['$182.10', 'contradicts', SMA_50]],
  ['It opened at 192.40, with a high of the day of 193.02.', ['192.40', 'matches'], ['193.02', 'matches']],
  ['R1 at 189.40, VWAP 188.9', ['189.40', 'matches', 'stock.levels.pivot_r1'], ['188.9', 'matches']],
  ['value area 191.05-194.20', ['191.05', 'matches', 'stock.levels.prior_val'], ['194.20', 'matches']],
  [
    'support at 183.5, resistance at 190.25',
    ['183.5', 'matches'],
    ['190.25', 'matches', 'level.resistance.1.price'],
  ],
  ['support at 150', ['150', 'unknown']],
  ['nearest support at 150', ['150', 'contradicts', 'stock.level_ladder.nearest_support.price']],
  ['Goldman raised its price target to 250.', ['250', 'unknown']],
  ['The average price target is $210.', ['$210', 'contradicts', 'stock.analyst.target_mean']],
  ['Gamma flip at $185', ['$185', 'matches', 'stock.gex_gamma_flip']],
]);

table('how numbers are written', [
  ['market cap of $3.2 trillion', ['$3.2 trillion', 'matches', 'stock.fundamental.market_cap']],
  ['market cap: 3,210bn', ['3,210bn', 'matches']],
  ['a market cap of about $3.2T', ['$3.2T', 'matches']],
  ['market cap of 4.1 trillion', ['4.1 trillion', 'contradicts']],
  ['Volume was 12.3M shares', ['12.3M shares', 'matches', 'stock.volume']],
  ['Volume: 12,345,678', ['12,345,678', 'matches']],
  ['Volume: 12\u202f345\u202f678', ['12\u202f345\u202f678', 'matches']],
  ['about 12,000,000 shares of volume', ['12,000,000 shares', 'matches']],
  ['Volume: 11,345,678', ['11,345,678', 'contradicts']],
  ['gross margin of 43.3%', ['43.3%', 'matches']],
  ['gross margin of 4331 basis points', ['4331 basis points', 'matches']],
  ['gross margin of 43 percent', ['43 percent', 'matches']],
  ['dark pool share of 38%', ['38%', 'matches', 'stock.dark_pool_pct_1d']],
  ['dark pool share of 0.384', ['0.384', 'matches']],
  ['It trades at 37x earnings', ['37', 'matches', 'stock.fundamental.pe_ratio']],
  [
    'a P/E of 37.1 and a forward P/E of 29.8',
    ['37.1', 'matches'],
    ['29.8', 'matches', 'stock.fundamental.forward_pe'],
  ],
  ['It trades at 45 times earnings', ['45', 'contradicts', 'stock.fundamental.pe_ratio']],
  ['MACD of -0.84', ['-0.84', 'matches', 'stock.technical.macd']],
  ['MACD of \u22120.84', ['\u22120.84', 'matches', 'stock.technical.macd']],
  ['RSI of ６２', ['６２', 'matches', RSI]],
  ['RSI of ٦٢', ['٦٢', 'matches', RSI]],
  ['RSI of 𝟔𝟐', ['𝟔𝟐', 'matches', RSI]],
  ['price of 1\u200b87.34', ['1\u200b87.34', 'matches', LAST]],
  ['a score of 71.5/100 on the bullish score', ['71.5/100', 'matches']],
  ['Its 164,000 employees', ['164,000', 'matches', 'stock.employees']],
  ['skew of 3.45%', ['3.45%', 'matches', 'stock.options.iv_skew']],
]);

table('names that hold numbers', [
  ['The 50-day held; a 10-K was filed at 9:30 in Q3 2026.', ['held', 'unknown']],
  ['1. Momentum\n2. Volume\n3) Levels'],
  ['a 2:1 split, COVID-19, v4.5, #1, the 3rd try'],
  ['The S&P 500 and the Nasdaq 100 rose.'],
  ['over the last 20 days and the past two weeks'],
  ['1. RSI at 62\n2. Beta of 1.21', ['62', 'matches', RSI], ['1.21', 'matches']],
  ['a 52-week high of 240', ['240', 'unknown']],
  ['the weekly RSI is 71', ['71', 'unknown']],
  ['the three-month high is 260', ['260', 'unknown']],
  ['$190 calls', ['$190', 'unknown']],
  ['There are 5 reasons.', ['5', 'unknown']],
  ['No numbers at all.'],
]);

table('direction', [
  ['down 3.2% today', ['3.2%', 'matches', CHANGE]],
  ['The stock lost 3.2% on the day', ['3.2%', 'matches', CHANGE]],
  ['-3.2% on the session', ['-3.2%', 'matches', CHANGE]],
  ['Price fell 3.2% to 187.34.', ['3.2%', 'matches', CHANGE], ['187.34', 'matches', LAST]],
  ['Price rose 3.2% today.', ['3.2%', 'contradicts', CHANGE]],
  ['up 3.2% over the past month', ['3.2%', 'unknown']],
  [
    'SIMX trades at $187.34, down 2.3% today, with an RSI of 62.',
    ['$187.34', 'matches'],
    ['2.3%', 'contradicts', CHANGE],
    ['62', 'matches'],
  ],
  ['Sales, meanwhile, dropped 2.3%.', ['2.3%', 'unknown']],
  ['The stock is -3.2% from the close before.', ['-3.2%', 'derivable', LAST]],
  ['SIMX is down 3.2% from its previous close.', ['3.2%', 'derivable', LAST]],
  ['SIMX is up 3.2% from its previous close.', ['3.2%', 'contradicts']],
  ['The stock is down 5.1% against the prior close.', ['5.1%', 'contradicts', 'stock.price.previous_close']],
  ['The stock fell $6.19 today', ['$6.19', 'matches', 'stock.price.change']],
  ['a gap of 0.58%', ['0.58%', 'unknown', 'stock.price.gap_pct']],
  ['a gap of -0.58%', ['-0.58%', 'matches', 'stock.price.gap_pct']],
  ['It gapped up 0.58%.', ['0.58%', 'contradicts', 'stock.price.gap_pct']],
  ['RSI fell from 70 to 62.', ['70', 'unknown'], ['62', 'unknown', RSI]],
  ['RSI fell from 70 to 65.', ['70', 'unknown'], ['65', 'contradicts', RSI]],
  ['RSI is up 5 points to 62', ['5 points', 'unknown'], ['62', 'unknown', RSI]],
  ['Price fell from 193.53 to 187.34.', ['193.53', 'matches'], ['187.34', 'matches', LAST]],
  ['Price rose from 193.53 to 187.34.', ['193.53', 'matches'], ['187.34', 'contradicts']],
]);

table('what follows from facts', [
  ['The price is 4.0% above its 50-day average.', ['4.0%', 'derivable', LAST]],
  ['The price is 4% above its 50-day average of 180.10.', ['4%', 'derivable'], ['180.10', 'matches', SMA_50]],
  ['The stock trades 9% above its 50-day average', ['9%', 'contradicts', SMA_50]],
  ['It trades 4% below its 50-day average', ['4%', 'contradicts', SMA_50]],
  ['1.06 ATR above the 20-day average', ['1.06 ATR', 'derivable']],
  ['The spread between the price and the 50-day average is 7.24', ['7.24', 'unknown']],
  ['The spread between the beta and the 50-day average is 7.24', ['7.24', 'unknown']],
  ['The mean target implies 6.8% upside', ['6.8%', 'matches', 'stock.analyst.target_upside']],
  ['28.1% upside to the high target', ['28.1%', 'derivable']],
  ['21 analysts rate it buy', ['21', 'derivable', 'stock.analyst.buy_count']],
  ['Earnings on September 4.', ['September 4', 'derivable', 'stock.earnings.days_until']],
  ['RSI is above 60.', ['60', 'derivable', RSI]],
  ['RSI is below 50.', ['50', 'contradicts', RSI]],
  ['The price is between 180 and 190.', ['180', 'derivable'], ['190', 'derivable']],
]);

table('what is not stated', [
  ['If the price falls to 175, it will be cheap.', ['175', 'unknown']],
  ['RSI above 70 would be overbought.', ['70', 'unknown']],
  ['If it falls, the nearest support is at 183.50.', ['183.50', 'matches']],
  ['If it breaks, support at 183.50 is gone.', ['183.50', 'unknown']],
  ['Should it fall, the 50-day average at 182 is next.', ['182', 'contradicts', SMA_50]],
  ['RSI is not 70.', ['70', 'unknown']],
  ["It won't reach an RSI of 71.", ['71', 'unknown']],
  ["It can't hold an RSI of 71.", ['71', 'unknown']],
  ['A year ago RSI was 40.', ['40', 'unknown']],
  ['On 2026-05-04 the RSI was 40.', ['2026-05-04', 'unknown'], ['40', 'unknown']],
  ['Revenue of $94bn', ['$94bn', 'unknown']],
  ['Revenue of $94bn and RSI of 62', ['$94bn', 'unknown'], ['62', 'matches', RSI]],
  ['It beat in 7 of the last 8 quarters', ['7', 'unknown']],
]);

table('a fact that is cited behind a number', [
  ['It is 62.3 [stock.technical.rsi_14].', ['62.3', 'matches', RSI]],
  ['It is 71 [stock.technical.rsi_14].', ['71', 'contradicts', RSI]],
  ['The ADX is 62 [stock.technical.rsi_14].', ['62', 'matches', RSI]],
  ['MSFT peers: 62 [stock.technical.rsi_14]', ['62', 'matches', RSI]],
  [
    '0.384 [stock.dark_pool_pct_1d] or 38% [stock.dark_pool_pct_1d]',
    ['0.384', 'matches'],
    ['38%', 'matches'],
  ],
  ['It lost 3.2% [stock.price.change_pct].', ['3.2%', 'matches', CHANGE]],
  ['It trades at $187.34 ([stock.last_price]), not cheap', ['$187.34', 'matches', LAST]],
  ['above 60 [stock.technical.rsi_14]', ['60', 'derivable', RSI]],
  ['If it falls to 30 [stock.technical.rsi_14]', ['30', 'unknown', RSI]],
  ['It is 62.3 [stock.technical.rsi_99].', ['62.3', 'unknown']],
  ['The RSI [stock.technical.rsi_14] is 71.', ['71', 'contradicts', RSI]],
  ['graded on Aug. 12 [stock.analyst.latest_grade_date]', ['Aug. 12', 'matches']],
  ['graded on Aug. 11 [stock.analyst.latest_grade_date]', ['Aug. 11', 'contradicts']],
  ['support [level.support.1.price] of 3 days ago'],
]);

table('other stocks', [
  ['MSFT trades at 400.', ['400', 'unknown']],
  ['MSFT trades at 400 and has an RSI of 55.', ['400', 'unknown'], ['55', 'unknown']],
  ['MSFT trades at 400. Its RSI is 55.', ['400', 'unknown'], ['55', 'unknown']],
  ['Unlike MSFT at 400, SIMX has an RSI of 71.', ['400', 'unknown'], ['71', 'contradicts', RSI]],
  ['Against its peers (MSFT, GOOG) the RSI is 71.', ['71', 'contradicts', RSI]],
]);

describe('a symbol that is a word', () => {
  it.each([
    ['A volatility index of 16 is above the 14.89 of now.', 'NOW'],
    ['A 5.55 is seen.', 'A'],
  ])('%s', (text, symbol) => {
    const verdicts = claimsOf(text, { ...GROUND, symbol }).map(({ verdict }) => verdict);
    expect(verdicts.slice(-1)).toEqual(['unknown']);
  });

  it('is the stock in capitals', () => {
    const [claim] = claimsOf('NOW ($178.10) is cheap.', { ...GROUND, symbol: 'NOW' });
    expect(claim?.verdict).toBe('contradicts');
  });
});

table('counts and spans', [
  ['Earnings in 7 days', ['7 days', 'matches', 'stock.earnings.days_until']],
  ['earnings are seven days away', ['seven days', 'matches']],
  ['Earnings are 12 days away', ['12 days', 'contradicts']],
  ['It beat 5 straight quarters', ['5', 'matches', 'stock.earnings.consecutive_beats']],
  ['5 consecutive beats', ['5', 'matches', 'stock.earnings.consecutive_beats']],
  ['6 consecutive beats', ['6', 'contradicts', 'stock.earnings.consecutive_beats']],
]);

table('dates', [
  ['as of August 28, 2026', ['August 28, 2026', 'matches']],
  ['as of 8/27/2026', ['8/27/2026', 'contradicts']],
  ['Upgraded on 12 August 2026', ['12 August 2026', 'matches', 'stock.analyst.latest_grade_date']],
  ['Upgraded on Aug. 12', ['Aug. 12', 'matches', 'stock.analyst.latest_grade_date']],
  ['Earnings are due Sep 5.', ['Sep 5', 'contradicts', 'stock.earnings.days_until']],
  ['on February 30, 2026', ['February 30, 2026', 'unknown']],
  ['It may rise 5%', ['5%', 'unknown']],
  [
    'On 2026-08-20 there was a close back above the fifty-session average, at 181.77.',
    ['2026-08-20', 'matches', 'event.bullish.date'],
    ['181.77', 'matches', 'event.bullish.price'],
  ],
]);

const [R1, VWAP] = ['level.pivot_r1.state', 'level.vwap.state'];
table('what became of a level', [
  ['R1 held.', ['held', 'matches', R1]],
  ['R1 (189.40) has held so far today.', ['189.40', 'matches'], ['held', 'matches', R1]],
  ['Sellers defended R1.', ['defended', 'matches', R1]],
  ['R1 was broken.', ['broken', 'contradicts', R1]],
  ['SIMX broke R1 today.', ['broke', 'contradicts', R1]],
  ['SIMX broke below VWAP.', ['broke', 'matches', VWAP]],
  ['VWAP was broken at 10:42.', ['broken at 10:42', 'matches', 'level.vwap.decided_at']],
  ['VWAP was broken at 10:41 a.m. ET.', ['broken at 10:41 a.m. ET', 'matches', 'level.vwap.decided_at']],
  ['VWAP was broken at 2:42 pm.', ['broken at 2:42 pm', 'contradicts', 'level.vwap.decided_at']],
  ['VWAP was broken around 10:45.', ['broken around 10:45', 'matches', 'level.vwap.decided_at']],
  ['VWAP held.', ['held', 'contradicts', VWAP]],
  ['R1 was first touched at 10:02.', ['touched at 10:02', 'matches', 'level.pivot_r1.touched_at']],
  ['R1 held at 1:05.', ['held at 1:05', 'matches', 'level.pivot_r1.decided_at']],
  ['R1 held at 11:20.', ['held at 11:20', 'unknown', 'level.pivot_r1.decided_at']],
  ['VAH is untouched.', ['untouched', 'matches', 'level.prior_vah.state']],
  ['The prior value area high was tested.', ['tested', 'contradicts', 'level.prior_vah.state']],
  ['R1 is untouched.', ['untouched', 'contradicts', R1]],
  ['The 20-day average held.', ['held', 'unknown', 'level.sma_20.state']],
  ['The 50-day average was broken.', ['broken', 'unknown', 'level.sma_50.state']],
  ['The gamma flip held.'],
  ['The nearest support broke.', ['broke', 'unknown']],
  ['If R1 is broken, shorts cover.', ['broken', 'unknown']],
  ['R1 was not broken.', ['broken', 'unknown']],
  ['Yesterday R1 was broken.', ['broken', 'unknown']],
  ['R1 was barely held.', ['held', 'unknown']],
  ['MSFT broke R1.', ['broke', 'unknown']],
  ['SIMX held above VWAP.'],
]);

describe('a claim', () => {
  it('has the offset that it reports, whatever precedes it', () => {
    const text = '𝟏\u200b🙂 – “RSI”: 62.3, vol. 12.3M shares';
    for (const { text: quote, start, end } of claimsOf(text, GROUND))
      expect(text.slice(start, end)).toBe(quote);
    expect(
      said(text)
        .slice(-2)
        .map(([quote]) => quote),
    ).toEqual(['62.3', '12.3M shares']);
  });

  it('gives value, unit, what was expected and how it follows', () => {
    const [price, change, distance] = claimsOf(
      'The price is $178.34, down 3.2% today. It is 4% above the 50-day average.',
      GROUND,
    );
    expect(price).toMatchObject({ value: 178.34, unit: 'USD', about: 'price', expected: 187.34 });
    expect(change).toMatchObject({ value: -3.2, unit: 'percent', verdict: 'matches' });
    // (187.34 / 180.1 - 1) * 100 = 4.0200
    expect(distance?.derivation).toBe(
      '(stock.last_price (187.34) / stock.technical.moving_averages.sma_50 (180.1) - 1) * 100 = 4.02',
    );
  });

  it('says so when no measure is named for it, whatever it equals', () => {
    const [claim] = claimsOf('Watch 181.77 closely.', GROUND);
    expect(claim).toMatchObject({ verdict: 'unknown', about: null, fact: null });
    expect(claim?.reason).toContain('No measure is named');
  });
});
