import type { Static } from 'typebox';
import type { ExpirationQuotes, PricedChain } from '../analysis/options/quotes.ts';
import type { SmilePoint } from '../analysis/options/surface.ts';
import { dateOf } from '../base/dates.ts';
import { SETTLEMENTS } from '../base/option-roots.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import type { Kept } from '../blocks/kept.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { AVAILABILITIES, answerTail, type CallFields, loadChain, SETTLES } from './chain-snapshot.ts';

const volatility = (description: string) =>
  wire.nullableNumber(`${description} Decimal a year; null when it is not quoted.`, wire.NOT_NEGATIVE);

const Smile = wire.record('VolatilitySmile', 'Implied volatility of one expiration by strike.', {
  expiration: wire.date('Date of the expiration.'),
  dte: wire.integer('Calendar days to it.', wire.NOT_NEGATIVE),
  settlement: SETTLES,
  forward: wire.nullableNumber(
    'Forward price that the quotes imply, USD; null where they imply none.',
    wire.NOT_NEGATIVE,
  ),
  at_the_money: volatility('Volatility at the forward.'),
  call_25_delta: volatility('Volatility of the out-of-the-money call of 25 % forward delta.'),
  put_25_delta: volatility('The same of the put.'),
  strike: wire.listOf(wire.number('Strike, USD.'), 'Strikes with a volatility, ascending, USD.'),
  volatility: wire.listOf(
    wire.number('Decimal a year.'),
    'Volatility of each strike, decimal a year, of the right that is out of the money; a strike where that is not quoted has none.',
  ),
});

/** Response of the surface endpoint. */
export const VolatilitySurface = wire.record(
  'VolatilitySurface',
  'Implied volatility of a chain: a smile for each expiration, and their term structure.',
  {
    symbol: wire.string('Ticker symbol.'),
    spot_price: wire.nullableNumber('Price of the underlying with the chain, USD.', wire.NOT_NEGATIVE),
    source_time: wire.nullableDateTime('When the chain was taken.'),
    at_the_money_30: volatility('Volatility at the money at a constant maturity of 30 days.'),
    skew_30: wire.nullableNumber(
      'Volatility of the 25-delta put less that of the call at 30 days, decimal; null when it is not quoted.',
    ),
    term_slope: wire.nullableNumber(
      '90-day less 30-day volatility at the money, decimal: positive is the usual upward slope; null when it is not quoted.',
    ),
    expirations: wire.listOf(Smile, 'Expirations that still live, ascending.'),
    availability: wire.oneOf(AVAILABILITIES, 'How much of the answer there is.'),
    ...answerTail(),
  },
);

export type SurfaceAnswer = Omit<Static<typeof VolatilitySurface>, CallFields>;

/** Implied volatility of the view's chain. */
export function volatilitySurface(
  view: StockView,
  market: MarketView,
  kept: Kept | null = null,
): SurfaceAnswer {
  const snapshot = loadChain(view, market, kept);
  if (snapshot.priced === null) return surfaceUnavailable(view.symbol, snapshot.reason);
  const { chain, smiles, surface } = snapshot.priced;
  const expirations = chain.expirations.map((expiration, at) => wireSmile(chain, expiration, smiles[at]!));
  return {
    ...surfaceUnavailable(view.symbol, snapshot.remarks.join(' ')),
    spot_price: chain.spot,
    source_time: new Date(snapshot.takenAt).toISOString(),
    at_the_money_30: finiteOrNull(surface.atTheMoney30),
    skew_30: finiteOrNull(surface.skew30),
    term_slope: finiteOrNull(surface.termSlope),
    expirations,
    availability: Number.isNaN(surface.atTheMoney30) ? 'partial' : 'available',
    dependencies: snapshot.dependencies,
  };
}

/** The answer for a symbol whose chain cannot be priced. */
export function surfaceUnavailable(symbol: string, reason: string): SurfaceAnswer {
  return {
    symbol,
    spot_price: null,
    source_time: null,
    at_the_money_30: null,
    skew_30: null,
    term_slope: null,
    expirations: [],
    availability: 'unavailable',
    dependencies: [],
    availability_qualifier: reason,
  };
}

function wireSmile(
  { strikes }: PricedChain,
  { date, settlement, days, forward, from, to }: ExpirationQuotes,
  point: SmilePoint,
): Static<typeof Smile> {
  const strike: number[] = [];
  const volatility: number[] = [];
  for (let row = from; row < to; row++) {
    if (Number.isNaN(strikes.volatility[row]!)) continue;
    strike.push(strikes.strike[row]!);
    volatility.push(strikes.volatility[row]!);
  }
  return {
    expiration: dateOf(date),
    dte: days,
    settlement: SETTLEMENTS[settlement]!,
    forward: finiteOrNull(forward),
    at_the_money: finiteOrNull(point.atTheMoney),
    call_25_delta: finiteOrNull(point.call25),
    put_25_delta: finiteOrNull(point.put25),
    strike,
    volatility,
  };
}
