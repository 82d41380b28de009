import type { Task } from '../base/scope.ts';
import type { OptionChain, VolatilityColumns } from './chains.ts';
import type { AnyFact } from './facts.ts';
import type {
  BarColumns,
  CorporateAction,
  FlowMinuteColumns,
  Interval,
  QuoteBarColumns,
} from './observations.ts';
import type { RefusalReason, Refused } from './refusals.ts';

/**
 * A vendor's data. A feed names its source units; each unit is a stream of deliveries, so memory does not grow with
 * the file. Key and fingerprint let an interrupted or repeated import skip finished units.
 */
export interface Feed {
  /** Provenance label of every row, e.g. `lean` or `csv`. */
  readonly name: string;
  /** True when the rows are made by a model; the label follows them to every page that shows them. */
  readonly simulated: boolean;
  /** Every unit of the source in a stable order. Files that no reader claims come as units that refuse themselves. */
  units(): Promise<readonly SourceUnit[]>;
  /** What named the symbols of the units that were read; absent where the format leaves no choice. */
  readonly namedBy?: ReadonlySet<string>;
}

/** A piece of the source that is acknowledged as a whole: a file, an archive, or one symbol of a model. */
export interface SourceUnit {
  /** Stable name within the feed, e.g. `equity/usa/daily/spy.zip`. Never an absolute path. */
  readonly key: string;
  /** Size for progress bars, in bytes or in rows; only the ratio to the sum of all units matters. */
  readonly weight: number;
  /** How much of it has been read so far; a reader that goes over it twice says more. */
  weightRead?(): number;
  /** Changes whenever the content or the way it is read changes: a unit whose fingerprint is on the tape is skipped. */
  fingerprint(): Promise<string>;
  /** Rows in chunks of at most about 50,000, per symbol and interval in ascending time. Never throws for bad data. */
  read(): AsyncIterable<Delivery>;
}

/** One chunk of neutral data, or a refusal. */
export type Delivery =
  | {
      readonly kind: 'bars';
      readonly symbol: string;
      readonly interval: Interval;
      readonly columns: BarColumns;
    }
  | {
      readonly kind: 'quotes';
      readonly symbol: string;
      readonly interval: Interval;
      readonly columns: QuoteBarColumns;
    }
  | { readonly kind: 'flow-minutes'; readonly symbol: string; readonly columns: FlowMinuteColumns }
  | { readonly kind: 'actions'; readonly symbol: string; readonly actions: readonly CorporateAction[] }
  | { readonly kind: 'facts'; readonly symbol: string; readonly facts: readonly AnyFact[] }
  /** Contracts in any order; the tape's writer validates (`validate-chain.ts`) and sorts them. */
  | { readonly kind: 'chain'; readonly chain: OptionChain }
  | { readonly kind: 'volatility'; readonly symbol: string; readonly columns: VolatilityColumns }
  | Refused;

/** A feed of the running session: minute by minute, what has become final (`pipeline/live-session.ts`). */
export interface LiveFeed extends Pick<Feed, 'name' | 'simulated'> {
  /** Trade date of the session, YYYY-MM-DD. */
  readonly tradeDate: string;
  /**
   * Minutes in the order of time, also those without a delivery; an absent minute is unknown. A recorded source
   * yields them as fast as they are consumed, a vendor after they end; the iteration ends with the session.
   *
   * @param after minutes up to this instant (epoch milliseconds) are on the tape already; null for all
   * @param signal ends the iteration
   * @param waits awaits what only time can bring
   */
  minutes(after: number | null, signal: AbortSignal, waits?: Task['waits']): AsyncIterable<LiveMinute>;
}

/** What became final in the minute that ends at an instant. */
export interface LiveMinute {
  /** Epoch milliseconds, a whole minute. */
  readonly at: number;
  /** Start of what it covers, when a late start covers several minutes at once; else a minute before. */
  readonly since?: number;
  /** Bars, flow minutes and quotes that ended by `at`, facts known by it, and corrections of earlier rows. */
  readonly deliveries: readonly Delivery[];
}

