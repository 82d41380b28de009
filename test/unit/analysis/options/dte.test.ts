import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AXES,
  type Axis,
  DTE_RAMPS,
  HOLDING_SESSIONS,
  TIMEFRAMES,
} from '../../../../src/analysis/options/dte-axes.ts';
import { type DteVerdict, evaluateExpirations } from '../../../../src/analysis/options/dte-evaluator.ts';
import type { DteInputs } from '../../../../src/analysis/options/dte-reading.ts';
import {
  expirationLives,
  monthlyExpiration,
  sessionShareLeft,
} from '../../../../src/analysis/options/expiration-life.ts';
import { gammaExposure } from '../../../../src/analysis/options/gamma-exposure.ts';
import type { PricedChain } from '../../../../src/analysis/options/quotes.ts';
import { smiles, surfaceFigures } from '../../../../src/analysis/options/surface.ts';
import { dateOf, midnightUtc, newYorkCalendar } from '../../../../src/base/calendar.ts';
import { SETTLEMENTS } from '../../../../src/base/option-roots.ts';
import { between, forAll, wholeBetween } from '../../../support/for-all.ts';
import { CHAIN_DATE, type MadeChain, madeChain, pricedMade, strikesOf } from '../../../support/made-chain.ts';
import { instant } from '../../../support/views.ts';
import { expectOrderless } from './reference.ts';

const calendar = newYorkCalendar();
const isSession = (date: number): boolean => calendar.isSession(dateOf(date));

type InputParts = Partial<Omit<DteInputs, 'chain' | 'smiles' | 'surface' | 'exposure' | 'lives'>>;

function inputsOf(chain: PricedChain, parts: InputParts = {}): DteInputs {
  const points = smiles(chain);
  return {
    chain,
    smiles: points,
    surface: surfaceFigures(chain, points),
    exposure: gammaExposure(chain),
    lives: expirationLives(
      chain.expirations,
      chain.today,
      sessionShareLeft(calendar.session(dateOf(chain.today)), chain.at),
      isSession,
    ),
    atr: 2,
    ivPercentile: 40,
    forecastVolatility: 0.22,
    earningsDates: [],
    timeframe: 'swing',
    direction: 'bullish',
    ...parts,
  };
}

const verdictOf = (chain: PricedChain, parts?: InputParts): DteVerdict =>
  evaluateExpirations(inputsOf(chain, parts));
const scoresOf = (axis: Axis, chain: PricedChain, parts?: InputParts): number[] =>
  verdictOf(chain, parts).expirations.map(({ scores }) => scores[axis]);

/** Every score of one list at least that of the other, and one above it. */
function expectHigher(high: readonly number[], low: readonly number[]): void {
  for (const [index, score] of high.entries()) expect(score).toBeGreaterThanOrEqual(low[index]! - 1e-9);
  expect(Math.max(...high.map((score, index) => score - low[index]!))).toBeGreaterThan(0.1);
}

const chain = pricedMade();

