import type { Static } from 'typebox';
import type { ExposureSums, GammaExposure } from '../analysis/options/gamma-exposure.ts';
import { say } from '../analysis/sentences.ts';
import { dateOf } from '../base/dates.ts';
import { SETTLEMENTS } from '../base/option-roots.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import type { Kept } from '../blocks/kept.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { AVAILABILITIES, answerTail, type CallFields, loadChain, SETTLES } from './chain-snapshot.ts';
import { openInterestRemarks } from './open-interest.ts';

const sum = (description: string, bounds = {}) =>
  wire.nullableNumber(`${description}; null when open interest that it needs is not known.`, bounds);

const SUMS = {
  call_gamma: sum('Dollars of delta that a move of 1 % adds to the open calls', wire.NOT_NEGATIVE),
  put_gamma: sum('The same of the open puts', wire.NOT_NEGATIVE),
  net_gamma: sum('GEX: call_gamma less put_gamma, dollars per 1 %'),
  delta: sum('DEX: dollars of delta that dealers hold'),
  vanna: sum('Dollars of delta that a volatility point adds for dealers'),
  charm: sum('Dollars of delta that a calendar day adds for dealers'),
  call_open_interest: wire.nullableInteger(
    'Open calls with usable greeks, contracts; null when not known.',
    wire.NOT_NEGATIVE,
  ),
  put_open_interest: wire.nullableInteger(
    'Open puts with usable greeks, contracts; null when not known.',
    wire.NOT_NEGATIVE,
  ),
};

const StrikeExposure = wire.record('StrikeExposure', 'Dealer exposure at one strike over all expirations.', {
  strike: wire.number('Strike, USD.', wire.NOT_NEGATIVE),
  ...SUMS,
});

const wall = (of: string) =>
  wire.nullableNumber(`Strike with the most ${of} gamma, USD; null without any, or where it is not known.`);

const ExpirationExposure = wire.record('ExpirationExposure', 'Dealer exposure of one expiration.', {
  expiration: wire.date('Date of the expiration.'),
  dte: wire.integer('Calendar days to it.', wire.NOT_NEGATIVE),
  settlement: SETTLES,
  ...SUMS,
  call_wall: wall('call'),
  put_wall: wall('put'),
  coverage: wire.nullableNumber(
    'Share of its known open interest with usable greeks, times the share of its contracts whose open interest is known.',
    wire.FRACTION,
  ),
});

const TotalExposure = wire.record('TotalExposure', 'Dealer exposure of the whole chain.', SUMS);

const FlipZone = wire.record('FlipZone', 'The two ways to find the flip, where they differ.', {
  low: wire.number('The lower of gamma_flip and cumulative_flip, USD.'),
  high: wire.number('The higher of them, USD.'),
});

/** Response of the exposure endpoint. */
export const Exposure = wire.record(
  'Exposure',
  'Dealer gamma, delta, vanna and charm by strike and expiration.',
  {
    symbol: wire.string('Ticker symbol.'),
    spot_price: wire.nullableNumber('Price of the underlying with the chain, USD.', wire.NOT_NEGATIVE),
    source_time: wire.nullableDateTime('When the chain was taken.'),
    assumption: wire.string('What is assumed of the books of dealers.'),
    regime: wire.nullableOneOf(
      ['long_gamma', 'short_gamma', 'neutral'],
      'Sign of net gamma; neutral below a tenth of the gross, null below half of the open interest, and where that of calls or puts is not known.',
    ),
    gamma_flip: wire.nullableNumber(
      'Price nearest to spot at which the repriced net gamma changes sign, USD; null when there is none within 35 %.',
    ),
    cumulative_flip: wire.nullableNumber(
      'Strike nearest to spot at which net gamma summed from the lowest strike changes sign, USD.',
    ),
    flip_zone: wire.nullable(FlipZone),
    call_wall: wall('call'),
    put_wall: wall('put'),
    coverage: wire.nullableNumber(
      'Share of the known open interest with usable greeks, times the share of contracts whose open interest is known.',
      wire.FRACTION,
    ),
    total: wire.nullable(TotalExposure),
    by_strike: wire.listOf(StrikeExposure, 'Strikes with usable greeks, ascending.'),
    by_expiration: wire.listOf(ExpirationExposure, 'Expirations that still live, ascending.'),
    availability: wire.oneOf(AVAILABILITIES, 'How much of the answer there is.'),
    formula_version: wire.string('Version of the formulas.'),
    ...answerTail(),
  },
);

