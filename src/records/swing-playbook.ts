import {
  type TechnicalColumns,
  technicalColumns,
  technicalValues,
} from '../analysis/indicators/technical-columns.ts';
import { relativeVolume5d } from '../analysis/momentum.ts';
import { offeredMatch, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import type { Playbook } from '../analysis/playbooks/playbook.ts';
import { threeDayRange } from '../analysis/range-3d.ts';
import { roundedDistance } from '../analysis/records/barriers.ts';
import { daysTrade, type TradeDistances } from '../analysis/records/playbook-trades.ts';
import { sliceBars } from '../analysis/sessions.ts';
import { type Calendar, DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { finiteOrNull } from '../base/wire.ts';
import { earnings } from '../blocks/earnings.ts';
import { type PlaybookParts, playbookInputs } from '../blocks/playbook-inputs.ts';
import { resultInputs } from '../blocks/score-inputs.ts';
import { deriveWith } from '../derive/compose.ts';
import { sessionsBefore, type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import { knownFacts } from '../market/known-facts.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import type { SymbolTape } from '../tape/index.ts';
import { tapesAround } from './around.ts';
import { DailyPrices } from './daily-prices.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import type { RecordKind } from './kind.ts';
import { compared, recordedPlaybooks, tradesOf } from './playbook.ts';

interface SwingClaimsWork {
  /** With results as they were reported. */
  readonly tapes: readonly SymbolTape[];
  /** Sessions that have closed, ascending. */
  readonly dates: readonly string[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** Sessions in which a stock that matched is no control. */
const BUSY_SESSIONS = 20;
/** For which a trade is held at most. */
const SWING_HORIZON = 20;
const SWING_PLAYBOOKS = recordedPlaybooks('swing');

/** A session on the calendar with those between which its claims are open. */
interface ClaimDate {
  readonly tradeDate: string;
  readonly close: number;
  readonly day: number;
  /** The session in which the trigger is to trade, the one of the entry, and the last of the horizon. */
  readonly nextDay: number;
  readonly entryDay: number;
  readonly endDay: number;
}

interface Match extends Pick<PlaybookMatch, 'playbook' | 'trigger' | 'stop' | 'target'> {
  /** Daily ATR(14), dollars. */
  readonly atr: number;
}

/** A stock on the dates of the work and some before. */
interface Stock {
  readonly symbol: string;
  readonly simulated: boolean;
  readonly prices: DailyPrices;
  readonly indicatorsAt: ReturnType<typeof indicatorsOf>;
  /** By date what its close could trade. */
  readonly matches: readonly (readonly Match[])[];
}

/**
 * Playbooks that hold over nights and that a session's close could trade, whose trigger traded in the next session, and
 * what became of a trade that enters at the open of the session after that one. The controls are the stocks of the date
 * that the playbook did not match for 20 sessions, with the same side and distances: earlier dates of the same stock
 * would be those that made the trend which the playbook asks for. Indices are left out.
 *
 * @param isCalledOff checked before each symbol; the result is empty once it is true
 */
export function swingClaims(
  source: TapeSource,
  { tapes, dates, lastDay }: SwingClaimsWork,
  isCalledOff: () => boolean,
): { readonly observed: readonly string[]; readonly claims: readonly SymbolClaims[] } {
  const { calendar } = source;
  const before = sessionsBefore(calendar, dates[0]!, BUSY_SESSIONS)
    .toReversed()
    .map(({ tradeDate }) => tradeDate);
  const days = [...before, ...dates].map((date) => claimDate(calendar, date));
  const stocks: Stock[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return { observed: [], claims: [] };
    if (tape.symbol.startsWith('^')) continue;
    stocks.push(...unlessDamaged(() => [stockOf(source, tape, days, lastDay)]));
  }
  const claims = days.flatMap((date, at) =>
    at < before.length || isCalledOff() ? [] : claimsOn(calendar, stocks, date, at, lastDay),
  );
  const observed = days
    .slice(before.length)
    .filter(({ day }) => stocks.some(({ prices }) => prices.rowOn(day) >= 0));
  return { observed: observed.map(({ tradeDate }) => tradeDate), claims };
}

function claimDate(calendar: Calendar, tradeDate: string): ClaimDate {
  const index = calendar.sessionIndex(tradeDate);
  const later = (sessions: number): number => {
    const session = calendar.sessionAt(index + sessions);
    return session === null ? Number.POSITIVE_INFINITY : dayOf(session.tradeDate);
  };
  return {
    tradeDate,
    close: calendar.session(tradeDate)!.close,
    day: dayOf(tradeDate),
    nextDay: later(1),
    entryDay: later(2),
    endDay: later(SWING_HORIZON),
  };
}

function stockOf(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  days: readonly ClaimDate[],
  lastDay: number,
): Stock {
  const prices = new DailyPrices(reader, tape, calendar, {
    first: days[0]!.day,
    last: Math.min(lastDay, days.at(-1)!.endDay),
  });
  const indicatorsAt = indicatorsOf(prices, Math.min(lastDay, days.at(-1)!.endDay));
  return {
    symbol: tape.symbol,
    indicatorsAt,
    simulated: tape.slices.some((slice) => slice.simulated),
    prices,
    matches: days.map((date) => {
      const { day } = date;
      const row = prices.rowOn(day);
      if (row < 0) return [];
      const daily = sliceBars(prices.inSharesOf(day), { from: prices.firstRow(row, day), to: row + 1 });
      const inputs = playbookInputs(partsAtClose(daily, indicatorsAt(row, day), tape, date));
      return SWING_PLAYBOOKS.flatMap((playbook) => {
        const match = offeredMatch(playbook, inputs);
        return match === null ? [] : [{ ...match, atr: inputs.atr }];
      });
    }),
  };
}

function claimsOn(
  calendar: Calendar,
  stocks: readonly Stock[],
  date: ClaimDate,
  at: number,
  lastDay: number,
): SymbolClaims[] {
  // Nobody knows yet whether a trigger trades.
  if (date.nextDay > lastDay) return [];
  const controls = controlsOf(stocks, date, at);
  return stocks.flatMap((stock) => {
    const { symbol, simulated, prices } = stock;
    const events = stock.matches[at]!.filter(({ trigger }) => isTraded(prices, date, trigger)).map((match) =>
      eventOf(calendar, stock, date, match, lastDay, controls),
    );
    return events.length === 0 ? [] : [{ symbol, tradeDate: date.tradeDate, simulated, events, counts: [] }];
  });
}

/** What prices of a day are multiplied by to be in the shares of another. */
const scaleOf = (prices: DailyPrices, row: number, from: number, to: number): number =>
  prices.inSharesOf(to).close[row]! / prices.inSharesOf(from).close[row]!;

/** Whether the next session traded a price of this one, or passed over it before its open. */
function isTraded(prices: DailyPrices, { day, nextDay }: ClaimDate, price: number): boolean {
  const row = prices.rowOn(day);
  const { time, open, high, low, close } = prices.inSharesOf(nextDay);
  if (time[row + 1] !== nextDay * DAY_MS) return false;
  const at = price * scaleOf(prices, row, day, nextDay);
  return (low[row + 1]! <= at && at <= high[row + 1]!) || (close[row]! - at) * (open[row + 1]! - at) < 0;
}

type Controls = ReturnType<typeof controlsOf>;

function eventOf(
  calendar: Calendar,
  stock: Stock,
  { day, nextDay, entryDay, endDay }: ClaimDate,
  { playbook, trigger, stop, target, atr: dailyAtr }: Match,
  lastDay: number,
  controls: Controls,
): ClaimEvent {
  const { prices } = stock;
  const closeOf = (of: number): number => calendar.session(dateOf(of * DAY_MS))!.close;
  const side = playbook.direction === 'bullish' ? 1 : -1;
  const claim = {
    key: playbook.strategy,
    claim: `stop ${stop.toFixed(2)}, target ${target.toFixed(2)}`,
    begunAt: closeOf(nextDay),
    side,
    price: trigger,
    chance: null,
    controls: 0,
  } as const;
  const until = Math.min(endDay, lastDay);
  const row = prices.rowOn(day);
  const [from, to] = [row + 2, prices.endOf(until)];
  const bars = prices.inSharesOf(until);
  const scale = scaleOf(prices, row, day, until);
  const range = dailyAtr * scale;
  const entry = from < to ? bars.open[from]! : Number.NaN;
  const distances = {
    stop: (side * (entry - stop * scale)) / range,
    target: (side * (target * scale - entry)) / range,
  };
  // Not entered yet, or already beyond one of the two prices: nothing to judge.
  if (!(distances.stop > 0 && distances.target > 0)) {
    const isKnown = entryDay <= lastDay;
    const isGone = isKnown && endDay <= lastDay && from >= to;
    return { ...claim, decidedAt: null, outcome: isKnown ? 'undecided' : null, isGone, isAmbiguous: false };
  }
  const trade = daysTrade(bars, from, to, side, range, distances);
  const isDecided = trade.decidedRow !== null;
  if (!isDecided && endDay > lastDay)
    return { ...claim, decidedAt: null, outcome: null, isGone: false, isAmbiguous: false };
  const risk = Math.abs(trigger - stop) / dailyAtr;
  return {
    ...claim,
    decidedAt: closeOf(isDecided ? bars.time[trade.decidedRow]! / DAY_MS : endDay),
    outcome: trade.gain > 0 ? 'true' : 'false',
    isGone: !isDecided && bars.time[to - 1]! < endDay * DAY_MS,
    isAmbiguous: trade.isAmbiguous,
    gain: trade.gain / risk,
    ...(endDay <= lastDay ? compared(controls(stock, playbook, side, distances), risk) : {}),
  };
}

/** Trades of the stocks of a date that a playbook did not match in the last sessions, at the same distances in their ATR. */
function controlsOf(stocks: readonly Stock[], { day, endDay }: ClaimDate, at: number) {
  const trades = new Map<string, readonly ({ readonly gain: number } | null)[]>();
  let entries: ReturnType<typeof entryOf>[] | undefined;
  const isBusy = ({ matches }: Stock, playbook: Playbook): boolean =>
    matches
      .slice(Math.max(0, at - BUSY_SESSIONS), at + 1)
      .some((of) => of.some((each) => each.playbook === playbook));
  return (own: Stock, playbook: Playbook, side: 1 | -1, { stop, target }: TradeDistances) => {
    const distances = { stop: roundedDistance(stop, 1), target: roundedDistance(target, 1) };
    entries ??= stocks.map((stock) => entryOf(stock, day, endDay));
    const from = entries;
    const like = trades.getOrInsertComputed(`${side} ${distances.stop} ${distances.target}`, () =>
      from.map((entry) => entry && daysTrade(entry.bars, entry.from, entry.to, side, entry.range, distances)),
    );
    const all = { count: 0, won: 0, gain: 0 };
    for (const [place, stock] of stocks.entries()) {
      const trade = like[place];
      if (trade == null || stock === own || isBusy(stock, playbook)) continue;
      all.count++;
      all.gain += trade.gain;
      if (trade.gain > 0) all.won++;
    }
    return all;
  };
}

function entryOf({ prices, indicatorsAt }: Stock, day: number, endDay: number) {
  const [row, to] = [prices.rowOn(day), prices.endOf(endDay)];
  if (row < 0 || row + 2 >= to) return null;
  const range = indicatorsAt(row, endDay).atr;
  return range > 0 ? { bars: prices.inSharesOf(endDay), from: row + 2, to, range } : null;
}

const NOTHING = { high: Number.NaN, low: Number.NaN, range: Number.NaN };

type Indicators = ReturnType<ReturnType<typeof indicatorsOf>>;

/** Daily indicators of a row in the shares of its day. Those of a row are of the rows up to it, so that one walk has all. */
function indicatorsOf(prices: DailyPrices, lastDay: number) {
  const bars = prices.inSharesOf(lastDay);
  const runs = new Map<number, TechnicalColumns>();
  return (row: number, day: number) => {
    const begin = prices.beginOf(row);
    const columns = runs.getOrInsertComputed(begin, () =>
      technicalColumns(bars.high.subarray(begin), bars.low.subarray(begin), bars.close.subarray(begin)),
    );
    const { rsi14, adx14, atr14, ema9, ema20, sma20, sma50, sma200 } = technicalValues(columns, row - begin);
    const scale = scaleOf(prices, row, lastDay, day);
    const price = (of: number): number | null => finiteOrNull(of * scale);
    return {
      rsi_14: finiteOrNull(rsi14),
      adx_14: finiteOrNull(adx14),
      atr: atr14 * scale,
      moving_averages: {
        ema_9: price(ema9),
        ema_20: price(ema20),
        sma_20: price(sma20),
        sma_50: price(sma50),
        sma_200: price(sma200),
      },
    };
  };
}

/** What playbooks of several days read at a close; of the session's minutes they ask nothing. */
function partsAtClose(
  daily: BarColumns,
  indicators: Indicators,
  { facts }: SymbolTape,
  { tradeDate, close: asOf }: ClaimDate,
): PlaybookParts {
  const last = daily.close.length - 1;
  const noMinutes = (): never => {
    throw new Error('a playbook of several days asks for minutes');
  };
  return {
    price: daily.close[last]!,
    vwap: Number.NaN,
    openingRange: NOTHING,
    initialBalance: NOTHING,
    get fast() {
      return noMinutes();
    },
    get figures() {
      return noMinutes();
    },
    day: null,
    technical: indicators,
    atr: indicators.atr,
    levels: [],
    zones: [],
    range: threeDayRange(daily, last - 1, null),
    isNarrow: null,
    atrCompressionRatio: Number.NaN,
    get relVol5d() {
      return relativeVolume5d(daily.volume, last);
    },
    get results() {
      const view = { facts: knownFacts(facts, asOf), tradeDate, asOf } as StockView;
      return resultInputs(view, deriveWith(earnings, view, unknownMarket(tradeDate, asOf)).nested);
    },
  };
}

export const swingPlaybook: RecordKind<SwingClaimsWork> = {
  name: 'swing_playbook',
  version: 2,
  releasedAt: '2026-11-28',
  keys: SWING_PLAYBOOKS.map(({ strategy }) => strategy),
  horizonOf: () => SWING_HORIZON,
  measures: 'gains',
  datesAtOnce: 60,
  reads: {},
  async load(ground, dates, { lastDay }) {
    const { tape, calendar, deriver } = ground;
    const closeOf = (date: string): number => calendar.session(date)!.close;
    const [from, to] = [closeOf(dates[0]!), closeOf(dates.at(-1)!)];
    const requests = (await tapesAround(ground, dates, SWING_HORIZON, lastDay)).map((of) => ({
      tape: of,
      from,
      to,
    }));
    const tapes = await tape.withFacts(requests, { kinds: ['earnings_date', 'earnings_report'] });
    return deriver.claims(swingPlaybook, { tapes, dates, lastDay });
  },
  find: (source, work, isCalledOff) => ({ ...swingClaims(source, work, isCalledOff), measures: new Map() }),
  says: { subject: tradesOf, tested: 'playbooks over nights' },
};