describe('the axes', () => {
  it('stay within 0 to 100, and the composite within its axes', () => {
    forAll(
      [
        fc.record({
          level: between(0.05, 2),
          tilt: between(-0.5, 0.2),
          spread: between(0, 0.9),
          open: wholeBetween(0, 100_000),
          atr: fc.oneof(between(0.01, 50), fc.constant(Number.NaN)),
          percentile: fc.oneof(between(0, 100), fc.constant(Number.NaN)),
          timeframe: fc.constantFrom(...TIMEFRAMES),
          direction: fc.constantFrom('bullish' as const, 'bearish' as const),
        }),
      ],
      { numRuns: 60 },
      ({ level, tilt, spread, open, atr, percentile, timeframe, direction }) => {
        const made = pricedMade({
          volatility: (moneyness) => Math.max(0.02, level + tilt * moneyness),
          halfSpread: spread,
          openInterest: (strike, right) => Math.floor(open * (1 + Math.sin(strike + right))),
        });
        const verdict = verdictOf(made, { atr, ivPercentile: percentile, timeframe, direction });
        for (const { scores, composite } of verdict.expirations) {
          const known = AXES.map((axis) => scores[axis]).filter((score) => !Number.isNaN(score));
          for (const score of known) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(100);
          }
          if (Number.isNaN(composite)) continue;
          expect(composite).toBeGreaterThanOrEqual(Math.min(...known) - 1e-9);
          expect(composite).toBeLessThanOrEqual(Math.max(...known) + 1e-9);
        }
      },
    );
  });

  it('edge_ratio rises with the travel of the price and falls with what the premium asks', () => {
    expectHigher(scoresOf('edge_ratio', chain, { atr: 2.2 }), scoresOf('edge_ratio', chain, { atr: 1.8 }));
    const dear = pricedMade({ volatility: () => 0.35 });
    expectHigher(scoresOf('edge_ratio', chain), scoresOf('edge_ratio', dear));
  });

  it('iv_fitness falls with the level, with an expiration dear against 30 days, and with its wing', () => {
    const fitness = (made: MadeChain, parts?: InputParts) => scoresOf('iv_fitness', pricedMade(made), parts);
    expectHigher(fitness({}, { ivPercentile: 20 }), fitness({}, { ivPercentile: 30 }));
    // Without a history the realised volatility is what the level is judged by.
    const unknown = { ivPercentile: Number.NaN };
    expectHigher(
      fitness({}, { ...unknown, forecastVolatility: 0.25 }),
      fitness({}, { ...unknown, forecastVolatility: 0.2 }),
    );
    const flat = fitness({});
    const humped = fitness({ volatility: (_, days) => (days === 100 ? 0.27 : 0.25) });
    expect(humped[3]!).toBeLessThan(flat[3]!);
    const skewed = { volatility: (moneyness: number) => 0.25 - 0.5 * moneyness };
    expectHigher(fitness(skewed, { direction: 'bullish' }), fitness(skewed, { direction: 'bearish' }));
  });

  it('dealer_flow falls with long gamma, on the wrong side of the flip, and behind a wall', () => {
    const flow = (openInterest: MadeChain['openInterest'], parts?: InputParts) =>
      scoresOf('dealer_flow', pricedMade({ openInterest: openInterest! }), parts);
    const short = flow((_, right) => (right > 0 ? 500 : 1000));
    const long = flow((_, right) => (right > 0 ? 1000 : 500));
    expectHigher(short, long);
    // Flip near 95, call wall at 120: spot above the flip favours longs and opposes shorts.
    const book = (strike: number, right: 1 | -1) =>
      right > 0 ? (strike === 120 ? 5000 : 0) : strike === 80 ? 5000 : 0;
    expectHigher(flow(book, { direction: 'bullish' }), flow(book, { direction: 'bearish', atr: 8 }));
    const wallAt = (at: number) => flow((strike, right) => (right > 0 && strike === at ? 5000 : 10));
    expect(wallAt(110)[2]!).toBeGreaterThan(wallAt(102.5)[2]!);
  });

  it('liquidity rises with open interest, volume and quotes, and falls with the spread', () => {
    const liquidity = (made: MadeChain) => scoresOf('liquidity', pricedMade(made));
    expectHigher(liquidity({ halfSpread: 0.02 }), liquidity({ halfSpread: 0.05 }));
    expectHigher(liquidity({ openInterest: () => 500 }), liquidity({ openInterest: () => 50 }));
    expectHigher(liquidity({ volume: () => 50 }), liquidity({ volume: () => 5 }));
    const half = liquidity({
      revise: (contract) => (contract.right > 0 ? contract : { ...contract, bid: 0 }),
    });
    expectHigher(liquidity({}), half);
  });
});

