import {
  type TechnicalColumns,
  technicalColumns,
  technicalValues,
} from '../analysis/indicators/technical-columns.ts';
import { relativeVolume5d } from '../analysis/momentum.ts';
import { offeredMatch, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import { threeDayRange } from '../analysis/range-3d.ts';
import { sliceBars } from '../analysis/sessions.ts';
import { DAY_MS } from '../base/dates.ts';
import { finiteOrNull } from '../base/wire.ts';
import { earnings } from '../blocks/earnings.ts';
import { type PlaybookParts, playbookInputs } from '../blocks/playbook-inputs.ts';
import { resultInputs } from '../blocks/score-inputs.ts';
import { deriveWith } from '../derive/compose.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import { knownFacts } from '../market/known-facts.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import type { DailyPrices } from '../tape/daily-prices.ts';
import type { SymbolTape } from '../tape/index.ts';
import { tapesAround } from './around.ts';
import type { FoundClaims, RecordKind } from './kind.ts';
import { type ClaimDate, claimsOverNights, NIGHTS, type NightsWork } from './nights.ts';
import { matchClaim, playbookKind, recordedPlaybooks } from './playbook.ts';

const SWING_PLAYBOOKS = recordedPlaybooks('swing');

/**
 * Playbooks that hold over nights and that a session's close could trade, whose trigger traded in the next session, and
 * what became of a trade that enters at the open of the session after that one. The controls are the stocks of the date
 * that the playbook did not match for 20 sessions: earlier dates of the same stock would be those that made the trend
 * which the playbook asks for.
 *
 * @param work tapes with results as they were reported
 */
export const swingClaims = (source: TapeSource, work: NightsWork, isCalledOff: () => boolean): FoundClaims =>
  claimsOverNights(
    source,
    work,
    {
      entersAfter: 2,
      claimantOf,
      worthOf: ({ gain }) => gain,
      columnOf: (stocks) => new Float64Array(stocks),
    },
    isCalledOff,
  ).found;

function claimantOf(tape: SymbolTape, prices: DailyPrices, dates: readonly ClaimDate[], lastDay: number) {
  const indicatorsAt = indicatorsOf(prices, lastDay);
  /** By date what its close could trade. */
  const matches = dates.map((date): readonly PlaybookMatch[] => {
    const { day } = date;
    const row = prices.rowOn(day);
    if (row < 0) return [];
    const daily = sliceBars(prices.inSharesOf(day), { from: prices.firstRow(row, day), to: row + 1 });
    const inputs = playbookInputs(partsAtClose(daily, indicatorsAt(row, day), tape, date));
    return SWING_PLAYBOOKS.flatMap((playbook) => offeredMatch(playbook, inputs) ?? []);
  });
  const rangeAt = (row: number, day: number): number => indicatorsAt(row, day).atr;
  return {
    claimsAt(date: ClaimDate, at: number) {
      const traded = matches[at]!.filter(({ trigger }) => isTraded(prices, date, trigger));
      if (traded.length === 0) return [];
      const range = rangeAt(prices.rowOn(date.day), date.day);
      return traded.map((match) => ({
        ...matchClaim(match),
        ...match,
        risk: Math.abs(match.trigger - match.stop) / range,
      }));
    },
    isBusy: (at: number, key: string) =>
      matches
        .slice(Math.max(0, at - NIGHTS), at + 1)
        .some((of) => of.some(({ playbook }) => playbook.strategy === key)),
    rangeAt,
  };
}

/** Whether the next session traded a price of this one, or passed over it before its open. */
function isTraded(prices: DailyPrices, { day, begunDay: nextDay }: ClaimDate, price: number): boolean {
  const row = prices.rowOn(day);
  const { time, open, high, low, close } = prices.inSharesOf(nextDay);
  if (time[row + 1] !== nextDay * DAY_MS) return false;
  const at = price * prices.scaleOf(row, day, nextDay);
  return (low[row + 1]! <= at && at <= high[row + 1]!) || (close[row]! - at) * (open[row + 1]! - at) < 0;
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
    const scale = prices.scaleOf(row, lastDay, day);
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

export const swingPlaybook: RecordKind<NightsWork> = {
  ...playbookKind('nights'),
  name: 'swing_playbook',
  version: 2,
  datesAtOnce: 60,
  reads: {},
  async load(ground, dates, { lastDay }) {
    const { tape, calendar, deriver } = ground;
    const closeOf = (date: string): number => calendar.session(date)!.close;
    const [from, to] = [closeOf(dates[0]!), closeOf(dates.at(-1)!)];
    const around = await tapesAround(ground, dates, NIGHTS, lastDay);
    const requests = around.map((of) => ({ tape: of, from, to }));
    const tapes = await tape.withFacts(requests, { kinds: ['earnings_date', 'earnings_report'] });
    return deriver.claims(swingPlaybook, { tapes, dates, lastDay });
  },
  find: swingClaims,
};
