import { ema, sma } from '../analysis/indicators/averages.ts';
import { adx } from '../analysis/indicators/directional.ts';
import { rsi } from '../analysis/indicators/rsi.ts';
import { relativeVolume5d } from '../analysis/momentum.ts';
import { offeredMatch, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import { RANGE_SESSIONS, threeDayRange } from '../analysis/range-3d.ts';
import { sliceBars } from '../analysis/sessions.ts';
import { DAY_MS } from '../base/dates.ts';
import { finiteOrNull } from '../base/wire.ts';
import { newestResults } from '../blocks/earnings.ts';
import { type PlaybookParts, playbookInputs } from '../blocks/playbook-inputs.ts';
import { resultInputs } from '../blocks/score-inputs.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import { knownFacts } from '../market/known-facts.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import type { DailyPrices } from '../tape/daily-prices.ts';
import type { SymbolTape } from '../tape/index.ts';
import { atrAt, tapesAround } from './around.ts';
import type { FoundClaims, RecordKind } from './kind.ts';
import { type ClaimDate, claimsOverNights, NIGHTS, type NightsWork } from './nights.ts';
import { matchClaim, playbookKind, recordedPlaybooks } from './playbook.ts';

const SWING_PLAYBOOKS = recordedPlaybooks('swing');
const PLACE_OF = new Map(SWING_PLAYBOOKS.map(({ strategy }, place) => [strategy, place]));

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
      worth: 'gain',
    },
    isCalledOff,
  ).found;

function claimantOf(tape: SymbolTape, prices: DailyPrices, dates: readonly ClaimDate[]) {
  const lastMatch = new Int32Array(SWING_PLAYBOOKS.length).fill(-NIGHTS - 1);
  const busy = new Uint8Array(dates.length * SWING_PLAYBOOKS.length);
  /** By date what its close could trade. */
  const matches = dates.map((date, at): readonly PlaybookMatch[] => {
    const row = prices.rowOn(date.day);
    const inputs = row < 0 ? null : playbookInputs(partsAtClose(prices, row, tape, date));
    return SWING_PLAYBOOKS.flatMap((playbook, place) => {
      const match = inputs === null ? null : offeredMatch(playbook, inputs);
      if (match !== null) lastMatch[place] = at;
      busy[at * SWING_PLAYBOOKS.length + place] = at - lastMatch[place]! <= NIGHTS ? 1 : 0;
      return match ?? [];
    });
  });
  return {
    claimsAt(date: ClaimDate, at: number) {
      const traded = matches[at]!.filter(({ trigger }) => isTraded(prices, date, trigger));
      if (traded.length === 0) return [];
      const range = atrAt(prices, prices.rowOn(date.day), date.day);
      return traded.map((match) => ({
        ...matchClaim(match),
        ...match,
        risk: Math.abs(match.trigger - match.stop) / range,
      }));
    },
    isBusy: (at: number, key: string) => busy[at * SWING_PLAYBOOKS.length + PLACE_OF.get(key)!] === 1,
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

/** Indicators of the last of some daily bars; each is worked out when it is asked for, which few of them are. */
function technicalAfter({ high, low, close }: BarColumns): NonNullable<PlaybookParts['technical']> {
  const last = (column: Float64Array): number | null => finiteOrNull(column.at(-1) ?? Number.NaN);
  return {
    get rsi_14() {
      return last(rsi(close, 14));
    },
    get adx_14() {
      return last(adx(high, low, close, 14));
    },
    moving_averages: {
      get ema_9() {
        return last(ema(close, 9));
      },
      get ema_20() {
        return last(ema(close, 20));
      },
      get sma_20() {
        return last(sma(close, 20));
      },
      get sma_50() {
        return last(sma(close, 50));
      },
      get sma_200() {
        return last(sma(close, 200));
      },
    },
  };
}

/** What playbooks of several days read at a close; of the session's minutes they ask nothing. */
function partsAtClose(
  prices: DailyPrices,
  row: number,
  { facts }: SymbolTape,
  { day, tradeDate, close: asOf }: ClaimDate,
): PlaybookParts {
  const daily = prices.inSharesOf(day);
  const first = prices.firstRow(row, day);
  const noMinutes = (): never => {
    throw new Error('a playbook of several days asks for minutes');
  };
  return {
    price: daily.close[row]!,
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
    technical: technicalAfter(sliceBars(daily, { from: first, to: row + 1 })),
    get atr() {
      return atrAt(prices, row, day);
    },
    levels: [],
    zones: [],
    range: row - first < RANGE_SESSIONS ? null : threeDayRange(daily, row - 1, null),
    isNarrow: null,
    atrCompressionRatio: Number.NaN,
    get relVol5d() {
      return relativeVolume5d(daily.volume.subarray(first), row - first);
    },
    get results() {
      const view = { facts: knownFacts(facts, asOf), tradeDate, asOf } as StockView;
      return resultInputs(view, newestResults(view));
    },
  };
}

export const swingPlaybook: RecordKind<NightsWork> = {
  ...playbookKind('nights'),
  name: 'swing_playbook',
  version: 3,
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
