import type { TUnsafe } from 'typebox';
import {
  nextTechnical,
  type TechnicalEnd,
  type TechnicalValues,
  technicalEnd,
} from '../analysis/indicators/technical-columns.ts';
import { TrendWalk } from '../analysis/session-trend.ts';
import { type IntradayBars, intradayBars, type RowRange, regularRows } from '../analysis/sessions.ts';
import { type VwapColumns, vwapColumns } from '../analysis/vwap.ts';
import { onceFor } from '../base/once-for.ts';
import type { BarsView } from '../market/stock-view.ts';
import { type Known, nestedBlock } from './block.ts';

const endOf = onceFor(technicalEnd);

/** Columns of a view that several blocks read, each worked out for the first of them. */
export class SessionColumns {
  readonly bars: IntradayBars;
  /** Of the regular session so far, as `regularRows` has them. */
  readonly rows: RowRange | null;
  readonly #view: BarsView;
  #vwap: VwapColumns | null = null;
  #trend: TrendWalk | null = null;

  constructor(view: BarsView) {
    this.#view = view;
    this.bars = intradayBars(view.intraday, view.intradayInterval, view.asOf);
    this.rows = regularRows(this.bars, view.session);
  }

  /** Of completed sessions. */
  get daily(): TechnicalEnd {
    return endOf(this.#view.daily);
  }

  /** With the running session as the last bar. */
  get now(): TechnicalValues {
    const { daily, dailyNow } = this.#view;
    return daily.close.length === dailyNow.close.length
      ? this.daily.last
      : nextTechnical(this.daily, dailyNow);
  }

  /** Of the session before the trade date; all NaN without one. They do not change at the close. */
  get prior(): TechnicalValues {
    const { daily, priorRow } = this.#view;
    return priorRow === daily.close.length - 1 ? this.daily.last : this.daily.beforeLast;
  }

  /** ATR(14) of the session before the trade date, dollars; NaN without one. */
  get priorAtr(): number {
    return this.prior.atr14;
  }

  /** After each of `rows`. */
  get vwap(): VwapColumns {
    this.#vwap ??= vwapColumns(this.bars.columns, this.rows ?? { from: 0, to: 0 });
    return this.#vwap;
  }

  get trend(): TrendWalk {
    this.#trend ??= new TrendWalk(this.bars, this.#view.session);
    return this.#trend;
  }
}

/** Not on the wire. */
export const sessionColumns = nestedBlock({
  name: 'session_columns',
  ofBars: true,
  schema: null as TUnsafe<SessionColumns> | null,
  derive: (view) => new SessionColumns(view),
});

export function columnsOf(known: Known): SessionColumns {
  const columns = known(sessionColumns).nested;
  if (columns === null) throw new Error('session_columns derives columns for every view');
  return columns;
}