describe('edge_ratio by hand', () => {
  it('is travel over implied move plus theta, straight between 0.3 and 1.2', () => {
    // By Python's statistics module: 37 days and an hour are T = 0.1014840 years, implied 100 x 0.25 x sqrt(T) = 7.96414.
    // Five of 27 sessions pass: the call at the forward, D x F x (2 N(s / 2) - 1) with D x F = 100, is worth 3.17639
    // before and, with 22/27 of T, 2.86738 after; twice the difference is 0.61803. Travel 2 x sqrt(5) = 4.47214 over
    // 8.58217 is 0.521096, of which (0.521096 - 0.3) / 0.9 x 100 = 24.56625.
    const { expirations } = verdictOf(chain);
    expect(expirations[2]!.scores.edge_ratio).toBeCloseTo(24.56624779, 6);
    expect(expirations[2]!.details.edge_ratio).toMatch(
      /^Expected move 4\.47 \(ATR 2\.00, 5 sessions\) against 7\.96 priced in \(IV 25\.0 %, 37 days\) and 0\.62 of time decay/,
    );
  });

  it('takes an expiration down that ends before the trade does', () => {
    const position = verdictOf(chain, { timeframe: 'position' }).expirations[0]!;
    // Three sessions of twenty: travel 2 x sqrt(3) over 1.88 implied and 1.50 of theta is 1.03, of which 3/20 counts.
    expect(position.details.edge_ratio).toMatch(
      /ratio 0\.15\. The ratio counts 3 of 20 sessions of the trade\. 3 sessions left\./,
    );
    expect(position.scores.edge_ratio).toBe(0);
  });

  // Strikes as near as the last minutes need: further out nothing has a price.
  const lastDay = (clock: string): MadeChain => ({
    date: '2024-03-15',
    clock,
    strikes: strikesOf(98, 102, 0.25),
    expirations: ['2024-03-15', '2024-03-28'],
  });

  // By Python's math module, m minutes before 16:00: s = 0.25 sqrt(m / 525600), implied 100 s, theta all that the option
  // at the forward is worth, 200 (2 N(s / 2) - 1), travel 0.8 sqrt(m / 390), and of the ratio m / 390 counts. Of whole
  // sessions all three would be above 0.65 by their travel of 0.80.
  it.each([
    [
      '09:35',
      'Expected move 0.79 (ATR 0.80, 0.99 sessions)',
      '0.68',
      '0.54',
      '0.99 of 1',
      '0.65',
      38.3366875,
    ],
    [
      '12:00',
      'Expected move 0.63 (ATR 0.80, 0.62 sessions)',
      '0.53',
      '0.43',
      '0.62 of 1',
      '0.40',
      11.3440681,
    ],
    ['15:45', 'Expected move 0.16 (ATR 0.80, 0.04 sessions)', '0.13', '0.11', '0.04 of 1', '0.03', 0],
  ])(
    'on the last day counts what is left of the session: %s',
    (clock, travel, implied, theta, cut, ratio, score) => {
      const [today] = verdictOf(pricedMade(lastDay(clock)), { timeframe: 'intraday', atr: 0.8 }).expirations;
      expect(today!.details.edge_ratio).toContain(`${travel} against ${implied} priced in`);
      expect(today!.details.edge_ratio).toContain(
        `and ${theta} of time decay: ratio ${ratio}. The ratio counts ${cut} sessions of the trade. ${cut.slice(0, 4)} sessions left.`,
      );
      expect(today!.scores.edge_ratio).toBeCloseTo(score, 6);
    },
  );

  it('gives a dying option nothing for a week that it does not live', () => {
    // By the same figures 2.5 times the travel, ATR 2: 0.3922 over 0.2401 is 1.634, of which 15/390 of 5 counts: 0.0126.
    const [today] = verdictOf(pricedMade(lastDay('15:45'))).expirations;
    expect(today!.details.edge_ratio).toContain(
      'ratio 0.01. The ratio counts 0.04 of 5 sessions of the trade. 0.04 sessions left.',
    );
    expect(today!.scores.edge_ratio).toBe(0);
  });

  it('has holding times of a day, a week and a month', () => {
    expect(HOLDING_SESSIONS).toEqual({ intraday: 1, swing: 5, position: 20 });
    expect(DTE_RAMPS.edge).toEqual({ from: 0.3, to: 1.2 });
  });
});

