import { median } from '../analysis/statistics.ts';
import { dayOf } from '../base/dates.ts';
import { type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import type { PeerDay } from '../market/peer-day.ts';
import type { SymbolTape } from '../tape/index.ts';
import { DailyPrices } from './daily-prices.ts';
import { deciles, STOCKS_MIN, spearman } from './evaluation.ts';
import {
  type ClaimEvent,
  type ClaimOutcome,
  DIVERGENCE_HORIZONS,
  PROBABILITY_BINS,
  PROBABILITY_SCORES,
  type ProbabilityBin,
  RECORDED_SCORES,
  SCORE_HORIZONS,
  type SymbolClaims,
} from './kinds.ts';

/** Values of a date by symbol: of a score, or of what its peers implied. */
interface RankedDate<Value> {
  readonly tradeDate: string;
  readonly of: ReadonlyMap<string, Value>;
}

export interface ScoreClaimsWork {
  readonly tapes: readonly SymbolTape[];
  /** Sessions with stored scores, ascending; by symbol the values of `RECORDED_SCORES`, NaN where absent. */
  readonly dates: readonly RankedDate<Float64Array>[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

export interface DivergenceClaimsWork {
  readonly tapes: readonly SymbolTape[];
  /** Measured sessions, ascending, by symbol JSON text of its `PeerDay`; of the first ones only what they silence counts. */
  readonly dates: readonly RankedDate<string>[];
  /** Dates whose claims are wanted. */
  readonly wanted: ReadonlySet<string>;
  /** By trade date the symbols with results, a halt or a burst of news. */
  readonly events: ReadonlyMap<string, ReadonlySet<string>>;
  readonly lastDay: number;
}

/** Claims of a date, and what the date as a whole measured, by key. */
export interface DateClaims {
  readonly tradeDate: string;
  readonly claims: readonly SymbolClaims[];
  /** Rank correlation of a score with the later returns. */
  readonly measures: ReadonlyMap<string, number>;
  /** Of all its scored stocks. */
  readonly bins: readonly ProbabilityBin[];
}

const SCORES = Object.entries(RECORDED_SCORES);

/** The stocks that a score put into its top tenth, against the median stock of their date. */
export function scoreClaims(source: TapeSource, { tapes, dates, lastDay }: ScoreClaimsWork): DateClaims[] {
  const market = openMarket(source, tapes, dates, lastDay);
  return dates.map(({ tradeDate, of }) => {
    const found = new Found(market, tradeDate);
    const measures = new Map<string, number>();
    const bins: ProbabilityBin[] = [];
    for (const sessions of SCORE_HORIZONS) {
      const later = market.returnsAfter(tradeDate, sessions);
      for (const [place, [score, side]] of SCORES.entries()) {
        const key = `${score}.${sessions}d`;
        const scored = [...of].filter(([, values]) => !Number.isNaN(values[place]!));
        const values = Float64Array.from(scored, ([, own]) => side * own[place]!);
        const returns = Float64Array.from(scored, ([symbol]) => side * (later.of(symbol) ?? Number.NaN));
        const known = returns.filter((value) => !Number.isNaN(value));
        if (values.length < STOCKS_MIN || (later.isOver && known.length < STOCKS_MIN)) continue;
        const middle = median(known);
        const over = known.filter((value) => value > middle).length;
        for (const [at, tenth] of deciles(values).entries()) {
          if (tenth < 9) continue;
          const own = returns[at]!;
          const came = own > middle ? 1 : 0;
          found.add(scored[at]![0], {
            key,
            claim: score,
            side: side as 1 | -1,
            outcome: later.isOver ? (Number.isNaN(own) ? 'undecided' : came ? 'true' : 'false') : null,
            decidedAt: later.at,
            isGone: later.isOver && Number.isNaN(own),
            chance: known.length < 2 ? null : (over - came) / (known.length - 1),
            controls: Math.max(0, known.length - 1),
          });
        }
        const both = returns.map((value, at) => (Number.isNaN(value) ? Number.NaN : values[at]!));
        const kept = both.filter((value) => !Number.isNaN(value));
        const measure = later.isOver ? spearman(kept, known) : Number.NaN;
        if (!Number.isNaN(measure)) measures.set(key, measure);
        if (PROBABILITY_SCORES.includes(score))
          bins.push(
            ...binsIn(
              key,
              kept.map((value) => (side * value) / 100),
              known,
              middle,
            ),
          );
      }
    }
    return { tradeDate, claims: found.claims(), measures, bins };
  });
}

/** How many of the stocks in each bin of their probabilities returned more than the median. */
function binsIn(
  key: string,
  probabilities: Float64Array,
  returns: Float64Array,
  middle: number,
): ProbabilityBin[] {
  const bins = Array.from({ length: PROBABILITY_BINS }, (_, bin) => {
    return { key, bin, events: 0, true: 0, forecast: 0 };
  });
  for (const [at, probability] of probabilities.entries()) {
    const bin = bins[Math.min(PROBABILITY_BINS - 1, Math.floor(probability * PROBABILITY_BINS))]!;
    bin.events++;
    bin.forecast += probability;
    if (returns[at]! > middle) bin.true++;
  }
  return bins.filter(({ events }) => events > 0);
}

/** A divergence this wide is one; within the narrower nobody strays. */
const WIDE = 2;
const NARROW = 0.5;
/** Sessions in which a stock that strays again is not counted again. */
export const SILENT_SESSIONS = 10;

/** Stocks that strayed from their peers, and whether the gap closed; the controls are the date's stocks near theirs. */
export function divergenceClaims(
  source: TapeSource,
  { tapes, dates, wanted, events, lastDay }: DivergenceClaimsWork,
): DateClaims[] {
  const market = openMarket(source, tapes, dates, lastDay);
  const { calendar } = source;
  const strayed = new Map<string, number>();
  const found: DateClaims[] = [];
  for (const { tradeDate, of } of dates) {
    const index = calendar.sessionIndex(tradeDate);
    const days = [...of].map(([symbol, text]): [string, PeerDay] => [symbol, JSON.parse(text)]);
    const wide = days.filter(([symbol, { composite }]) => {
      if (Math.abs(composite) < WIDE) return false;
      const before = strayed.get(`${symbol} ${Math.sign(composite)}`) ?? Number.NEGATIVE_INFINITY;
      strayed.set(`${symbol} ${Math.sign(composite)}`, index);
      return index - before > SILENT_SESSIONS;
    });
    if (!wanted.has(tradeDate)) continue;
    const near = days.filter(([, { composite }]) => Math.abs(composite) <= NARROW);
    const claims = new Found(market, tradeDate);
    for (const sessions of DIVERGENCE_HORIZONS) {
      const later = market.returnsAfter(tradeDate, sessions);
      const busy = new Set<string>();
      for (let after = 1; after <= sessions; after++) {
        const date = calendar.sessionAt(index + after)?.tradeDate ?? '';
        for (const symbol of events.get(date) ?? []) busy.add(symbol);
      }
      const gapOf = ([symbol, { peers }]: [string, PeerDay]): number =>
        busy.has(symbol) ? Number.NaN : gapAfter(symbol, peers, later.of);
      const controls = later.isOver ? near.map(gapOf).filter((gap) => !Number.isNaN(gap)) : [];
      for (const day of wide) {
        const [symbol, { composite }] = day;
        const side = composite > 0 ? 1 : -1;
        const gap = gapOf(day);
        const closes = (change: number): boolean => side * change < 0;
        const outcome: ClaimOutcome = Number.isNaN(gap) ? 'undecided' : closes(gap) ? 'true' : 'false';
        claims.add(symbol, {
          key: `${side > 0 ? 'bullish' : 'bearish'}.${sessions}d`,
          claim: composite.toFixed(2),
          side,
          outcome: later.isOver ? outcome : null,
          decidedAt: Number.isNaN(gap) ? null : later.at,
          isGone: later.isOver && later.of(symbol) === undefined,
          chance: controls.length === 0 ? null : controls.filter(closes).length / controls.length,
          controls: controls.length,
        });
      }
    }
    found.push({ tradeDate, claims: claims.claims(), measures: new Map(), bins: [] });
  }
  return found;
}

/** Return of a stock less the weighted one of its peers; NaN where either is unknown. */
function gapAfter(
  symbol: string,
  peers: PeerDay['peers'],
  returnOf: (symbol: string) => number | undefined,
): number {
  let sum = 0;
  let weights = 0;
  for (const { symbol: peer, weight } of peers) {
    const own = returnOf(peer);
    if (own === undefined) continue;
    sum += weight * own;
    weights += weight;
  }
  return weights > 0 ? (returnOf(symbol) ?? Number.NaN) - sum / weights : Number.NaN;
}

/** Returns from the closes of some dates on. */
function openMarket(
  { reader, calendar }: TapeSource,
  tapes: readonly SymbolTape[],
  dates: readonly RankedDate<unknown>[],
  lastDay: number,
) {
  const first = dayOf(dates[0]!.tradeDate);
  const prices = new Map(
    tapes.flatMap((tape) =>
      unlessDamaged(() => [
        [tape.symbol, new DailyPrices(reader, tape, calendar, { first, last: lastDay })] as const,
      ]),
    ),
  );
  const isSimulated = new Map(
    tapes.map(({ symbol, slices }) => [symbol, slices.some((slice) => slice.simulated)]),
  );
  return {
    isSimulated: (symbol: string): boolean => isSimulated.get(symbol) ?? false,
    closeOf: (tradeDate: string): number => calendar.session(tradeDate)!.close,
    returnsAfter(tradeDate: string, sessions: number) {
      const end = calendar.sessionAt(calendar.sessionIndex(tradeDate) + sessions);
      const [day, endDay] = [
        dayOf(tradeDate),
        end === null ? Number.POSITIVE_INFINITY : dayOf(end.tradeDate),
      ];
      const isOver = endDay <= lastDay;
      return {
        isOver,
        at: isOver ? end!.close : null,
        of(symbol: string): number | undefined {
          const own = prices.get(symbol);
          if (own === undefined || !isOver) return undefined;
          const [from, to] = [own.rowOn(day), own.rowOn(endDay)];
          if (from < 0 || to < 0) return undefined;
          const { close } = own.inSharesOf(endDay);
          return close[to]! / close[from]! - 1;
        },
      };
    },
  };
}

type Market = ReturnType<typeof openMarket>;

/** Claims of a date by symbol. */
class Found {
  readonly #market: Market;
  readonly #tradeDate: string;
  readonly #events = new Map<string, ClaimEvent[]>();

  constructor(market: Market, tradeDate: string) {
    this.#market = market;
    this.#tradeDate = tradeDate;
  }

  add(symbol: string, event: Omit<ClaimEvent, 'begunAt' | 'price' | 'isAmbiguous'>): void {
    const begunAt = this.#market.closeOf(this.#tradeDate);
    this.#events
      .getOrInsertComputed(symbol, () => [])
      .push({ ...event, begunAt, price: null, isAmbiguous: false });
  }

  claims(): SymbolClaims[] {
    return Array.from(this.#events, ([symbol, events]) => ({
      symbol,
      tradeDate: this.#tradeDate,
      simulated: this.#market.isSimulated(symbol),
      events,
      counts: [],
    }));
  }
}