/** A stretch of a running session that the stream has missed. Instants are epoch milliseconds. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  /** Whether calls have brought what the stream has not. */
  readonly isFilled: boolean;
}

/** What a source of running sessions says of itself. */
export interface SourceStanding {
  /** Name of what it streams, e.g. `alpaca-iex`. */
  readonly feed: string;
  /** Whether it streams one exchange alone. */
  readonly isPart: boolean;
  /** How far its stream runs behind the market; null where the plan has none. */
  readonly lagMs: number | null;
  readonly callsPerMinute: number;
  /** Of this minute. */
  readonly callsLeft: number;
  /** How far the market's clock here is ahead of the source's; null before its first answer. */
  readonly clockAheadMs: number | null;
}

/** Status of the live feed: the loop that runs it writes it, the metrics read it. Instants are epoch milliseconds. */
export type LiveStatus = ReturnType<typeof idleLiveStatus>;

export const idleLiveStatus = () => ({
  /** The feed and its session; null while none runs. */
  running: null as { readonly feed: string; readonly tradeDate: string } | null,
  /** End of the newest minute that is derived; null before the first. */
  at: null as number | null,
  /** How far the machine's time had gone on when that minute was derived, from the moment it was taken up. */
  tookMs: null as number | null,
  /** Minutes processed, those merged into a later one, and those that the feed never reported. */
  minutes: 0,
  merged: 0,
  skipped: 0,
  /** Rows that came after their minute had been processed. */
  lateRows: 0,
  /** What was refused of the source since the start, and when first, by reason. */
  refused: new Map<RefusalReason, Refused & { readonly at: number }>(),
  /** Stock-days that could not be derived. */
  failed: 0,
  /** The source that is followed; null while another process follows it. */
  source: null as { readonly title: string; standing?(): SourceStanding } | null,
  /** What is brought before a session streams, and how far that is; null while nothing is. */
  filling: null as { readonly says: string; readonly percent: number } | null,
  /** The session that `lastRowAt` and `holes` are of. */
  tradeDate: null as string | null,
  /** End of the newest bar that is derived. */
  lastRowAt: null as number | null,
  holes: [] as Hole[],
  /** Whether the vendor's stream is connected; null for a feed without a connection. */
  isConnected: null as boolean | null,
  /** Why it is not. */
  says: null as string | null,
  /** Stretches that the stream has missed and that were asked for afterwards, and those that stay unknown. */
  holesFilled: 0,
  gaps: 0,
});

/** Counts what is refused of the live source; the first of a reason is its example. */
export function noteRefused({ refused }: LiveStatus, rows: readonly Refused[], at: number): void {
  for (const row of rows) {
    const known = refused.get(row.reason);
    refused.set(
      row.reason,
      known === undefined ? { ...row, at } : { ...known, count: known.count + row.count },
    );
  }
}

/** Notes a hole, as one with that before it where both touch. */
export function noteHole({ holes }: LiveStatus, hole: Hole): void {
  const last = holes.at(-1);
  const isOne = last !== undefined && last.isFilled === hole.isFilled && last.to >= hole.from;
  if (isOne) holes[holes.length - 1] = { ...hole, from: last.from };
  else holes.push(hole);
}

/** A clock further off than this puts rows into wrong minutes. */
export const SKEW_MAX_MS = 30_000;

/**
 * How far the newest bar of the running session is behind the market. A clock here that is off is corrected by the
 * source's. Null without a session, and before its first bar.
 *
 * @param aheadMs how far that clock is ahead of the source's
 * @param now of the market's clock here
 */
export function behindMs(
  { running, lastRowAt }: Pick<LiveStatus, 'running' | 'lastRowAt'>,
  aheadMs: number,
  now: number,
): number | null {
  if (running === null || lastRowAt === null) return null;
  return Math.max(0, now - (Math.abs(aheadMs) > SKEW_MAX_MS ? aheadMs : 0) - lastRowAt);
}

/** What a trader is told of a clock that is off; null of one that is not. */
export function skewSentence(title: string, aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= SKEW_MAX_MS) return null;
  const off = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return `The clock of this machine is ${off} that of ${title}: set it.`;
}