describe('the verdict', () => {
  it('recommends the highest composite of those that pass, and says where the others lost', () => {
    const { expirations, recommended } = verdictOf(chain);
    const composites = expirations.map(({ composite }) => composite);
    expect(composites[recommended]).toBe(Math.max(...composites));
    expect(expirations[recommended]!.details.edge_ratio).toContain('Recommended');
    for (const [index, { details }] of expirations.entries()) {
      if (index === recommended) continue;
      expect(Object.values(details).join(' ')).toMatch(
        /\d+\.\d points less than 2024-\d\d-\d\d, mostly here/,
      );
    }
  });

  // Volatility that is dear behind 2024-03-15 leaves that one the highest composite.
  const dearLater: MadeChain = { volatility: (_, days) => (days > 3 ? 0.6 : 0.1) };

  it('prefers an expiration that outlives the trade to a better one that does not', () => {
    const { expirations, recommended } = verdictOf(pricedMade(dearLater));
    expect(expirations[0]!.composite).toBeGreaterThan(expirations[recommended]!.composite);
    expect(recommended).toBeGreaterThan(0);
    expect(expirations[0]!.details.edge_ratio).toContain(
      'It expires before the trade ends, and others do not.',
    );
    expect(expirations[recommended]!.details.edge_ratio).toContain(
      'the best score of all that outlive the trade.',
    );
  });

  it.each([
    // 2024-03-13 at 15:00: five sessions up to Tuesday the 19th, four up to Monday the 18th.
    ['swing', '15:00', '2024-03-19', '2024-04-19', 0],
    ['swing', '15:00', '2024-03-18', '2024-04-19', 1],
    // 20 sessions up to April 10.
    ['position', '15:00', '2024-04-10', '2024-06-21', 0],
    ['position', '15:00', '2024-04-09', '2024-06-21', 1],
    // Half of the session is left at 12:45.
    ['intraday', '12:45', '2024-03-13', '2024-04-19', 0],
    ['intraday', '12:46', '2024-03-13', '2024-04-19', 1],
  ] as const)('for %s at %s, %s before the dearer %s: place %i', (timeframe, clock, short, long, place) => {
    const isShort = (days: number) => days < (midnightUtc(long) - midnightUtc(CHAIN_DATE)) / 86_400_000;
    const made = pricedMade({
      clock,
      expirations: [short, long],
      strikes: strikesOf(97.5, 102.5, 0.25),
      volatility: (_, days) => (isShort(days) ? 0.1 : 0.6),
      volume: (_, __, days) => (isShort(days) ? 5000 : 0),
    });
    const { expirations, recommended } = verdictOf(made, { timeframe, atr: 1 });
    expect(expirations[0]!.composite).toBeGreaterThan(expirations[1]!.composite);
    expect(expirations.map(({ gatedFor }) => gatedFor)).toEqual([[], []]);
    expect(recommended).toBe(place);
  });

  it('recommends the best of the short ones where none lives long enough, and says so', () => {
    const short = pricedMade({ expirations: ['2024-03-14', '2024-03-15'] });
    const { expirations, recommended } = verdictOf(short);
    const composites = expirations.map(({ composite }) => composite);
    expect(composites[recommended]).toBe(Math.max(...composites));
    expect(expirations[recommended]!.details.edge_ratio).toContain('though none outlives the trade.');
  });

  it('gates what cannot be traded, and gives it back with its reason', () => {
    const wide = pricedMade({
      revise: (contract) =>
        contract.expiration === midnightUtc('2024-03-28')
          ? { ...contract, ask: contract.bid * 1.5 }
          : contract,
    });
    const { expirations, recommended } = verdictOf(wide);
    expect(expirations.map(({ gatedFor }) => gatedFor.length > 0)).toEqual([false, true, false, false]);
    expect(expirations[1]!.details.liquidity).toMatch(
      /Too illiquid: median spread 40\.0 % of at most 25\.0 %\./,
    );
    expect(recommended).not.toBe(1);
  });

  it.each([
    ['spread of 25 %', { halfSpread: 0.125 }, false],
    ['spread above 25 %', { halfSpread: 0.1251 }, true],
    // 20 contracts near the money.
    ['50 contracts open', { openInterest: (strike: number) => (strike === 100 ? 25 : 0) }, false],
    ['48 contracts open', { openInterest: (strike: number) => (strike === 100 ? 24 : 0) }, true],
  ])('%s', (_, made, gated) => {
    const { expirations } = verdictOf(
      pricedMade({ ...made, expirations: ['2024-04-19'], volume: () => 5000 }),
    );
    expect(expirations[0]!.gatedFor.length > 0).toBe(gated);
  });

  it('requires four usable quotes near the money', () => {
    const quoted = (contracts: readonly string[]) =>
      verdictOf(
        pricedMade({
          expirations: ['2024-04-19'],
          revise: (contract) =>
            contracts.includes(`${contract.strike} ${contract.right}`) ? contract : { ...contract, bid: 0 },
        }),
      ).expirations[0]!.gatedFor.join();
    expect(quoted(['100 1', '100 -1', '102.5 1'])).toMatch(/3 quotes near the money of at least 4/);
    expect(quoted(['100 1', '100 -1', '102.5 1', '102.5 -1'])).not.toMatch(/usable quotes/);
  });

  it('does not rank without ATR and without volatility at once', () => {
    const dark = pricedMade({ revise: (contract) => ({ ...contract, bid: Number.NaN }) });
    const { expirations, recommended } = verdictOf(dark, { ivPercentile: Number.NaN, atr: Number.NaN });
    expect(recommended).toBe(-1);
    for (const { composite, scores, confidence } of expirations) {
      expect(composite).toBeNaN();
      expect(scores.edge_ratio).toBeNaN();
      expect(confidence).toBe('low');
    }
  });

  it.each(TIMEFRAMES)(
    'recommends nothing without an ATR: no other axis knows the horizon of %s',
    (timeframe) => {
      const { expirations, recommended } = verdictOf(chain, { timeframe, atr: Number.NaN });
      expect(recommended).toBe(-1);
      for (const { scores, composite, confidence, details } of expirations) {
        expect(scores.edge_ratio).toBeNaN();
        expect(composite).toBeGreaterThan(0);
        expect(confidence).toBe('low');
        expect(details.edge_ratio).toBe('Expected move and recommendation need a daily ATR.');
      }
    },
  );

  it('is sure of what has all axes and a history, less so without the history', () => {
    expect(verdictOf(chain).expirations[2]!.confidence).toBe('high');
    expect(verdictOf(chain, { ivPercentile: Number.NaN }).expirations[2]!.confidence).toBe('medium');
  });

  it('does not depend on the order of the contracts', () => {
    expectOrderless(madeChain({ openInterest: (strike, right) => strike + 10 * right }), verdictOf);
  });

  it('names the events inside each life', () => {
    const { expirations } = verdictOf(chain, { earningsDates: [midnightUtc('2024-03-28')] });
    expect(expirations[0]!.details.iv_fitness).toContain('Before it expires: monthly expiration 2024-03-15.');
    expect(expirations[1]!.details.iv_fitness).toContain(
      'earnings 2024-03-28, monthly expiration 2024-03-15',
    );
    expect(expirations[3]!.details.iv_fitness).toContain('4 monthly expirations, the first 2024-03-15');
    // Good Friday, Memorial Day, Juneteenth.
    expect(expirations[3]!.details.iv_fitness).toContain('3 holidays, the first 2024-03-29');
  });
});

