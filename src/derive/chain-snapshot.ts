import type { Static } from 'typebox';
import { EXCLUSIONS, type ExpirationQuotes, type PricedChain } from '../analysis/options/quotes.ts';
import { say } from '../analysis/sentences.ts';
import { dateOf } from '../base/dates.ts';
import { SETTLEMENTS } from '../base/option-roots.ts';
import * as wire from '../base/schema.ts';
import type { Known } from '../blocks/block.ts';
import {
  ASSUMED_RATE,
  chainOf,
  chainState,
  type PricedState,
  type VolatilityState,
  volatilityOf,
} from '../blocks/chain-state.ts';
import { earnings } from '../blocks/earnings.ts';
import type { Kept } from '../blocks/kept.ts';
import { options } from '../blocks/options.ts';
import { priceVolume } from '../blocks/price-volume.ts';
import { technical } from '../blocks/technical.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import { deriveSome, deriveWith, SIMULATED } from './compose.ts';

/** What the option endpoints share: a priced chain with the values beside it, and remarks on both. */
export const AVAILABILITIES = ['available', 'partial', 'stale', 'unavailable'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Of an expiration; classes of an index that expire on one date may settle at different times. */
export const SETTLES = wire.oneOf(
  SETTLEMENTS,
  'Whether it settles at the open of its date or at the close; unknown, it counts to the close.',
);

/** How the answers end. */
export const answerTail = (assumed = 'what was left out') => ({
  dependencies: wire.listOf(
    wire.string('Input and instant.'),
    'The inputs that were used, each with its instant.',
  ),
  availability_qualifier: wire.string(`Why the answer is not whole, and ${assumed}.`),
  sessions_old: wire.nullableInteger(
    'Age of the chain at the instant of the answer, sessions: 0 of the same, 1 of the session before; null without a chain.',
    wire.NOT_NEGATIVE,
  ),
  age_minutes: wire.nullableNumber(
    'Age of the chain at the instant of the answer, whole minutes; null without a chain.',
    wire.NOT_NEGATIVE,
  ),
  simulated: SIMULATED,
  cached: wire.flag('True when nothing was computed for this call.'),
  computation_ms: wire.withDefault(
    wire.number('Time that computing took for this call, milliseconds.', wire.NOT_NEGATIVE),
    0,
  ),
});

/** What an answer says of the call and its instant rather than of the chain. */
export type CallFields = 'simulated' | 'cached' | 'computation_ms' | 'sessions_old' | 'age_minutes';

/** A view's chain as the option endpoints read it; NaN: unknown. */
export interface ChainSnapshot {
  /** Epoch milliseconds; NaN without a chain. */
  readonly takenAt: number;
  /** Null for the reason in `reason`. */
  readonly priced: PricedState | null;
  readonly reason: string;
  readonly volatility: VolatilityState;
  /** Daily ATR(14) of the last completed session, dollars. */
  readonly atr: number;
  readonly earningsInDays: number | null;
  /** Inputs with their instants. */
  readonly dependencies: string[];
  /** Assumptions and exclusions, in sentences. */
  readonly remarks: string[];
}

const SNAPSHOT_BLOCKS = [earnings, priceVolume, technical, chainState];

export function loadChain(view: StockView, market: MarketView, kept: Kept | null = null): ChainSnapshot {
  const known = deriveSome(SNAPSHOT_BLOCKS, view, market, kept);
  const chain = chainOf(known);
  const priced = chain?.priced ?? null;
  const usable = priced !== null && hasGreeks(priced.chain) ? priced : null;
  return {
    takenAt: chain?.takenAt ?? Number.NaN,
    priced: usable,
    reason: reasonOf(chain !== null, priced),
    volatility: volatilityOf(known),
    atr: known(technical).nested?.daily_atr['14'] ?? Number.NaN,
    earningsInDays: known(earnings).nested?.days_until ?? null,
    dependencies: dependenciesOf(view, known),
    remarks: usable === null ? [] : remarksOf(usable.chain),
  };
}

const hasGreeks = ({ strikes }: PricedChain): boolean => strikes.gamma.some((gamma) => gamma > 0);

function reasonOf(hasChain: boolean, priced: PricedState | null): string {
  if (!hasChain) return say('chain.none');
  if (priced === null) return say('chain.no_price');
  return `${say('chain.unpriced')} ${exclusionsOf(priced.chain)}`;
}

function dependenciesOf({ daily, volatility, facts }: StockView, known: Known): string[] {
  const chain = chainOf(known);
  const days: [name: string, time: Float64Array][] = [
    ['daily_bars', daily.time],
    ['volatility_history', volatility.time],
  ];
  return [
    ...(chain === null ? [] : [`option_chain@${new Date(chain.takenAt).toISOString()}`]),
    ...days.flatMap(([name, time]) => (time.length === 0 ? [] : [`${name}@${dateOf(time.at(-1)!)}`])),
    ...facts.earnings_date.slice(-1).map(({ knownAt }) => `earnings_date@${new Date(knownAt).toISOString()}`),
  ];
}

function remarksOf(chain: PricedChain): string[] {
  const withOwnRate = chain.expirations.filter(({ forwardSource }) => forwardSource === 'parity').length;
  const rate =
    withOwnRate === chain.expirations.length ? [] : [say('chain.rate', { rate: `${100 * ASSUMED_RATE} %` })];
  const exclusions = exclusionsOf(chain);
  const unknown = chain.expirations.filter(({ settlement }) => SETTLEMENTS[settlement] === 'unknown');
  const classes =
    unknown.length === 0 ? [] : [say('chain.settlement', { contracts: contractsOf(chain, unknown) })];
  const strikes = strikesWithout(chain);
  const without = strikes === 0 ? [] : [say('chain.no_outside', { strikes })];
  return [
    say('dealers.assumption'),
    ...rate,
    ...classes,
    ...(exclusions === '' ? [] : [exclusions]),
    ...without,
  ];
}

/** Strikes of which only the right that is in the money is quoted. */
function strikesWithout({ strikes, mid }: PricedChain): number {
  let count = 0;
  for (const [row, volatility] of strikes.volatility.entries()) {
    const isQuoted = [strikes.call[row]!, strikes.put[row]!].some((contract) => mid[contract]! > 0);
    if (Number.isNaN(volatility) && isQuoted) count++;
  }
  return count;
}

/** E.g. `84 contracts of 2024-06-21`. */
function contractsOf({ strikes }: PricedChain, expirations: readonly ExpirationQuotes[]): string {
  return expirations
    .map(({ date, from, to }) => {
      const [calls, puts] = [strikes.call.subarray(from, to), strikes.put.subarray(from, to)];
      const count = [...calls, ...puts].filter((row) => row >= 0).length;
      return `${count} contracts of ${dateOf(date)}`;
    })
    .join(', ');
}

/** Number of excluded contracts by reason; empty when all are used. */
function exclusionsOf({ excluded, mid }: PricedChain): string {
  const counts = EXCLUSIONS.filter((reason) => excluded[reason] > 0);
  if (counts.length === 0) return '';
  const reasons = counts.map((reason) => `${excluded[reason]} ${reason.replace('_', ' ')}`).join(', ');
  const count = `${counts.reduce((sum, reason) => sum + excluded[reason], 0)} of ${mid.length}`;
  return say('chain.left_out', { count, reasons });
}

/** The block `options` of a chain that may be newer than the stock-day. */
export type OptionFigures = {
  /** Null without a chain that can be priced. */
  readonly options: Static<NonNullable<typeof options.schema>> | null;
  readonly availability: Availability;
  readonly availability_qualifier: string;
};

export function optionFigures(view: StockView, market: MarketView, kept: Kept | null = null): OptionFigures {
  const { priced, reason } = loadChain(view, market, kept);
  if (priced === null) return optionFiguresUnavailable(reason);
  const figures = deriveWith(options, view, market, kept).nested;
  return {
    options: figures as OptionFigures['options'],
    availability: 'available',
    availability_qualifier: '',
  };
}

export const optionFiguresUnavailable = (reason: string): OptionFigures => ({
  options: null,
  availability: 'unavailable',
  availability_qualifier: reason,
});
