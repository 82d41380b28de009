import { lastEma, lastSma } from '../analysis/indicators/averages.ts';
import { adx } from '../analysis/indicators/directional.ts';
import { rsi } from '../analysis/indicators/rsi.ts';
import { relativeVolume5d } from '../analysis/momentum.ts';
import { offeredMatch, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import { RANGE_SESSIONS, threeDayRange } from '../analysis/range-3d.ts';
import { type RowRange, sliceBars } from '../analysis/sessions.ts';
import { DAY_MS } from '../base/dates.ts';
import { finiteOrNull, orNaN } from '../base/wire.ts';
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
    const inputs = row < 0 ? null : playbookInputs(new CloseParts(prices, row, tape, date));
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

type Technical = NonNullable<PlaybookParts['technical']>;
type Averages = NonNullable<Technical['moving_averages']>;

/**
 * What playbooks of several days read at a close, each worked out when it is first asked for, which few are; of the
 * session's minutes they ask nothing.
 */
class CloseParts implements PlaybookParts, Technical, Averages {
  readonly price: number;
  readonly vwap = Number.NaN;
  readonly openingRange = NOTHING;
  readonly initialBalance = NOTHING;
  readonly day = null;
  readonly levels = [];
  readonly zones = [];
  readonly isNarrow = null;
  readonly atrCompressionRatio = Number.NaN;
  readonly #prices: DailyPrices;
  readonly #tape: SymbolTape;
  readonly #date: ClaimDate;
  readonly #row: number;
  /** In the shares of the date. */
  readonly #daily: BarColumns;
  /** Those of the view of the date. */
  readonly #rows: RowRange;
  readonly #known = new Map<string, number | null>();

  constructor(prices: DailyPrices, row: number, tape: SymbolTape, date: ClaimDate) {
    this.#prices = prices;
    this.#tape = tape;
    this.#date = date;
    this.#row = row;
    this.#daily = prices.inSharesOf(date.day);
    this.#rows = { from: prices.firstRow(row, date.day), to: row + 1 };
    this.price = this.#daily.close[row]!;
  }

  get fast(): never {
    throw new Error('a playbook of several days asks for minutes');
  }

  get figures(): never {
    return this.fast;
  }

  get technical(): Technical {
    return this;
  }

  get moving_averages(): Averages {
    return this;
  }

  get ema_9(): number | null {
    return this.#once('ema_9', () => lastEma(this.#daily.close, this.#rows, 9));
  }

  get ema_20(): number | null {
    return this.#once('ema_20', () => lastEma(this.#daily.close, this.#rows, 20));
  }

  get sma_20(): number | null {
    return this.#once('sma_20', () => lastSma(this.#daily.close, this.#rows, 20));
  }

  get sma_50(): number | null {
    return this.#once('sma_50', () => lastSma(this.#daily.close, this.#rows, 50));
  }

  get sma_200(): number | null {
    return this.#once('sma_200', () => lastSma(this.#daily.close, this.#rows, 200));
  }

  get rsi_14(): number | null {
    return this.#once('rsi_14', () => rsi(sliceBars(this.#daily, this.#rows).close, 14).at(-1)!);
  }

  get adx_14(): number | null {
    return this.#once('adx_14', () => {
      const { high, low, close } = sliceBars(this.#daily, this.#rows);
      return adx(high, low, close, 14).at(-1)!;
    });
  }

  get atr(): number {
    return orNaN(this.#once('atr', () => atrAt(this.#prices, this.#row, this.#date.day)));
  }

  get range(): PlaybookParts['range'] {
    const { from } = this.#rows;
    return this.#row - from < RANGE_SESSIONS ? null : threeDayRange(this.#daily, this.#row - 1, null);
  }

  get relVol5d(): number {
    const { from } = this.#rows;
    return relativeVolume5d(this.#daily.volume.subarray(from), this.#row - from);
  }

  get results(): PlaybookParts['results'] {
    const { tradeDate, close: asOf } = this.#date;
    const view = { facts: knownFacts(this.#tape.facts, asOf), tradeDate, asOf } as StockView;
    return resultInputs(view, newestResults(view));
  }

  #once(name: string, make: () => number): number | null {
    return this.#known.getOrInsertComputed(name, () => finiteOrNull(make()));
  }
}

export const swingPlaybook: RecordKind<NightsWork> = {
  ...playbookKind('nights'),
  name: 'swing_playbook',
  version: 3,
  datesAtOnce: 200,
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