describe('the life of an expiration', () => {
  const lives = (today: string, todayLeft: number, ...dates: string[]) =>
    expirationLives(
      dates.map((date) => ({ date: midnightUtc(date), settlement: SETTLEMENTS.indexOf('close') })),
      midnightUtc(today),
      todayLeft,
      isSession,
    );

  it('counts sessions that have not closed', () => {
    const [own, friday, april] = lives(CHAIN_DATE, 0.25, '2024-03-13', '2024-03-15', '2024-04-19');
    // March 13-28 are 12 sessions, April 1-19 are 15; Good Friday is none. The last day counts what is left of it.
    expect([own!.sessionsLeft, friday!.sessionsLeft, april!.sessionsLeft]).toEqual([0.25, 3, 27]);
    expect(lives(CHAIN_DATE, 0, '2024-03-15')[0]!.sessionsLeft).toBe(2);
  });

  it('ends on the session before an expiration that is none', () => {
    // Thursday before Good Friday, 2024-03-29.
    expect(lives('2024-03-28', 0.1, '2024-03-29')[0]!.sessionsLeft).toBe(0.1);
    expect(lives('2024-03-27', 0.1, '2024-03-29')[0]!.sessionsLeft).toBe(2);
  });

  it.each([
    // 390, 385, 240, 15 of 390 minutes; 15 of the 210 of a half day.
    ['2024-03-15', '09:30', 1],
    ['2024-03-15', '08:00', 1],
    ['2024-03-15', '09:35', 0.987179487],
    ['2024-03-15', '12:00', 0.615384615],
    ['2024-03-15', '15:45', 0.038461538],
    ['2024-03-15', '16:00', 0],
    ['2024-03-15', '17:00', 0],
    ['2024-11-29', '12:45', 0.071428571],
  ])('of %s at %s the share %d is left', (date, clock, share) => {
    expect(sessionShareLeft(calendar.session(date), instant(date, clock))).toBeCloseTo(share, 9);
  });

  it('leaves nothing of a date without a session', () => {
    expect(sessionShareLeft(null, instant(CHAIN_DATE, '12:00'))).toBe(0);
  });

  it('counts sessions to the nearest monthly expiration, either way', () => {
    const found = lives(CHAIN_DATE, 1, '2024-03-13', '2024-03-15', '2024-03-18', '2024-03-28', '2024-04-12');
    expect(found.map(({ opexDays }) => opexDays)).toEqual([2, 0, 1, 9, 5]);
  });

  it.each([
    ['2024-03-01', '2024-03-15'],
    ['2024-06-01', '2024-06-21'],
    // Good Friday is the third Friday.
    ['2019-04-01', '2019-04-18'],
    ['2014-04-01', '2014-04-17'],
    // Juneteenth is the third Friday.
    ['2026-06-01', '2026-06-18'],
    // The month begins on a Friday, on a Saturday.
    ['2023-09-01', '2023-09-15'],
    ['2024-06-01', '2024-06-21'],
  ])('the monthly expiration of %s is %s', (first, monthly) => {
    expect(dateOf(monthlyExpiration(midnightUtc(first), isSession))).toBe(monthly);
  });
});