const EXPOSURE_FORMULA_VERSION = 'gamma-exposure-v1';

export type ExposureAnswer = Omit<Static<typeof Exposure>, CallFields>;

/** Dealer exposure of the view's chain. */
export function exposure(view: StockView, market: MarketView, kept: Kept | null = null): ExposureAnswer {
  const snapshot = loadChain(view, market, kept);
  if (snapshot.priced === null) return exposureUnavailable(view.symbol, snapshot.reason);
  const { chain, exposure: figures } = snapshot.priced;
  const unknown = openInterestRemarks(chain);
  return {
    ...exposureUnavailable(view.symbol, [...unknown, ...snapshot.remarks].join(' ')),
    spot_price: chain.spot,
    source_time: new Date(snapshot.takenAt).toISOString(),
    regime: figures.regime,
    gamma_flip: finiteOrNull(figures.flip),
    cumulative_flip: finiteOrNull(figures.cumulativeFlip),
    flip_zone: flipZone(figures),
    call_wall: finiteOrNull(figures.callWall),
    put_wall: finiteOrNull(figures.putWall),
    coverage: finiteOrNull(figures.coverage),
    total: wireSums(figures.total),
    by_strike: figures.byStrike.map((sums) => ({ strike: sums.strike, ...wireSums(sums) })),
    by_expiration: figures.byExpiration.map((sums) => ({
      expiration: dateOf(sums.date),
      dte: sums.days,
      settlement: SETTLEMENTS[sums.settlement]!,
      ...wireSums(sums),
      call_wall: finiteOrNull(sums.callWall),
      put_wall: finiteOrNull(sums.putWall),
      coverage: finiteOrNull(sums.coverage),
    })),
    availability: figures.regime === null || unknown.length > 0 ? 'partial' : 'available',
    dependencies: snapshot.dependencies,
  };
}

/** The answer for a symbol whose chain cannot be priced. */
export function exposureUnavailable(symbol: string, reason: string): ExposureAnswer {
  return {
    symbol,
    spot_price: null,
    source_time: null,
    assumption: say('dealers.assumption'),
    regime: null,
    gamma_flip: null,
    cumulative_flip: null,
    flip_zone: null,
    call_wall: null,
    put_wall: null,
    coverage: null,
    total: null,
    by_strike: [],
    by_expiration: [],
    availability: 'unavailable',
    formula_version: EXPOSURE_FORMULA_VERSION,
    dependencies: [],
    availability_qualifier: reason,
  };
}

/** Null without both flips. */
function flipZone({ flip, cumulativeFlip }: GammaExposure): Static<typeof FlipZone> | null {
  const [low, high] = [Math.min(flip, cumulativeFlip), Math.max(flip, cumulativeFlip)];
  return low < high ? { low, high } : null;
}

function wireSums(sums: ExposureSums): Static<typeof TotalExposure> {
  return {
    call_gamma: finiteOrNull(sums.callGamma),
    put_gamma: finiteOrNull(sums.putGamma),
    net_gamma: finiteOrNull(sums.netGamma),
    delta: finiteOrNull(sums.delta),
    vanna: finiteOrNull(sums.vanna),
    charm: finiteOrNull(sums.charm),
    call_open_interest: finiteOrNull(sums.callOpenInterest),
    put_open_interest: finiteOrNull(sums.putOpenInterest),
  };
}
