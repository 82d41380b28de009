import { confluenceZones } from '../analysis/backtest/session-columns.ts';
import { atrCompressionRatio, isInsideDay, isNr7 } from '../analysis/compression.ts';
import type { DayClassification } from '../analysis/day-type.ts';
import { developingProfile } from '../analysis/developing-profile.ts';
import {
  nextTechnical,
  type TechnicalValues,
  technicalEnd,
} from '../analysis/indicators/technical-columns.ts';
import { atr, nextAtr } from '../analysis/indicators/true-range.ts';
import { initialBalance } from '../analysis/levels.ts';
import { type SessionFigures, sessionFiguresAfter } from '../analysis/playbooks/session-figures.ts';
import type { FastInputs } from '../analysis/scoring/inputs.ts';
import { fastInputs, type SessionPath, sessionPath } from '../analysis/scoring/session.ts';
import {
  extremesSoFar,
  intradayBars,
  MINUTE_MS,
  NO_RANGE,
  type PriceRange,
  sliceBars,
} from '../analysis/sessions.ts';
import type { Session } from '../base/calendar.ts';
import { onceFor } from '../base/once-for.ts';
import { finiteOrNull, orNaN } from '../base/wire.ts';
import { newestResults } from '../blocks/earnings.ts';
import { instrumentOf } from '../blocks/identity.ts';
import type { PlaybookParts } from '../blocks/playbook-inputs.ts';
import { priceVolume } from '../blocks/price-volume.ts';
import { range3d } from '../blocks/range-3d.ts';
import { PATH_BLOCKS, pathInput, resultInputs } from '../blocks/score-inputs.ts';
import { volumeProfile } from '../blocks/volume-profile.ts';
import { deriveSome } from '../derive/compose.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import { knownFacts } from '../market/known-facts.ts';
import { unknownMarket } from '../market/market-view.ts';
import { type BarColumns, barColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import { isSimulated, type SymbolTape } from '../tape/index.ts';
import { readBarsView } from '../tape/read-view.ts';
import { dayTypesOf } from './day-types.ts';

/** After a number of the session's bars what playbooks read, as the stock's answer of that minute has it. */
export type PartsAfter = (count: number) => PlaybookParts;

const ORB_MINUTES = 15;
const IB_MINUTES = 60;

/**
 * A session whose every minute can be asked for what playbooks read, without a view of each: what holds still is derived
 * once, what moves is read from columns over the whole session, whose rows know nothing later.
 *
 * @param whole bars of the trade date as they were at the close
 * @returns null for an index, and before the stock has a history
 */
export function playbookMinutes(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  session: Session,
  whole: BarColumns,
): { readonly partsAfter: PartsAfter; readonly simulated: boolean } | null {
  const { tradeDate } = session;
  const firstBar = whole.time.find((time) => time >= session.open)!;
  const view = readBarsView(reader, tape, calendar, tradeDate, firstBar + MINUTE_MS);
  if (view === null || view.todayRow < 0) return null;
  // Nothing else of a view is read.
  const early = { ...view, facts: knownFacts(tape.facts, view.asOf) } as StockView;
  if (instrumentOf(early) === 'index') return null;
  const { daily } = early;
  const market = unknownMarket(tradeDate, early.asOf);
  const read = [...PATH_BLOCKS, priceVolume, volumeProfile];
  const known = deriveSome(read, early, market);
  // Levels and the session before are as they stood in the first minute; the bars are those of all.
  const path = sessionPath({ ...pathInput(early, known), intraday: whole, asOf: session.close });
  const priorValue = known(volumeProfile).nested?.prior ?? null;
  const orb = path.ranges.find(({ end }) => end === session.open + ORB_MINUTES * MINUTE_MS);
  const bars = sliceBars(whole, path.rows);
  const day: Day = {
    early,
    path,
    bars,
    dayTypes: dayTypesOf(whole, path.rows.from, session, priorValue, path.vwap, path.trend, () =>
      developingProfile(bars, { from: 0, to: bars.time.length }),
    ),
    orb: orb ?? NO_RANGE,
    balance: initialBalance(intradayBars(whole, '1m', session.close), session),
    figures: sessionFiguresAfter({
      bars,
      isMinutes: true,
      vwap: path.vwap,
      orbHigh: orb?.high ?? Number.NaN,
      orbLow: orb?.low ?? Number.NaN,
      dailyAtr: path.input.priorAtr,
    }),
    dailyNow: barColumns((name) => early.dailyNow[name].slice()),
    priorAtr: path.input.priorAtr,
    extremes: extremesSoFar(bars),
    still: {
      levels: path.prices,
      zones: confluenceZones(early, priorValue, path.input.priorAtr),
      range: known(range3d).nested,
      isNarrow: daily.close.length === 0 ? null : isNr7(daily) || isInsideDay(daily),
      atrCompressionRatio: atrCompressionRatio(daily),
      relVol5d: orNaN(known(priceVolume).flat.rel_vol_5d),
      results: resultInputs(early, newestResults(early)),
    },
  };
  return { partsAfter: (count) => new MinuteParts(day, count), simulated: isSimulated(tape) };
}

const endOf = onceFor(technicalEnd);

type Still = Pick<
  PlaybookParts,
  'levels' | 'zones' | 'range' | 'isNarrow' | 'atrCompressionRatio' | 'relVol5d' | 'results'
>;

interface Day {
  /** The view at the end of the first bar. */
  readonly early: StockView;
  readonly path: SessionPath;
  /** Regular minutes. */
  readonly bars: BarColumns;
  readonly dayTypes: (count: number) => DayClassification | null;
  readonly orb: PriceRange;
  readonly balance: PriceRange & { readonly range: number };
  readonly figures: (count: number) => SessionFigures;
  /** Daily bars with a last row that each minute writes anew. */
  readonly dailyNow: BarColumns;
  /** ATR(14) of the days before; NaN without enough of them. */
  readonly priorAtr: number;
  /** Highest and lowest price after each bar. */
  readonly extremes: Pick<BarColumns, 'high' | 'low'>;
  readonly still: Still;
}

function indicatorParts({
  rsi14,
  adx14,
  ema9,
  ema20,
  sma20,
  sma50,
  sma200,
}: TechnicalValues): NonNullable<PlaybookParts['technical']> {
  return {
    rsi_14: finiteOrNull(rsi14),
    adx_14: finiteOrNull(adx14),
    moving_averages: {
      ema_9: finiteOrNull(ema9),
      ema_20: finiteOrNull(ema20),
      sma_20: finiteOrNull(sma20),
      sma_50: finiteOrNull(sma50),
      sma_200: finiteOrNull(sma200),
    },
  };
}

/** Parts at the end of a bar; what costs is made when it is first read. */
class MinuteParts implements PlaybookParts {
  readonly price: number;
  readonly vwap: number;
  readonly levels: Still['levels'];
  readonly zones: Still['zones'];
  readonly range: Still['range'];
  readonly isNarrow: Still['isNarrow'];
  readonly atrCompressionRatio: number;
  readonly relVol5d: number;
  readonly results: Still['results'];
  readonly #day: Day;
  readonly #count: number;
  readonly #instant: number;
  #fast: FastInputs | undefined;
  #figures: SessionFigures | undefined;
  #technical: PlaybookParts['technical'] | undefined;
  #atr: number | undefined;

  constructor(day: Day, count: number) {
    const { bars, path, still } = day;
    this.#day = day;
    this.#count = count;
    this.#instant = bars.time[count - 1]! + MINUTE_MS;
    this.price = bars.close[count - 1]!;
    this.vwap = path.vwap[count - 1]!;
    this.levels = still.levels;
    this.zones = still.zones;
    this.range = still.range;
    this.isNarrow = still.isNarrow;
    this.atrCompressionRatio = still.atrCompressionRatio;
    this.relVol5d = still.relVol5d;
    this.results = still.results;
  }

  get openingRange(): PriceRange {
    return this.#isAfter(ORB_MINUTES) ? this.#day.orb : NO_RANGE;
  }

  get initialBalance(): PriceRange & { readonly range: number } {
    return this.#isAfter(IB_MINUTES) ? this.#day.balance : { ...NO_RANGE, range: Number.NaN };
  }

  get fast(): FastInputs {
    this.#fast ??= fastInputs(this.#day.path, this.#instant, this.price);
    return this.#fast;
  }

  get figures(): SessionFigures {
    if (this.#figures === undefined) {
      const figures = this.#day.figures(this.#count);
      const isKnown = this.#isAfter(ORB_MINUTES);
      this.#figures = isKnown ? figures : { ...figures, orb_retest_run: Number.NaN };
    }
    return this.#figures;
  }

  get day(): PlaybookParts['day'] {
    const found = this.#day.dayTypes(this.#count);
    if (found === null) return null;
    const { rotationScore, trendScore, dayType } = found;
    return { rotation_score: rotationScore, trend_score: trendScore, day_type: dayType };
  }

  get technical(): PlaybookParts['technical'] {
    this.#technical ??= indicatorParts(nextTechnical(endOf(this.#day.early.daily), this.#dailyNow()));
    return this.#technical;
  }

  get atr(): number {
    if (this.#atr === undefined) {
      const { high, low, close } = this.#dailyNow();
      const row = close.length - 1;
      // Fewer days than the average spans, or just as many, have no average before.
      this.#atr = Number.isNaN(this.#day.priorAtr)
        ? atr(high, low, close, 14)[row]!
        : nextAtr(this.#day.priorAtr, high[row]!, low[row]!, close[row - 1]!);
    }
    return this.#atr;
  }

  #isAfter(minutes: number): boolean {
    return this.#instant >= this.#day.early.session.open + minutes * MINUTE_MS;
  }

  /** Daily bars with that of the session so far. */
  #dailyNow(): BarColumns {
    const { dailyNow, extremes } = this.#day;
    const [row, bar] = [dailyNow.close.length - 1, this.#count - 1];
    dailyNow.high[row] = extremes.high[bar]!;
    dailyNow.low[row] = extremes.low[bar]!;
    dailyNow.close[row] = this.price;
    return dailyNow;
  }
}
