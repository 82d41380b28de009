import type { MarketContext, Stock } from '../shared/api/queries.ts';
import { chainAge } from '../shared/chain-age.ts';
import { clockOf, dateOf, dayOf, MINUTE_MS, noonOf } from '../shared/instant.ts';
import { formatPrice } from '../shared/ui/number.tsx';

/** What the head of a stock says beside its price, as far as its answer knows it. */

const SIDES: Readonly<Record<string, string>> = { bull: 'bullish', bear: 'bearish', mixed: 'neutral' };
const DAY_MS = 86_400_000;

type Clocked = Pick<MarketContext, 'clock'>;

/** The instant at which the scores last came to the side of the stock; null where they are of no running or ended session. */
export function sideSince(
  stock: Pick<
    Stock,
    'price' | 'directional_bias' | 'conviction_v5' | 'conviction_v5_direction_minutes' | 'updated_at'
  >,
  market: Clocked | undefined,
): number | null {
  const { conviction_v5: path, conviction_v5_direction_minutes: minutes, price } = stock;
  if (path == null || minutes == null || market === undefined) return null;
  const { trade_date: date, phases } = market.clock;
  const close = phases.find(({ phase }) => phase === 'regular')?.closes_at;
  if (price?.trade_date !== date || close === undefined) return null;
  if (SIDES[path.direction ?? ''] !== stock.directional_bias) return null;
  return Math.min(Date.parse(path.computed_at), Date.parse(close)) - minutes * MINUTE_MS;
}

/** `since 9:35`; null where that is not known. */
export function sinceWords(...of: Parameters<typeof sideSince>): string | null {
  const since = sideSince(...of);
  return since === null ? null : `since ${clockOf(since)}`;
}

/** Whether dealers damp or drive the price: `short gamma below 76.00`; null without a chain that says it. */
export function gammaWords({
  gex_regime: regime,
  gex_gamma_flip: flip,
  last_price: price,
}: Pick<Stock, 'gex_regime' | 'gex_gamma_flip' | 'last_price'>): string | null {
  if (regime == null) return null;
  const words = `${regime === 'neutral' ? 'neutral' : regime.replace('_gamma', '')} gamma`;
  if (flip == null || price == null) return words;
  if (regime === 'long_gamma' && price > flip) return `${words} above ${formatPrice(flip)}`;
  if (regime === 'short_gamma' && price < flip) return `${words} below ${formatPrice(flip)}`;
  return `${words}, flip ${formatPrice(flip)}`;
}

/** What a regime of dealers means, and of which chain it is. */
export const gammaTip = ({ gex_source_time, gex_sessions_old }: Stock): string =>
  [
    'Long gamma: dealers sell strength and buy weakness, moves are damped. Short gamma: they go with the move.',
    chainAge({ source_time: gex_source_time, sessions_old: gex_sessions_old }),
  ].join('\n');

interface Due {
  readonly date: string;
  readonly words: string;
}

const TIMES: Readonly<Record<string, string>> = {
  pre_market: ' before the open',
  post_market: ' after the close',
  during_market: ' during the session',
};

const KINDS: Readonly<Record<string, string>> = {
  holiday: 'holiday',
  early_close: 'early close',
  late_open: 'late open',
};

/** `today`, `Thu, Dec 3`. */
const onDay = (date: string, today: string): string => (date === today ? 'today' : dayOf(noonOf(date)));

/** What is due from a trade date on, the nearest first: results, an early close or a holiday, the expiration of the month. */
export function dueOf(
  { symbol, earnings, price, updated_at }: Pick<Stock, 'symbol' | 'earnings' | 'price' | 'updated_at'>,
  market: Pick<MarketContext, 'clock' | 'events'> | undefined,
): readonly string[] {
  const today = price?.trade_date ?? dateOf(Date.parse(updated_at));
  const due: Due[] = [];
  const days = earnings?.days_until ?? null;
  if (days !== null && days >= 0) {
    const date = dateOf(noonOf(today) + days * DAY_MS);
    const { results_today: now, results_next_5_sessions: next } = market?.events ?? {};
    const own = [...(now?.largest ?? []), ...(next?.largest ?? [])].find(
      (one) => one.symbol === symbol && one.date === date,
    );
    due.push({ date, words: `results ${onDay(date, today)}${TIMES[own?.time ?? ''] ?? ''}` });
  }
  if (market !== undefined && market.clock.trade_date === today) {
    const { early_close, phases, next_departure: other, at } = market.clock;
    const close = phases.find(({ phase }) => phase === 'regular')?.closes_at;
    if (early_close && close !== undefined && Date.parse(at) < Date.parse(close))
      due.push({ date: today, words: `early close today, ${clockOf(Date.parse(close))}` });
    if (other !== null)
      due.push({ date: other.date, words: `${KINDS[other.kind]} ${onDay(other.date, today)}` });
    const monthly = market.events.monthly_expiration;
    if (monthly !== null)
      due.push({ date: monthly.date, words: `monthly OPEX ${onDay(monthly.date, today)}` });
  }
  return due.toSorted((one, other) => (one.date < other.date ? -1 : 1)).map(({ words }) => words);
}

/** The day's range, expected move and price, with their places from 0 to 1 on one strip. */
export interface Strip {
  readonly low: number;
  readonly high: number;
  readonly range: readonly [from: number, to: number];
  /** Null without an expected move. */
  readonly band: readonly [from: number, to: number] | null;
  readonly at: number;
}

/** Where the price of the day is in its range and in the expected move; null before the first print of the session. */
export function stripOf({ price, expected_move }: Pick<Stock, 'price' | 'expected_move'>): Strip | null {
  const part = price?.regular ?? price?.pre_market ?? null;
  const now = price?.day_price ?? null;
  if (part === null || now === null) return null;
  const low = Math.min(part.low, now);
  const high = Math.max(part.high, now);
  const day = expected_move?.day ?? null;
  const from = Math.min(low, day?.low ?? low);
  const to = Math.max(high, day?.high ?? high);
  if (!(to > from)) return null;
  const place = (at: number): number => (at - from) / (to - from);
  return {
    low,
    high,
    range: [place(low), place(high)],
    band: day === null ? null : [place(day.low), place(day.high)],
    at: place(now),
  };
}
