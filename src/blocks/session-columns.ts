import type { TUnsafe } from 'typebox';
import { type TechnicalColumns, technicalColumns } from '../analysis/indicators/technical-columns.ts';
import { TrendWalk } from '../analysis/session-trend.ts';
import { type IntradayBars, intradayBars, type RowRange, regularRows } from '../analysis/sessions.ts';
import { type VwapColumns, vwapColumns } from '../analysis/vwap.ts';
import type { BarsView } from '../market/stock-view.ts';
import { type Known, nestedBlock } from './block.ts';

/** Columns of a view that several blocks read, each worked out for the first of them. */
export class SessionColumns {
  readonly bars: IntradayBars;
  /** Of the regular session so far, as `regularRows` has them. */
  readonly rows: RowRange | null;
  readonly #view: BarsView;
  #daily: TechnicalColumns | null = null;
  #vwap: VwapColumns | null = null;
  #trend: TrendWalk | null = null;

  constructor(view: BarsView) {
    this.#view = view;
    this.bars = intradayBars(view.intraday, view.intradayInterval, view.asOf);
    this.rows = regularRows(this.bars, view.session);
  }

  /** Of `dailyNow`; up to a row they are those of the rows up to it. */
  get daily(): TechnicalColumns {
    const { high, low, close } = this.#view.dailyNow;
    this.#daily ??= technicalColumns(high, low, close);
    return this.#daily;
  }

  /** ATR(14) of the session before the trade date, dollars; NaN without one. It does not change at the close. */
  get priorAtr(): number {
    return this.daily.atr14[this.#view.priorRow] ?? Number.NaN;
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
