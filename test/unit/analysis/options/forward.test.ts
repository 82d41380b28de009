import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { americanPrice } from '../../../../src/analysis/options/american.ts';
import { CALL, PUT, price } from '../../../../src/analysis/options/black-scholes.ts';
import {
  type ForwardInputs,
  impliedForward,
  type QuoteColumns,
} from '../../../../src/analysis/options/forward.ts';
import { mulberry32 } from '../../../support/daily-recipe.ts';
import { between, forAll } from '../../../support/for-all.ts';

interface Planted {
  readonly spot: number;
  readonly years: number;
  readonly rate: number;
  readonly dividendYield: number;
  readonly style: 'american' | 'european';
}

interface Noise {
  readonly seed: number;
  /** Of the price, at least `leastSpread` dollars; the true price lies anywhere within it. */
  readonly spread: number;
  readonly leastSpread: number;
  /** Share of quotes that are far off. */
  readonly bad: number;
}

const EXACT: Noise = { seed: 1, spread: 0, leastSpread: 0, bad: 0 };

/** A chain on a smile, from 70 % to 130 % of the spot, quoted around its true prices. */
function chainOf({ spot, years, rate, dividendYield, style }: Planted, noise: Noise): QuoteColumns {
  const draw = mulberry32(noise.seed);
  const forward = spot * Math.exp((rate - dividendYield) * years);
  const discount = Math.exp(-rate * years);
  const rows: { strike: number; right: number; bid: number; ask: number }[] = [];
  for (let step = 0; step <= 48; step++) {
    const strike = spot * (0.7 + step / 80);
    for (const right of [CALL, PUT]) {
      const volatility = 0.25 * (1 - 0.4 * Math.log(strike / forward));
      const value =
        style === 'european'
          ? price(right, forward, strike, years, volatility, discount)
          : americanPrice(right, spot, forward, strike, years, volatility, discount);
      const spread = Math.max(noise.spread * value, noise.leastSpread);
      const middle = value + (draw() - 0.5) * spread;
      const off = draw() < noise.bad ? 0.2 * (draw() - 0.5) * spot : 0;
      rows.push({
        strike,
        right,
        bid: Math.max(middle - 0.5 * spread + off, 0),
        ask: Math.max(middle + 0.5 * spread + off, 0),
      });
    }
  }
  const column = (key: 'strike' | 'right' | 'bid' | 'ask') => Float64Array.from(rows, (row) => row[key]);
  return { strike: column('strike'), right: column('right'), bid: column('bid'), ask: column('ask') };
}

const whole = (quotes: QuoteColumns, inputs: ForwardInputs) =>
  impliedForward(quotes, 0, quotes.strike.length, inputs);
const inputsOf = ({ spot, years, rate, style }: Planted): ForwardInputs => ({
  spot,
  years,
  rate,
  style,
});
const forwardPlanted = ({ spot, years, rate, dividendYield }: Planted): number =>
  spot * Math.exp((rate - dividendYield) * years);

const european: Planted = { spot: 230, years: 0.25, rate: 0.045, dividendYield: 0.012, style: 'european' };
const american: Planted = { ...european, style: 'american' };

const anyMarket = fc.record({
  spot: between(5, 6000),
  years: between(2 / 365, 2),
  rate: between(0, 0.08),
  dividendYield: between(-0.05, 0.08),
});

