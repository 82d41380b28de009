import { DAY_MS, midnightUtc } from '../base/calendar.ts';
import { knownFacts } from '../market/known-facts.ts';
import { asBars, asFlow, asVolatility, emptyColumns } from '../market/series.ts';
import type { StockView } from '../market/stock-view.ts';
import { readStockView, type SymbolTape } from '../tape/index.ts';
import { readChain, VOLATILITY_REACH_DAYS } from '../tape/read-view.ts';
import type { TapeSource } from './tape-source.ts';

/** Maximum age in sessions of the last bars, which replace those of a session without any. */
const BARE_SESSIONS_MAX = 5;

/** The stock's view of the session, or a view of the chain alone where the session has no bar. */
export function viewOfChain(
  source: TapeSource,
  tape: SymbolTape,
  tradeDate: string,
  asOf: number,
): StockView {
  return (
    readStockView(source.reader, tape, source.calendar, tradeDate, asOf) ??
    bareView(source, tape, tradeDate, asOf, lastViewBefore(source, tape, tradeDate, asOf))
  );
}

/** The view of the last session with a bar; null when it is too old or on another price basis. */
function lastViewBefore(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  tradeDate: string,
  asOf: number,
): StockView | null {
  let date = calendar.previousSession(tradeDate);
  for (let back = 0; back < BARE_SESSIONS_MAX && date !== null; back++) {
    const view = readStockView(reader, tape, calendar, date, asOf);
    if (view !== null) return hasSplitBetween(tape, date, tradeDate) ? null : view;
    date = calendar.previousSession(date);
  }
  return null;
}

const hasSplitBetween = ({ actions }: SymbolTape, after: string, until: string): boolean =>
  actions.some(
    ({ kind, exDate }) => kind === 'split' && exDate > midnightUtc(after) && exDate <= midnightUtc(until),
  );

/** A view with the chain and the facts beside it, without bars of its session. */
function bareView(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  tradeDate: string,
  asOf: number,
  earlier: StockView | null,
): StockView {
  const session = calendar.session(tradeDate)!;
  const priorDate = calendar.previousSession(tradeDate)!;
  const day = midnightUtc(tradeDate);
  const lastDay = (asOf >= session.close ? day : midnightUtc(priorDate)) / DAY_MS;
  const chain = readChain(reader, tape, day / DAY_MS, asOf);
  const noBars = asBars(emptyColumns('bars-1d'));
  const daily = earlier?.daily ?? noBars;
  return {
    symbol: tape.symbol,
    tradeDate,
    asOf,
    session,
    priorSession: calendar.session(priorDate)!,
    sessionOn: calendar.sessionOn,
    daily,
    dailyNow: daily,
    todayRow: -1,
    priorRow: daily.time.length - 1,
    running: null,
    intraday: noBars,
    intradayInterval: null,
    partialFeed: null,
    badPrints: 0,
    intradayWhole: false,
    intradayCutAt: null,
    part: null,
    priorPart: null,
    priorIntraday: noBars,
    priorIntradayInterval: null,
    priorIntradayWhole: false,
    flow: asFlow(emptyColumns('flow-minutes')),
    quoteTime: null,
    actions: tape.actions.filter(({ kind, exDate }) => kind === 'split' && exDate <= day),
    facts: knownFacts(tape.facts, asOf),
    chain,
    chainAt: asOf,
    peers: null,
    volatility: asVolatility(reader.rows(tape, 'volatility-1d', lastDay - VOLATILITY_REACH_DAYS, lastDay)),
    simulated: chain?.simulated ?? false,
  };
}
