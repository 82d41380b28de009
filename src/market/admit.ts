import { hash } from 'node:crypto';
import type { Calendar, Session } from '../base/calendar.ts';
import { DAY_MS, dateOf } from '../base/dates.ts';
import { STORED_SYMBOL } from '../base/symbols.ts';
import type { OptionChain } from './chains.ts';
import type { AnyFact } from './facts.ts';
import type { Delivery } from './feed.ts';
import { type CorporateAction, INTERVAL_MS } from './observations.ts';
import type { Refused } from './refusals.ts';
import {
  type RefusalReason,
  refusalTally,
  refuseBar,
  refuseFlow,
  refuseQuotes,
  refuseTime,
  refuseVolatility,
} from './refusals.ts';
import {
  barsInterval,
  type Columns,
  columnsOf,
  isIntraday,
  rowsOf,
  SERIES,
  type SeriesKind,
} from './series.ts';
import { validateChain } from './validate-chain.ts';
import { validateFact } from './validate-fact.ts';

/**
 * The one admission. Every delivery passes it on its way onto the tape: of a file, of a live minute, of a correction.
 * What it refuses it counts by reason, with the place and the example of the first.
 */

/** What a delivery brings that the tape may hold. */
export type Admitted =
  | { readonly kind: SeriesKind; readonly symbol: string; readonly columns: Columns }
  | { readonly kind: 'facts'; readonly symbol: string; readonly facts: readonly AnyFact[] }
  | { readonly kind: 'actions'; readonly symbol: string; readonly actions: readonly CorporateAction[] }
  | { readonly kind: 'chain'; readonly chain: OptionChain };

/** The minute of a running session that delivers. */
export interface RunningMinute {
  readonly session: Session;
  /** Its end, epoch milliseconds. */
  readonly at: number;
}

/** Facts of a source that are remembered to notice a repetition; one that comes later counts as already known. */
const REMEMBERED_FACTS_MAX = 200_000;
/** Twenty times what a feed delivers at once. */
const ROWS_MAX = 1_000_000;
/** More new shares for an old one, or fewer, than any split has given. */
const SPLIT_MAX = 100_000;

type Refuse = (reason: RefusalReason, example: string, rows?: number) => void;

/** Admits the deliveries of one source: a unit of a feed, or minutes of a session. */
export class Admission {
  readonly #calendar: Calendar;
  readonly #tally = refusalTally();
  /** Digests of the facts so far. */
  readonly #facts = new Set<string>();

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /** What was refused so far, in the order of the first of each reason. */
  get refused(): readonly Refused[] {
    return this.#tally.refusals();
  }

  /** Counts rows that were admitted and turned out to be none. */
  note(reason: RefusalReason, where: string, example: string, rows: number): void {
    this.#tally.note(reason, where, example, rows);
  }

  /**
   * @param where names the source of the delivery
   * @param minute where the delivery is of a session that runs: nothing but what belongs to it and is final is admitted
   * @returns what of the delivery is valid; null for nothing
   */
  admit(delivery: Delivery, where: string, minute: RunningMinute | null = null): Admitted | null {
    const refuse: Refuse = (reason, example, rows) => this.#tally.note(reason, where, example, rows);
    switch (delivery.kind) {
      case 'refused':
        this.#tally.note(delivery.reason, delivery.where, delivery.example, delivery.count);
        return null;
      case 'facts': {
        const { symbol } = delivery;
        const faultOf = (fact: AnyFact) => validateFact(fact) ?? this.#repetition(symbol, fact);
        const facts = passing(symbol, delivery.facts, faultOf, refuse);
        return facts.length === 0 ? null : { kind: 'facts', symbol, facts };
      }
      case 'actions': {
        const { symbol } = delivery;
        const actions = passing(symbol, delivery.actions, actionFault, refuse);
        return actions.length === 0 ? null : { kind: 'actions', symbol, actions };
      }
      case 'chain':
        return admitChain(delivery.chain, minute, refuse);
      default: {
        const { kind, columns } = rowsOf(delivery);
        const admitted = this.#admitRows(kind, delivery.symbol, columns, minute, refuse);
        return admitted === null ? null : { kind, symbol: delivery.symbol, columns: admitted };
      }
    }
  }

  /** The valid rows; the very columns where all are. */
  #admitRows(
    kind: SeriesKind,
    symbol: string,
    columns: Columns,
    minute: RunningMinute | null,
    refuse: Refuse,
  ): Columns | null {
    const rows = columns.time.length;
    if (rows === 0) return null;
    const fault = symbolFault(symbol) ?? shapeFault(kind, columns);
    if (fault !== null) {
      refuse(fault, `${symbol} ${kind}`, rows);
      return null;
    }
    const timeFault = minute === null ? this.#timeFault(kind) : runningTimeFault(kind, minute);
    const rowFault = ROW_FAULTS[kind];
    let valid: number[] | null = null;
    let previous = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows; row++) {
      const time = columns.time[row]!;
      const reason = timeFault(time) ?? rowFault(columns, row) ?? refuseTime(previous, time);
      if (reason === null) {
        valid?.push(row);
        previous = time;
        continue;
      }
      valid ??= Array.from({ length: row }, (_, at) => at);
      refuse(reason, `${symbol} ${kind} ${rowText(kind, columns, row)}`);
    }
    if (valid === null) return columns;
    const kept = valid;
    if (kept.length === 0) return null;
    return columnsOf(kind, (name) => Float64Array.from(kept, (row) => columns[name]![row]!));
  }

  /** A time of any session: within it, and of a daily row its date. */
  #timeFault(kind: SeriesKind): (time: number) => RefusalReason | null {
    const calendar = this.#calendar;
    if (!isIntraday(kind)) {
      return (time) => {
        if (!Number.isFinite(time)) return 'bad_time';
        return time % DAY_MS === 0 && calendar.isSession(dateOf(time)) ? null : 'outside_session';
      };
    }
    const grid = gridOf(kind);
    return (time) => {
      if (!Number.isFinite(time) || time % grid !== 0) return 'bad_time';
      return calendar.sessionHolding(time) === null ? 'outside_session' : null;
    };
  }

  /** `duplicate` where the source has delivered the same fact before. */
  #repetition(symbol: string, { kind, key, knownAt, value }: AnyFact): RefusalReason | null {
    const digest = hash('sha256', JSON.stringify([symbol, kind, key, knownAt, value]));
    if (this.#facts.has(digest)) return 'duplicate';
    if (this.#facts.size < REMEMBERED_FACTS_MAX) this.#facts.add(digest);
    return null;
  }
}