describe('the forward that quotes imply', () => {
  it('is the planted one, with the planted rate, where European quotes are exact', () => {
    forAll([anyMarket], (market) => {
      const planted: Planted = { ...market, style: 'european' };
      const found = whole(chainOf(planted, EXACT), { ...inputsOf(planted), rate: Number.NaN });
      expect(found.source).toBe('parity');
      expect(found.pairs).toBe(9);
      expect(found.forward / forwardPlanted(planted)).toBeCloseTo(1, 9);
      expect(-Math.log(found.discount) / planted.years).toBeCloseTo(planted.rate, 6);
    });
  });

  it('is the planted one to three tenths of a percent under American exercise', () => {
    forAll([anyMarket], (market) => {
      const planted: Planted = { ...market, style: 'american' };
      const found = whole(chainOf(planted, EXACT), inputsOf(planted));
      expect(found.source).toBe('parity_at_rate');
      expect(found.discount).toBe(Math.exp(-planted.rate * planted.years));
      expect(Math.abs(found.forward / forwardPlanted(planted) - 1)).toBeLessThan(3e-3);
    });
  });

  it('is mostly the planted one to a basis point under American exercise', () => {
    const draw = mulberry32(11);
    const errors = Array.from({ length: 200 }, () => {
      const planted: Planted = {
        spot: 100,
        years: 0.01 + 1.5 * draw(),
        rate: 0.08 * draw(),
        dividendYield: -0.02 + 0.08 * draw(),
        style: 'american',
      };
      const { forward } = whole(chainOf(planted, EXACT), inputsOf(planted));
      return Math.abs(forward / forwardPlanted(planted) - 1);
    }).sort((a, b) => a - b);
    expect(errors[100]).toBeLessThan(1e-4);
    expect(errors[180]).toBeLessThan(2e-4);
  });

  it('would be off by half a percent without the premium of early exercise', () => {
    const planted: Planted = { spot: 100, years: 1, rate: 0.06, dividendYield: 0, style: 'american' };
    const quotes = chainOf(planted, EXACT);
    const corrected = whole(quotes, inputsOf(planted)).forward;
    const plain = whole(quotes, { ...inputsOf(planted), spot: Number.NaN }).forward;
    expect(Math.abs(corrected - forwardPlanted(planted))).toBeLessThan(0.02);
    expect(forwardPlanted(planted) - plain).toBeGreaterThan(0.5);
  });

  it.each([european, american])('stays within the spread under noise and bad quotes: $style', (planted) => {
    for (let seed = 1; seed <= 50; seed++) {
      const quotes = chainOf(planted, { seed, spread: 0.01, leastSpread: 0.05, bad: 0.1 });
      const found = whole(quotes, inputsOf(planted));
      // At the money a right costs about 11 dollars: the spread of a pair is 23 cents.
      expect(Math.abs(found.forward - forwardPlanted(planted)), `seed ${seed}`).toBeLessThan(0.23);
    }
  });

  it('takes the rate of narrow quotes, and the given one where they are wide', () => {
    const year = { ...european, years: 1 };
    const narrow = chainOf(year, { seed: 3, spread: 0, leastSpread: 0.02, bad: 0.05 });
    const found = whole(narrow, { ...inputsOf(year), rate: 0.02 });
    expect(found.source).toBe('parity');
    expect(Math.abs(-Math.log(found.discount) - 0.045)).toBeLessThan(0.001);
    const wide = chainOf(year, { seed: 3, spread: 0.1, leastSpread: 0.5, bad: 0 });
    expect(whole(wide, { ...inputsOf(year), rate: 0.02 })).toMatchObject({
      source: 'parity_at_rate',
      discount: Math.exp(-0.02),
    });
  });

  it('requires eight pairs for the rate and three for the forward', () => {
    const quotes = chainOf(european, EXACT);
    const of = (pairs: number) => impliedForward(quotes, 40, 40 + 2 * pairs, inputsOf(european));
    expect(of(8)).toMatchObject({ source: 'parity', pairs: 8 });
    expect(of(7)).toMatchObject({ source: 'parity_at_rate', pairs: 7 });
    expect(of(3)).toMatchObject({ source: 'parity_at_rate', pairs: 3 });
    expect(of(3).forward).toBeCloseTo(forwardPlanted(european), 8);
    expect(of(2)).toMatchObject({ source: 'spot', pairs: 0 });
    expect(of(0)).toMatchObject({ source: 'spot', pairs: 0 });
  });

  it('passes over what is not quoted on both sides, or crossed', () => {
    const quotes = chainOf(european, EXACT);
    const spoilt = { ...quotes, bid: quotes.bid.slice(), ask: quotes.ask.slice() };
    for (let row = 0; row < quotes.strike.length; row += 4) {
      if (row % 12 === 0) spoilt.bid[row] = 0;
      else if (row % 12 === 4) spoilt.ask[row] = Number.NaN;
      else spoilt.bid[row] = spoilt.ask[row]! + 50;
    }
    expect(whole(spoilt, inputsOf(european)).forward).toBeCloseTo(forwardPlanted(european), 8);
    spoilt.bid.fill(0);
    expect(whole(spoilt, inputsOf(european))).toMatchObject({ source: 'spot', pairs: 0 });
    const crossed = { ...quotes, bid: quotes.ask.map((ask) => ask + 0.01) };
    expect(whole(crossed, inputsOf(european))).toMatchObject({ source: 'spot', pairs: 0 });
  });

  it('passes over strikes from before a split, even where they are the most', () => {
    const quotes = chainOf(american, EXACT);
    const before = chainOf({ ...american, spot: 10 * american.spot }, EXACT);
    const join = (key: keyof QuoteColumns) => Float64Array.of(...quotes[key].subarray(24), ...before[key]);
    const both = { strike: join('strike'), right: join('right'), bid: join('bid'), ask: join('ask') };
    expect(whole(both, inputsOf(american)).forward).toBe(
      impliedForward(quotes, 24, quotes.strike.length, inputsOf(american)).forward,
    );
  });

  it('takes a pair that is worth the spot to 10 % and a yield of 25 %, and none beyond', () => {
    const planted: Planted = { ...european, years: 0.5, rate: 0 };
    const quotes = chainOf({ ...planted, dividendYield: 0 }, EXACT);
    const farthest = Math.exp(0.1 + 0.25 * 0.5);
    const sourceAt = (spot: number) => whole(quotes, { ...inputsOf(planted), spot }).source;
    expect(sourceAt(planted.spot * farthest * 0.999)).toBe('parity');
    expect(sourceAt(planted.spot * farthest * 1.001)).toBe('spot');
    expect(sourceAt((planted.spot / farthest) * 1.001)).toBe('parity');
    expect(sourceAt((planted.spot / farthest) * 0.999)).toBe('spot');
  });

  it('pairs the rights of a strike in either order, and no strike with only one', () => {
    const quotes = chainOf(european, EXACT);
    const order = Array.from(quotes.strike, (_, row) => row ^ 1).filter((row) => row % 10 !== 0);
    const pick = (column: Float64Array) => Float64Array.from(order, (row) => column[row]!);
    const picked = {
      strike: pick(quotes.strike),
      right: pick(quotes.right),
      bid: pick(quotes.bid),
      ask: pick(quotes.ask),
    };
    expect(whole(picked, inputsOf(european)).forward).toBeCloseTo(forwardPlanted(european), 8);
  });

  it('reads only the rows it is given', () => {
    const quotes = chainOf(european, EXACT);
    const apart = (column: Float64Array, value: number): Float64Array =>
      Float64Array.of(value, value, ...column, value, value);
    const among = {
      strike: apart(quotes.strike, 1),
      right: Float64Array.of(1, -1, ...quotes.right, 1, -1),
      bid: apart(quotes.bid, 500),
      ask: apart(quotes.ask, 501),
    };
    expect(impliedForward(among, 2, 2 + quotes.strike.length, inputsOf(european))).toEqual(
      whole(quotes, inputsOf(european)),
    );
  });

  it('holds a chain of any length', () => {
    const rows = 4000;
    const strike = Float64Array.from({ length: rows }, (_, row) => 1000 + (row >> 1));
    const right = Float64Array.from({ length: rows }, (_, row) => (row % 2 === 0 ? CALL : PUT));
    const bid = Float64Array.from({ length: rows }, (_, row) =>
      price(right[row]!, 2000, strike[row]!, 0.5, 0.5, 0.98),
    );
    const found = impliedForward({ strike, right, bid, ask: bid }, 0, rows, {
      ...inputsOf(european),
      spot: 1960,
      years: 0.5,
    });
    expect(found.forward).toBeCloseTo(2000, 6);
  });

  it('leaves parity alone where spot and quotes cannot be of one instant', () => {
    const planted: Planted = { ...american, years: 7 / 365 };
    const quotes = chainOf(planted, EXACT);
    const found = whole(quotes, { ...inputsOf(planted), spot: 1.05 * planted.spot });
    expect(Math.abs(found.forward / forwardPlanted(planted) - 1)).toBeLessThan(2e-4);
  });
});

describe('the forward without parity', () => {
  const none: QuoteColumns = {
    strike: new Float64Array(),
    right: new Float64Array(),
    bid: new Float64Array(),
    ask: new Float64Array(),
  };
  it('is the spot at the rate', () => {
    const found = whole(none, { spot: 100, years: 0.5, rate: 0.05, style: 'american' });
    expect(found).toMatchObject({ forward: 100 * Math.exp(0.025), source: 'spot' });
  });

  it('is not known without a spot, a rate or time', () => {
    const known = { spot: 100, years: 0.5, rate: 0.05, style: 'european' } as const;
    for (const change of [{ spot: Number.NaN }, { rate: Number.NaN }, { years: 0 }, { years: Number.NaN }]) {
      const found = whole(none, { ...known, ...change });
      expect(found).toEqual({ forward: Number.NaN, discount: Number.NaN, pairs: 0, source: 'none' });
    }
  });
});
