import { wholeMinute } from '../base/as-of.ts';
import { midnightUtc, type Session } from '../base/calendar.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { finalAt } from '../market/admit.ts';
import type { Delivery, Feed, LiveFeed, LiveMinute } from '../market/feed.ts';
import {
  type Columns,
  isIntraday,
  rowAtOrAfter,
  rowsDelivery,
  rowsOf,
  type SeriesKind,
  sliceRows,
} from '../market/series.ts';

/** Rows of one symbol and series, ascending. */
interface RecordedRows {
  readonly symbol: string;
  readonly kind: SeriesKind;
  readonly columns: Columns;
}

/**
 * A completed session in memory, replayed minute by minute: each row in the minute in which it became final, each
 * fact and option chain in the minute by which it was known.
 */
export class SessionRecording {
  readonly #session: Session;
  readonly #factsAfter: number;
  readonly #rows: RecordedRows[] = [];
  /** Facts and chains by when they are known. */
  readonly #reports: { readonly knownAt: number; readonly delivery: Delivery }[] = [];
  readonly #actions: Extract<Delivery, { readonly kind: 'actions' }>[] = [];

  /** @param factsAfter facts known by this instant (epoch milliseconds) are no news to the session */
  constructor(session: Session, factsAfter: number) {
    this.#session = session;
    this.#factsAfter = factsAfter;
  }

  get rows(): number {
    return this.#rows.reduce((sum, { columns }) => sum + columns.time.length, 0);
  }

  /** Rows of bars shorter than the session. */
  get intradayRows(): number {
    return this.#rows.reduce((sum, { kind, columns }) => {
      return kind === 'bars-1m' || kind === 'bars-5m' ? sum + columns.time.length : sum;
    }, 0);
  }

  /** Adds the part of a delivery that belongs to the session. */
  add(delivery: Delivery): void {
    switch (delivery.kind) {
      case 'facts':
        for (const fact of delivery.facts) {
          const { knownAt } = fact;
          if (knownAt > this.#factsAfter && knownAt <= this.#session.postClose)
            this.#reports.push({ knownAt, delivery: { ...delivery, facts: [fact] } });
        }
        return;
      case 'actions': {
        const today = midnightUtc(this.#session.tradeDate);
        const actions = delivery.actions.filter(({ exDate }) => exDate === today);
        if (actions.length > 0) this.#actions.push({ ...delivery, actions });
        return;
      }
      case 'chain': {
        const { preOpen, postClose } = this.#session;
        const { takenAt: knownAt } = delivery.chain;
        if (knownAt > preOpen && knownAt <= postClose) this.#reports.push({ knownAt, delivery });
        return;
      }
      case 'refused':
        return;
      default:
        this.#addRows(delivery.symbol, rowsOf(delivery));
    }
  }

  #addRows(symbol: string, { kind, columns }: { kind: SeriesKind; columns: Columns }): void {
    const { tradeDate, preOpen, postClose } = this.#session;
    const today = midnightUtc(tradeDate);
    const [first, end] = isIntraday(kind) ? [preOpen, postClose] : [today, today + 1];
    const [from, to] = [rowAtOrAfter(columns.time, first), rowAtOrAfter(columns.time, end)];
    if (to > from) this.#rows.push({ symbol, kind, columns: sliceRows(columns, from, to) });
  }

  /**
   * Every minute after an instant up to the end of after-hours trading, also those without a trade.
   *
   * @param now rows final by then come at once, with the minute that ends there
   */
  *minutes(after: number | null, now = 0): Iterable<LiveMinute> {
    const { preOpen, postClose } = this.#session;
    const since = after ?? Number.NEGATIVE_INFINITY;
    const begin = Math.max(preOpen, since);
    const first = Math.min(postClose, Math.max(begin + MINUTE_MS, wholeMinute(now)));
    const tracks = this.#rows.map((rows) => trackOf(rows, this.#session, since));
    const isChain = ({ delivery }: { readonly delivery: Delivery }): number =>
      Number(delivery.kind === 'chain');
    const reports = Map.groupBy(
      this.#reports
        .filter(({ knownAt }) => knownAt > since)
        .sort((a, b) => isChain(a) - isChain(b) || a.knownAt - b.knownAt),
      ({ knownAt }) => Math.max(first, Math.ceil(knownAt / MINUTE_MS) * MINUTE_MS),
    );
    for (let at = first; at > begin && at <= postClose; at += MINUTE_MS) {
      const deliveries: Delivery[] = after === null && at === first ? [...this.#actions] : [];
      deliveries.push(...(reports.get(at) ?? []).map(({ delivery }) => delivery));
      deliveries.push(...tracks.map((upTo) => upTo(at)).filter((delivery) => delivery !== null));
      yield { at, ...(at === first ? { since: begin } : {}), deliveries };
    }
  }

  /**
   * The session as a live feed with all its minutes at once.
   *
   * @param now see `minutes`
   */
  liveFeed({ name, simulated }: Pick<Feed, 'name' | 'simulated'>, now?: number): LiveFeed {
    const minutes = (after: number | null): Iterable<LiveMinute> => this.minutes(after, now);
    return {
      name,
      simulated,
      tradeDate: this.#session.tradeDate,
      async *minutes(after, signal) {
        for (const minute of minutes(after)) {
          if (signal.aborted) return;
          yield minute;
        }
      },
    };
  }
}

/** Gives the rows that became final since the last call, up to an instant; null when there are none. */
function trackOf({ symbol, kind, columns }: RecordedRows, session: Session, since: number) {
  const { time } = columns;
  let next = 0;
  const advance = (at: number): void => {
    while (next < time.length && finalAt(kind, time[next]!, session) <= at) next++;
  };
  advance(since);
  return (at: number): Delivery | null => {
    const from = next;
    advance(at);
    return next === from ? null : rowsDelivery(symbol, kind, sliceRows(columns, from, next));
  };
}
