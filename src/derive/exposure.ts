import type { Static } from 'typebox';
import {
  type ExposureSums,
  type GammaExposure,
  DEALER_ASSUMPTION,
} from '../analysis/options/gamma-exposure.ts';
import { dateOf } from '../base/dates.ts';
import {
  date,
  flag,
  integer,
  listOf,
  nullable,
  nullableDateTime,
  nullableNumber,
  nullableOneOf,
  number,
  oneOf,
  record,
  string,
  withDefault,
} from '../base/schema.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { AVAILABILITIES, loadChain } from './chain-snapshot.ts';
import { finiteOrNull } from '../base/wire.ts';

const SUMS = {
  call_gamma: number('Dollars of delta that a move of 1 % adds to the open calls.', { minimum: 0 }),
  put_gamma: number('The same of the open puts.', { minimum: 0 }),
  net_gamma: number('GEX: call_gamma less put_gamma, dollars per 1 %.'),
  delta: number('DEX: dollars of delta that dealers hold.'),
  vanna: number('Dollars of delta that a volatility point adds for dealers.'),
  charm: number('Dollars of delta that a calendar day adds for dealers.'),
  call_open_interest: integer('Open calls with usable greeks, contracts.', { minimum: 0 }),
  put_open_interest: integer('Open puts with usable greeks, contracts.', { minimum: 0 }),
};

const StrikeExposure = record('StrikeExposure', 'Dealer exposure at one strike over all expirations.', {
  strike: number('Strike, USD.', { minimum: 0 }),
  ...SUMS,
});

const wall = (of: string) => nullableNumber(`Strike with the most ${of} gamma, USD; null without any.`);

const ExpirationExposure = record('ExpirationExposure', 'Dealer exposure of one expiration.', {
  expiration: date('Date of the expiration.'),
  dte: integer('Calendar days to it.', { minimum: 0 }),
  ...SUMS,
  call_wall: wall('call'),
  put_wall: wall('put'),
  coverage: nullableNumber('Share of its open interest with usable greeks.', { minimum: 0, maximum: 1 }),
});

const TotalExposure = record('TotalExposure', 'Dealer exposure of the whole chain.', SUMS);

const FlipZone = record('FlipZone', 'The two ways to find the flip, where they differ.', {
  low: number('The lower of gamma_flip and cumulative_flip, USD.'),
  high: number('The higher of them, USD.'),
});

/** Response of the exposure endpoint. */
export const Exposure = record('Exposure', 'Dealer gamma, delta, vanna and charm by strike and expiration.', {
  symbol: string('Ticker symbol.'),
  spot_price: nullableNumber('Price of the underlying with the chain, USD.', { minimum: 0 }),
  source_time: nullableDateTime('When the chain was taken.'),
  assumption: string('What is assumed of the books of dealers.'),
  regime: nullableOneOf(
    ['long_gamma', 'short_gamma', 'neutral'],
    'Sign of net gamma; neutral below a tenth of the gross, null below half of the open interest.',
  ),
  gamma_flip: nullableNumber(
    'Price nearest to spot at which the repriced net gamma changes sign, USD; null when there is none within 35 %.',
  ),
  cumulative_flip: nullableNumber(
    'Strike nearest to spot at which net gamma summed from the lowest strike changes sign, USD.',
  ),
  flip_zone: nullable(FlipZone),
  call_wall: wall('call'),
  put_wall: wall('put'),
  coverage: nullableNumber('Share of the open interest with usable greeks.', { minimum: 0, maximum: 1 }),
  total: nullable(TotalExposure),
  by_strike: listOf(StrikeExposure, 'Strikes with usable greeks, ascending.'),
  by_expiration: listOf(ExpirationExposure, 'Expirations that still live, ascending.'),
  availability: oneOf(AVAILABILITIES, 'How much of the answer there is.'),
  formula_version: string('Version of the formulas.'),
  dependencies: listOf(string('Input and instant.'), 'The inputs that were used, each with its instant.'),
  availability_qualifier: string('Why the answer is not whole, and what was left out.'),
  cached: flag('True when nothing was computed for this call.'),
  computation_ms: withDefault(
    number('Time that computing took for this call, milliseconds.', { minimum: 0 }),
    0,
  ),
});

const EXPOSURE_FORMULA_VERSION = 'gamma-exposure-v1';

export type ExposureAnswer = Omit<Static<typeof Exposure>, 'cached' | 'computation_ms'>;

/** The exposure of the view's chain. */
export function exposure(view: StockView, market: MarketView): ExposureAnswer {
  const look = loadChain(view, market);
  if (look.priced === null) return exposureUnavailable(view.symbol, look.reason);
  const { chain, exposure: found } = look.priced;
  return {
    ...exposureUnavailable(view.symbol, look.remarks.join(' ')),
    spot_price: chain.spot,
    source_time: new Date(look.takenAt).toISOString(),
    regime: found.regime,
    gamma_flip: finiteOrNull(found.flip),
    cumulative_flip: finiteOrNull(found.cumulativeFlip),
    flip_zone: flipZone(found),
    call_wall: finiteOrNull(found.callWall),
    put_wall: finiteOrNull(found.putWall),
    coverage: finiteOrNull(found.coverage),
    total: wireSums(found.total),
    by_strike: found.byStrike.map((line) => ({ strike: line.strike, ...wireSums(line) })),
    by_expiration: found.byExpiration.map((line) => ({
      expiration: dateOf(line.date),
      dte: line.days,
      ...wireSums(line),
      call_wall: finiteOrNull(line.callWall),
      put_wall: finiteOrNull(line.putWall),
      coverage: finiteOrNull(line.coverage),
    })),
    availability: found.regime === null ? 'partial' : 'available',
    dependencies: look.dependencies,
  };
}

/** The answer for a symbol of which no chain can be priced. */
export function exposureUnavailable(symbol: string, reason: string): ExposureAnswer {
  return {
    symbol,
    spot_price: null,
    source_time: null,
    assumption: DEALER_ASSUMPTION,
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

/** Null where either is missing: one way alone is no zone. */
function flipZone({ flip, cumulativeFlip }: GammaExposure): Static<typeof FlipZone> | null {
  const [low, high] = [Math.min(flip, cumulativeFlip), Math.max(flip, cumulativeFlip)];
  return low < high ? { low, high } : null;
}

function wireSums(sums: ExposureSums): Static<typeof TotalExposure> {
  return {
    call_gamma: sums.callGamma,
    put_gamma: sums.putGamma,
    net_gamma: sums.netGamma,
    delta: sums.delta,
    vanna: sums.vanna,
    charm: sums.charm,
    call_open_interest: sums.callOpenInterest,
    put_open_interest: sums.putOpenInterest,
  };
}
