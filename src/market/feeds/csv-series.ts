import { BarColumnBuilder } from '../column-builder.ts';
import type { Delivery } from '../feed.ts';
import type { BarColumns, CorporateAction, Interval } from '../observations.ts';
import type { RefusalReason } from '../refusals.ts';
import { DELIVERY_ROWS } from './source-file.ts';
import { NEWEST_FIRST_ROWS_MAX, newestFirstBars } from './csv-newest-first.ts';

/** Rows of all symbols together that a file with many symbols may have waiting: some 20 MB. */
const WAITING_ROWS_MAX = 400_000;

/** The rows of one symbol that are not yet handed out. */
export interface Series {
  readonly symbol: string;
  readonly actions: CorporateAction[];
  push(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): RefusalReason | null;
}

/** The series of one file. A symbol's rows may come in one block or mixed with those of others. */
export interface SeriesShelf {
  /** The series of a symbol, made when first asked for. */
  of(symbol: string): Series;
  /** What is ready to be handed out; all of it when the file is `finished`. */
  due(finished: boolean): Generator<Delivery>;
}

export function seriesShelf(interval: Interval, newestFirst: boolean): SeriesShelf {
  const shelf = newestFirst ? newestFirstSeries() : oldestFirstSeries();
  return {
    of: shelf.of,
    *due(finished) {
      for (const [symbol, columns] of shelf.take(finished)) yield { kind: 'bars', symbol, interval, columns };
      if (!finished) return;
      for (const { symbol, actions } of shelf.all()) {
        actions.sort((a, b) => a.exDate - b.exDate);
        if (actions.length > 0) yield { kind: 'actions', symbol, actions };
      }
    },
  };
}

interface Shelf {
  of(symbol: string): Series;
  all(): Iterable<Series>;
  take(finished: boolean): Iterable<readonly [string, BarColumns]>;
}

function oldestFirstSeries(): Shelf {
  const known = new Map<string, Series & { builder: BarColumnBuilder }>();
  let waiting = 0;
  let fullest = 0;
  const make = (symbol: string) => {
    const builder = new BarColumnBuilder(64);
    const push: Series['push'] = (time, open, high, low, close, volume) => {
      const reason = builder.push(time, open, high, low, close, volume);
      if (reason !== null) return reason;
      waiting++;
      if (builder.rows > fullest) fullest = builder.rows;
      return null;
    };
    return { symbol, actions: [], builder, push };
  };
  return {
    of: (symbol) => found(known, symbol, make),
    all: () => known.values(),
    *take(finished) {
      const takesAll = finished || waiting >= WAITING_ROWS_MAX;
      if (!takesAll && fullest < DELIVERY_ROWS) return;
      for (const { symbol, builder } of known.values()) {
        if (builder.rows === 0 || (!takesAll && builder.rows < DELIVERY_ROWS)) continue;
        waiting -= builder.rows;
        yield [symbol, builder.take()];
      }
      fullest = 0;
      if (!takesAll) for (const { builder } of known.values()) fullest = Math.max(fullest, builder.rows);
    },
  };
}

function newestFirstSeries(): Shelf {
  const known = new Map<string, Series & { bars: ReturnType<typeof newestFirstBars> }>();
  let held = 0;
  const make = (symbol: string) => {
    const bars = newestFirstBars();
    const push: Series['push'] = (time, open, high, low, close, volume) => {
      if (held === NEWEST_FIRST_ROWS_MAX) return 'too_large';
      const reason = bars.push(time, open, high, low, close, volume);
      if (reason === null) held++;
      return reason;
    };
    return { symbol, actions: [], bars, push };
  };
  return {
    of: (symbol) => found(known, symbol, make),
    all: () => known.values(),
    *take(finished) {
      if (!finished) return;
      for (const { symbol, bars } of known.values()) {
        for (const columns of bars.ascending(DELIVERY_ROWS)) yield [symbol, columns];
      }
    },
  };
}

function found<S extends Series>(known: Map<string, S>, symbol: string, make: (symbol: string) => S): S {
  const series = known.get(symbol) ?? make(symbol);
  known.set(symbol, series);
  return series;
}
