import { midnightUtc, type Session } from '../../../base/calendar.ts';
import type { AnyFact } from '../../facts.ts';
import type { Delivery, Feed, LiveFeed, LiveMinute } from '../../feed.ts';
import { finalAt } from '../../tape/admit-minute.ts';
import {
  asBars,
  asColumns,
  asFlow,
  barSeries,
  type Columns,
  rowAtOrAfter,
  type SeriesKind,
  sliceRows,
} from '../../tape/series.ts';
import type { Interval, QuoteBarColumns } from '../../observations.ts';

const MINUTE_MS = 60_000;

/** Rows of one symbol and series, ascending. */
interface RecordedRows {
  readonly symbol: string;
  readonly kind: SeriesKind;
  readonly columns: Columns;
}

/**
 * A session that is over, in memory, told once more minute by minute: each row in the minute in which it became final,
 * each fact in the minute by which it was known.
 */
export class SessionRecording {
  readonly #session: Session;
  readonly #factsAfter: number;
  readonly #rows: RecordedRows[] = [];
  readonly #facts: { readonly symbol: string; readonly fact: AnyFact }[] = [];
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

  /** Takes what a delivery says of the session; the rest of it is history, or not yet known. */
  add(delivery: Delivery): void {
    const { preOpen, postClose, tradeDate } = this.#session;
    switch (delivery.kind) {
      case 'refused':
        return;
      case 'facts':
        for (const fact of delivery.facts) {
          if (fact.knownAt <= this.#factsAfter || fact.knownAt > postClose) continue;
          this.#facts.push({ symbol: delivery.symbol, fact });
        }
        return;
      case 'actions': {
        const actions = delivery.actions.filter(({ exDate }) => exDate === midnightUtc(tradeDate));
        if (actions.length > 0) this.#actions.push({ ...delivery, actions });
        return;
      }
      default: {
        const kind = delivery.kind === 'bars' ? barSeries(delivery.interval) : SERIES_OF[delivery.kind];
        const columns = asColumns(delivery.columns);
        const [first, end] =
          kind === 'bars-1d' ? [midnightUtc(tradeDate), midnightUtc(tradeDate) + 1] : [preOpen, postClose];
        const [from, to] = [rowAtOrAfter(columns.time, first), rowAtOrAfter(columns.time, end)];
        if (to > from) {
          this.#rows.push({ symbol: delivery.symbol, kind, columns: sliceRows(columns, from, to) });
        }
      }
    }
  }

  /** Every minute after an instant up to the end of after-hours trading, those without a trade too. */
  *minutes(after: number | null): Iterable<LiveMinute> {
    const { preOpen, postClose } = this.#session;
    const since = after ?? Number.NEGATIVE_INFINITY;
    const tracks = this.#rows.map((rows) => new Track(rows, this.#session, since));
    const facts = this.#facts
      .filter(({ fact }) => fact.knownAt > since)
      .sort((a, b) => a.fact.knownAt - b.fact.knownAt);
    let told = 0;
    for (let at = Math.max(preOpen, since) + MINUTE_MS; at <= postClose; at += MINUTE_MS) {
      const deliveries: Delivery[] = after === null && at === preOpen + MINUTE_MS ? [...this.#actions] : [];
      for (; told < facts.length && facts[told]!.fact.knownAt <= at; told++) {
        const { symbol, fact } = facts[told]!;
        deliveries.push({ kind: 'facts', symbol, facts: [fact] });
      }
      for (const track of tracks) {
        const delivery = track.upTo(at);
        if (delivery !== null) deliveries.push(delivery);
      }
      yield { at, deliveries };
    }
  }

  /** The session as a feed that has all its minutes at hand. */
  liveFeed({ name, simulated }: Pick<Feed, 'name' | 'simulated'>): LiveFeed {
    const minutes = (after: number | null): Iterable<LiveMinute> => this.minutes(after);
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

const SERIES_OF = { quotes: 'quotes-1m', 'flow-minutes': 'flow-minutes' } as const;

/** Rows that are told as they become final. */
class Track {
  readonly #rows: RecordedRows;
  readonly #session: Session;
  #next: number;

  constructor(rows: RecordedRows, session: Session, since: number) {
    this.#rows = rows;
    this.#session = session;
    this.#next = this.#firstFinalAfter(since, 0);
  }

  /** The rows that became final since the last question; null when there are none. */
  upTo(at: number): Delivery | null {
    const from = this.#next;
    this.#next = this.#firstFinalAfter(at, from);
    return this.#next === from ? null : deliveryOf(this.#rows, from, this.#next);
  }

  #firstFinalAfter(instant: number, from: number): number {
    const { kind, columns } = this.#rows;
    let row = from;
    while (row < columns.time.length && finalAt(kind, columns.time[row]!, this.#session) <= instant) row++;
    return row;
  }
}

function deliveryOf({ symbol, kind, columns }: RecordedRows, from: number, to: number): Delivery {
  const rows = sliceRows(columns, from, to);
  if (kind === 'flow-minutes') return { kind, symbol, columns: asFlow(rows) };
  if (kind === 'quotes-1m') {
    return { kind: 'quotes', symbol, interval: '1m', columns: rows as unknown as QuoteBarColumns };
  }
  return { kind: 'bars', symbol, interval: kind.slice('bars-'.length) as Interval, columns: asBars(rows) };
}