/** The items without a fault; the others are refused. */
const passing = <Item>(
  symbol: string,
  items: readonly Item[],
  faultOf: (item: Item) => RefusalReason | null,
  refuse: Refuse,
): Item[] =>
  items.filter((item) => {
    const reason = symbolFault(symbol) ?? faultOf(item);
    if (reason !== null) refuse(reason, `${symbol} ${JSON.stringify(item)}`);
    return reason === null;
  });

const symbolFault = (symbol: string): RefusalReason | null =>
  STORED_SYMBOL.test(symbol) ? null : 'bad_symbol';

function shapeFault(kind: SeriesKind, columns: Columns): RefusalReason | null {
  const rows = columns.time.length;
  if (rows > ROWS_MAX) return 'too_large';
  return SERIES[kind].every((name) => columns[name]?.length === rows) ? null : 'wrong_columns';
}

/** Of what the times of a series are multiples: bars of an hour begin with the session's half hour. */
function gridOf(kind: SeriesKind): number {
  const interval = barsInterval(kind);
  return interval === null || interval === '1h' ? INTERVAL_MS['1m'] : INTERVAL_MS[interval];
}

/** A time of the running session, of a row that was final by the minute. */
function runningTimeFault(
  kind: SeriesKind,
  { session, at }: RunningMinute,
): (time: number) => RefusalReason | null {
  const date = Date.parse(session.tradeDate);
  return (time) => {
    if (!Number.isFinite(time)) return 'bad_time';
    const isOf = isIntraday(kind) ? time >= session.preOpen && time < session.postClose : time === date;
    if (!isOf) return 'outside_session';
    // The end of a bar that still forms is unknown.
    return finalAt(kind, time, session) > at ? 'not_final' : null;
  };
}

type RowFault = (columns: Columns, row: number) => RefusalReason | null;

/** A volume that is NaN is not known: a vendor states that of one exchange, which is not the stock's. */
const barFault: RowFault = ({ open, high, low, close, volume }, row) => {
  const shares = volume![row]!;
  return refuseBar(open![row]!, high![row]!, low![row]!, close![row]!, Number.isNaN(shares) ? 0 : shares);
};

const ROW_FAULTS: Readonly<Record<SeriesKind, RowFault>> = {
  'bars-1d': barFault,
  'bars-1h': barFault,
  'bars-30m': barFault,
  'bars-15m': barFault,
  'bars-10m': barFault,
  'bars-5m': barFault,
  'bars-3m': barFault,
  'bars-2m': barFault,
  'bars-1m': barFault,
  'quotes-1m': refuseQuotes,
  'flow-minutes': refuseFlow,
  'volatility-1d': refuseVolatility,
};

const rowText = (kind: SeriesKind, columns: Columns, row: number): string =>
  SERIES[kind].map((name) => columns[name]![row]).join(' ');

/** Why no company can have announced an action; null where one can. */
export function actionFault({ kind, exDate, value }: CorporateAction): RefusalReason | null {
  if (!Number.isFinite(exDate) || exDate % DAY_MS !== 0) return 'bad_time';
  if (!(value > 0 && Number.isFinite(value))) return 'bad_action';
  if (kind === 'split') return value <= SPLIT_MAX && value >= 1 / SPLIT_MAX ? null : 'bad_action';
  return kind === 'dividend' ? null : 'bad_action';
}

function admitChain(delivered: OptionChain, minute: RunningMinute | null, refuse: Refuse): Admitted | null {
  const { symbol, takenAt, contracts } = delivered;
  const fault = symbolFault(symbol) ?? (minute !== null && takenAt > minute.at ? 'not_final' : null);
  if (fault !== null) {
    refuse(fault, `${symbol} chain`, Math.max(1, contracts.strike.length));
    return null;
  }
  const { chain, refused } = validateChain(delivered);
  for (const { reason, example, count } of refused) refuse(reason, example, count);
  return chain === null ? null : { kind: 'chain', chain };
}

/** The instant at which a row of a session is final: the end of its interval, a daily row at the close. */
export function finalAt(kind: SeriesKind, time: number, session: Pick<Session, 'close'>): number {
  if (!isIntraday(kind)) return session.close;
  return time + INTERVAL_MS[barsInterval(kind) ?? '1m'];
}
