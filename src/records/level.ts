import { regularMinutes } from '../analysis/backtest/session-columns.ts';
import type { DayClassification } from '../analysis/day-type.ts';
import {
  LEVEL_FAMILIES,
  type Level,
  type LevelFamily,
  ladderRungs,
  NOISE_ATR,
} from '../analysis/level-ladder.ts';
import { INITIAL_BALANCE_MINUTES, levels as levelsOf, madeInMinutes } from '../analysis/levels.ts';
import { PatternHistory } from '../analysis/patterns/history.ts';
import { boundariesAt, isBy } from '../analysis/patterns/lifecycle.ts';
import {
  type LevelEvent,
  levelEvents,
  movingLevelEvents,
  placeboPath,
  placeboPrice,
  placeboWeights,
  type SessionBars,
  sessionBars,
  stratumOf,
} from '../analysis/records/level-events.ts';
import { type MovingLevel, movingLevels, withoutTwinPaths } from '../analysis/records/moving-levels.ts';
import { TrendWalk } from '../analysis/session-trend.ts';
import { barLengthMs, intradayBars, MINUTE_MS, priceRange, rowAtOrAfter } from '../analysis/sessions.ts';
import type { ValueArea } from '../analysis/volume-profile.ts';
import { DAY_MS, dayOf, type Session } from '../base/calendar.ts';
import { onceFor } from '../base/once-for.ts';
import { everyLevel, LADDER_BLOCKS, levelsOfPattern, OPENING_FIELDS } from '../blocks/level-ladder.ts';
import { openingFields } from '../blocks/levels.ts';
import { priceVolume } from '../blocks/price-volume.ts';
import { technical } from '../blocks/technical.ts';
import { volumeProfile } from '../blocks/volume-profile.ts';
import { deriveSome } from '../derive/compose.ts';
import { rowsOfEach, sessionsBefore, type TapeSource } from '../derive/tape-source.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { BarColumns } from '../market/observations.ts';
import type { BarsView, StockView } from '../market/stock-view.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import { isSimulated, type SymbolTape } from '../tape/index.ts';
import { readBarsView } from '../tape/read-view.ts';
import { findByMinute, type MinutesWork, observedIn } from './around.ts';
import { dayTypesOf } from './day-types.ts';
import {
  type ClaimEvent,
  controlsOf,
  MOVING_LEVELS,
  type SideCount,
  type SymbolClaims,
  sharedOf,
} from './events.ts';
import { capital, inWords, type RecordKind } from './kind.ts';
import { dayRegime } from './regimes.ts';
import { readClaimTerms } from './store.ts';

/** Sessions before, whose levels serve as placebos. */
const PLACEBO_SESSIONS = 10;

/** A level that holds still over the session. */
interface FixedLevel {
  readonly family: LevelFamily;
  readonly name: string;
  readonly price: number;
  readonly fromMinute: number;
}

/** What is kept of the levels of a session, for the sessions after it. */
interface LevelTerms {
  readonly atr: number;
  readonly priorClose: number;
  readonly levels: readonly FixedLevel[];
}

/** The levels of a session that serve as placebos in others. */
interface EarlierLevels extends LevelTerms {
  /** Minutes of the whole session; null where the tape has none, or a fragment. */
  readonly bars: SessionBars | null;
  /** What moved over these minutes. */
  readonly moving: readonly MovingLevel[];
}

interface LevelsOfDay extends EarlierLevels {
  /** What kind of day it had been before a minute, see `dayRegime`. */
  readonly regimeBefore: (minute: number) => number;
  readonly simulated: boolean;
}

interface LevelClaimsWork extends MinutesWork {
  /** By symbol and earlier date the `LevelTerms` that were written of them, JSON text. */
  readonly known: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * What became of the levels that were served on some dates, and of levels where none was. Dates without the minutes of a
 * whole session are left out.
 *
 * @param isCalledOff checked before each symbol; the rest is left out once it is true
 */
function levelClaims(
  source: TapeSource,
  { tapes, dates, known }: LevelClaimsWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  return rowsOfEach(tapes, isCalledOff, (tape) =>
    claimsOfSymbol(source, tape, dates, known.get(tape.symbol)),
  );
}

function claimsOfSymbol(
  source: TapeSource,
  tape: SymbolTape,
  dates: readonly string[],
  terms: ReadonlyMap<string, string> = new Map(),
): SymbolClaims[] {
  const served = new Map<string, LevelsOfDay | null>();
  const patternsOf = patternLevels(source, tape, dates);
  const levelsOn = (date: string): LevelsOfDay | null =>
    served.getOrInsertComputed(date, () => levelsServed(source, tape, date, patternsOf));
  const recalled = new Map<string, EarlierLevels>();
  const earlierOn = (date: string): EarlierLevels | null => {
    const text = terms.get(date);
    if (text === undefined) return levelsOn(date);
    return recalled.getOrInsertComputed(date, () => levelsRecalled(source, tape, date, JSON.parse(text)));
  };
  return dates
    .filter((date) => hasMinutesOn(tape, dayOf(date)))
    .flatMap((date) => claimsOn(source, tape, date, levelsOn(date), earlierOn) ?? []);
}

export function hasMinutesOn(tape: SymbolTape, day: number): boolean {
  return (
    tape.slices.some(({ kind, days }) => kind === 'bars-1m' && days.includes(day)) ||
    tape.running.some(({ kind }) => kind === 'bars-1m')
  );
}

function claimsOn(
  source: TapeSource,
  tape: SymbolTape,
  date: string,
  day: LevelsOfDay | null,
  earlierOn: (date: string) => EarlierLevels | null,
): SymbolClaims | null {
  const session = source.calendar.session(date)!;
  if (day === null || day.bars === null) return null;
  const { atr, priorClose, levels, bars, moving } = day;
  const price = Float64Array.from(levels, (level) => level.price);
  const fromMinute = Int32Array.from(levels, (level) => level.fromMinute);
  const earlier = earlierDays(source, date, earlierOn);
  const place = { open: bars.open[0]!, atr, regimeBefore: day.regimeBefore };
  const met = [
    ...levelEvents(bars, { price, fromMinute }, atr).map((event) => ({ event, of: levels[event.level]! })),
    ...moving.flatMap((of) => movingLevelEvents(bars, of.path, atr).map((event) => ({ event, of }))),
  ];
  const controls = [...controlsOfLevels(earlier, day, bars), ...controlsOfMoving(earlier, day, bars)];
  // In their order one walk tells the kinds of day.
  const all = [...met.map(({ event }) => event), ...controls.flatMap((of) => of.events)];
  for (const minute of Int32Array.from(all, (event) => event.minute).sort()) day.regimeBefore(minute);
  const events = met.map(({ event, of }) => claimOf(event, of, session, place));
  return {
    symbol: tape.symbol,
    tradeDate: date,
    simulated: day.simulated,
    events,
    counts: [
      ...controls.flatMap((of) => byStratum(of, day, bars)),
      ...sharedTouches(events, atr, session.close),
    ],
    terms: JSON.stringify({ atr, priorClose, levels } satisfies LevelTerms),
  };
}

/**
 * Of the touches that were decided those that were touches of another family too: of one of its levels within noise, whose
 * own touch was open at the same time.
 */
function sharedTouches(events: readonly ClaimEvent[], atr: number, close: number): SideCount[] {
  const counts = new Map<string, OpenCount>();
  for (const event of events) {
    if (event.outcome !== 'true' && event.outcome !== 'false') continue;
    const others = new Set<string>();
    for (const other of events) {
      const isNear = Math.abs(other.price! - event.price!) <= NOISE_ATR * atr;
      const isMeanwhile = other.begunAt <= event.decidedAt! && event.begunAt <= (other.decidedAt ?? close);
      if (other.key !== event.key && isNear && isMeanwhile) others.add(other.key);
    }
    for (const key of others) {
      const place = (LEVEL_FAMILIES as readonly string[]).indexOf(key);
      const shared = countIn(counts, sharedOf(event.key), place, event.regime!);
      shared.count++;
      shared.events++;
    }
  }
  return [...counts.values()];
}

function claimOf(
  event: LevelEvent,
  { family, name }: Pick<FixedLevel, 'family' | 'name'>,
  session: Session,
  { open, atr, regimeBefore }: Pick<LevelsOfDay, 'atr' | 'regimeBefore'> & { readonly open: number },
): ClaimEvent {
  // A bar counts at its end.
  const instantOf = (minute: number): number => session.open + (minute + 1) * MINUTE_MS;
  return {
    key: family,
    claim: name,
    begunAt: instantOf(event.minute),
    decidedAt: Number.isNaN(event.decidedAt) ? null : instantOf(event.decidedAt),
    side: event.side,
    price: event.price,
    outcome: event.outcome,
    isGone: false,
    isAmbiguous: event.isAmbiguous,
    chance: null,
    controls: 0,
    stratum: stratumOf(event, event.price, open, atr),
    regime: regimeBefore(event.minute),
  };
}

/** What became of levels where none was, by the sums that they are counted in. */
interface Controls {
  readonly sums: string;
  readonly events: readonly LevelEvent[];
  /** How many each level stands for; absent where each is one. */
  readonly weights?: Float64Array;
}

/** What became of levels where none was: those of the same family in earlier sessions, as far from the prior close. */
function controlsOfLevels(
  earlier: readonly EarlierLevels[],
  day: LevelsOfDay,
  bars: SessionBars,
): Controls[] {
  const { atr } = day;
  const was = Map.groupBy(
    earlier.flatMap((before) => before.levels.map((level) => ({ level, before }))),
    ({ level }) => level.family,
  );
  return Array.from(was, ([family, levels]) => {
    const price = levels.map(({ level, before }) => placeboPrice(level.price, before, day));
    // An opening range is the session's own path: controls that kept away from it would be chosen by whether they held.
    const standing = day.levels.filter((level) => level.family === family && level.fromMinute === 0);
    const weights = placeboWeights(
      price,
      standing.map((level) => level.price),
      atr,
    );
    const fromMinute = Int32Array.from(levels, ({ level }) => level.fromMinute);
    const events = levelEvents(bars, { price: Float64Array.from(price), fromMinute }, atr);
    return { sums: controlsOf(family), events, weights };
  });
}

/**
 * What became of the paths that the levels of a family took in earlier sessions, minute by minute as far from the prior
 * close. None is left out for being near to one of today's: those follow the session's own path.
 */
function controlsOfMoving(
  earlier: readonly EarlierLevels[],
  day: LevelsOfDay,
  bars: SessionBars,
): Controls[] {
  const { atr } = day;
  const events = new Map<LevelFamily, LevelEvent[]>(MOVING_LEVELS.map((family) => [family, []]));
  const traded = priceRange(bars, { from: 0, to: bars.minute.length });
  const moved = new Float64Array(bars.minute.length);
  for (const before of earlier) {
    if (before.bars === null) continue;
    const newest = newestBars(before.bars.minute, bars.minute);
    for (const { family, path } of before.moving) {
      const placeboAt = placeboOf(path, before);
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let bar = 0; bar < moved.length; bar++) {
        const at = newest[bar]!;
        const price = at < 0 ? Number.NaN : placeboAt(at, day);
        moved[bar] = price;
        if (price < low) low = price;
        if (price > high) high = price;
      }
      if (low <= traded.high && high >= traded.low)
        events.get(family)!.push(...movingLevelEvents(bars, moved, atr));
    }
  }
  return Array.from(events, ([family, own]) => ({ sums: controlsOf(family), events: own }));
}

const placeboOf = onceFor(placeboPath);

/** Of each minute the row of the newest of some others up to it; -1 before the first. */
function newestBars(of: Int32Array, minutes: Int32Array): Int32Array {
  const rows = new Int32Array(minutes.length);
  let at = -1;
  for (let minute = 0; minute < minutes.length; minute++) {
    while (at + 1 < of.length && of[at + 1]! <= minutes[minute]!) at++;
    rows[minute] = at;
  }
  return rows;
}

type OpenCount = { -readonly [Key in keyof SideCount]: SideCount[Key] };

/** The count of a key, stratum and regime; begins at nothing. */
const countIn = (counts: Map<string, OpenCount>, sums: string, stratum: number, regime: number): OpenCount =>
  counts.getOrInsertComputed(`${sums} ${stratum} ${regime}`, () => ({
    sums,
    stratum,
    regime,
    count: 0,
    events: 0,
    true: 0,
  }));

function byStratum(
  { sums, events, weights }: Controls,
  { atr, regimeBefore }: LevelsOfDay,
  { open }: SessionBars,
): SideCount[] {
  const counts = new Map<string, OpenCount>();
  for (const event of events) {
    const weight = weights?.[event.level] ?? 1;
    if (weight === 0 || (event.outcome !== 'true' && event.outcome !== 'false')) continue;
    const stratum = stratumOf(event, event.price, open[0]!, atr);
    const regime = regimeBefore(event.minute);
    const count = countIn(counts, sums, stratum, regime);
    count.count++;
    count.events += weight;
    if (event.outcome === 'true') count.true += weight;
  }
  return [...counts.values()].sort((a, b) => a.stratum - b.stratum || a.regime - b.regime);
}

/**
 * The levels of a session: those that hold still in it are known when its first minute has ended, before which no event
 * can begin, its opening ranges from the end of their windows on.
 */
function levelsServed(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  date: string,
  patternsOf: (view: BarsView) => readonly Level[],
): LevelsOfDay | null {
  const session = calendar.session(date)!;
  const opened = session.open + MINUTE_MS;
  const early = readBarsView(reader, tape, calendar, date, opened);
  if (early === null) return null;
  // These blocks follow from bars alone.
  const known = deriveSome(LADDER_BLOCKS, early as StockView, unknownMarket(date, opened));
  const lastPrice = known(priceVolume).flat.last_price;
  const atr = known(technical).nested?.daily_atr['14'] ?? null;
  const priorClose = early.daily.close[early.priorRow] ?? Number.NaN;
  if (lastPrice === null || atr === null || !(priorClose > 0)) return null;
  const rungs = ladderRungs(everyLevel(known, patternsOf(early)), lastPrice, atr);
  if (rungs.length === 0) return null;
  const viewAt = (asOf: number) => readBarsView(reader, tape, calendar, date, asOf);
  const whole = viewAt(session.close);
  const minutes = minutesOf(whole, session);
  const standing: FixedLevel[] = rungs
    .filter(({ family }) => family !== 'opening' && !MOVING_LEVELS.includes(family))
    .map(({ family, name, price }) => ({ family, name, price, fromMinute: 0 }));
  const windowsEnd = session.open + (INITIAL_BALANCE_MINUTES + 1) * MINUTE_MS;
  // Later bars tell which prints of a session are its stock's on the date of a split alone.
  const isSplitDate = early.actions.some(
    ({ kind, exDate }) => kind === 'split' && exDate === dayOf(date) * DAY_MS,
  );
  const late = isSplitDate ? viewAt(windowsEnd) : whole;
  const moving = minutes === null ? [] : movingLevels(minutes);
  const dayTypes = dayTypesServed(minutes, session, known(volumeProfile).nested?.prior ?? null, moving);
  return {
    atr,
    priorClose,
    levels: withoutTwins([...standing, ...(late === null ? [] : openingLevels(late, windowsEnd, atr))], atr),
    bars: barsOf(minutes, session),
    moving: withoutTwinPaths(moving, atr),
    regimeBefore: (minute) => dayRegime(dayTypes(minute)?.dayType ?? null),
    simulated: isSimulated(tape),
  };
}

/** Says which levels the chart patterns of a view had, from the history of some dates. */
function patternLevels(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  dates: readonly string[],
): (view: BarsView) => Level[] {
  const histories = new Map<BarColumns, PatternHistory>();
  let prices: DailyPrices | undefined;
  return ({ tradeDate, daily: { time } }) => {
    const first = sessionsBefore(calendar, dates[0]!, PLACEBO_SESSIONS).at(-1)?.tradeDate ?? dates[0]!;
    prices ??= new DailyPrices(reader, tape, calendar, { first: dayOf(first), last: dayOf(dates.at(-1)!) });
    const bars = prices.inSharesOf(dayOf(tradeDate));
    const row = prices.rowOn((time.at(-1) ?? Number.NaN) / DAY_MS);
    if (row < 0) return [];
    const history = histories.getOrInsertComputed(bars, () => new PatternHistory(bars, bars.time.length));
    return history
      .chartPatternsAt(row - time.length + 1, row)
      .filter(({ failedRow }) => !isBy(failedRow, row))
      .flatMap((live) => {
        const { trigger, counterTrigger } = boundariesAt(live, row);
        return levelsOfPattern(live.reading.type, trigger, counterTrigger);
      });
  };
}

/** The levels of a session of which those that held still are known. */
function levelsRecalled(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  date: string,
  terms: LevelTerms,
): EarlierLevels {
  const session = calendar.session(date)!;
  const minutes = minutesOf(readBarsView(reader, tape, calendar, date, session.close), session);
  const moving = minutes === null ? [] : movingLevels(minutes);
  return { ...terms, bars: barsOf(minutes, session), moving: withoutTwinPaths(moving, terms.atr) };
}

/** Null where the view has none of its session, or a fragment. */
const minutesOf = (view: BarsView | null, session: Session): BarColumns | null =>
  view === null || !view.intradayWhole ? null : regularMinutes(view.intraday, view.intradayInterval, session);

const barsOf = (minutes: BarColumns | null, session: Session): SessionBars | null =>
  minutes === null ? null : sessionBars(minutes, session.open);

/** Of each minute what kind of day the session had been before it. */
function dayTypesServed(
  minutes: BarColumns | null,
  session: Session,
  priorValue: ValueArea | null,
  moving: readonly MovingLevel[],
): (minute: number) => DayClassification | null {
  if (minutes === null) return () => null;
  const [vwap, vah, val] = ['vwap', 'developing_vah', 'developing_val'].map(
    (name) => moving.find((level) => level.name === name)!.path,
  );
  const dayTypes = dayTypesOf(
    minutes,
    0,
    session,
    priorValue,
    vwap!,
    new TrendWalk(intradayBars(minutes, '1m', session.close), session),
    () => ({ vah: vah!, val: val! }),
  );
  return (minute) => dayTypes(rowAtOrAfter(minutes.time, session.open + minute * MINUTE_MS));
}

/** The opening ranges as the ladder has them at an instant. */
function openingLevels(view: BarsView, asOf: number, atr: number): FixedLevel[] {
  const { intraday, intradayInterval } = view;
  const fields = openingFields(levelsOf({ ...view, asOf }));
  const levels = OPENING_FIELDS.map((name) => ({
    family: 'opening' as const,
    name,
    price: fields[name] ?? Number.NaN,
  }));
  const ended = rowAtOrAfter(intraday.time, asOf - barLengthMs(intradayInterval) + 1);
  const lastPrice = intraday.close[ended - 1] ?? Number.NaN;
  return ladderRungs(levels, lastPrice, atr).map(({ family, name, price }) => ({
    family,
    name,
    price,
    fromMinute: madeInMinutes(name),
  }));
}

/**
 * Levels of one family that lie within noise are one: that which was known first, since to drop it for a later one would
 * tell of what became of it.
 */
function withoutTwins(levels: readonly FixedLevel[], atr: number): FixedLevel[] {
  const kept: FixedLevel[] = [];
  for (const level of levels.toSorted((one, other) => one.fromMinute - other.fromMinute)) {
    const isTwin = kept.some(
      ({ family, price }) => family === level.family && Math.abs(price - level.price) <= NOISE_ATR * atr,
    );
    if (!isTwin) kept.push(level);
  }
  return kept;
}

/** The levels of the sessions before a date. */
const earlierDays = (
  { calendar }: TapeSource,
  date: string,
  earlierOn: (date: string) => EarlierLevels | null,
): EarlierLevels[] =>
  sessionsBefore(calendar, date, PLACEBO_SESSIONS).flatMap(({ tradeDate }) => earlierOn(tradeDate) ?? []);

const LEVEL_NAMES: Readonly<Record<string, string>> = {
  prior_day: 'prior-day',
  prior_week: 'prior-week',
  prior_month: 'prior-month',
  opening: 'opening-range',
  vwap: 'VWAP',
  prior_profile: 'prior volume profile',
  developing_profile: 'developing volume profile',
  recent_range: 'three-day range',
  moving_average: 'moving-average',
  round_number: 'round-number',
};

export const levelName = (key: string): string => LEVEL_NAMES[key] ?? inWords(key);

export const level: RecordKind<LevelClaimsWork> = {
  name: 'level',
  version: 4,
  releasedAt: '2026-11-28',
  keys: LEVEL_FAMILIES,
  horizonOf: () => 0,
  isOfStrata: true,
  datesAtOnce: 40,
  reads: { minutes: 12 },
  keepsTerms: true,
  async load(ground, dates, pass) {
    const { calendar, database, market } = ground;
    const first = sessionsBefore(calendar, dates[0]!, PLACEBO_SESSIONS).at(-1)?.tradeDate ?? dates[0]!;
    const before = calendar
      .sessionsBetween(first, dates.at(-1)!)
      .filter((date) => !pass.isNew('level', date));
    const rows = await readClaimTerms(database, market.simulated, 'level', level.version, before);
    const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
    const knownOf = (symbol: string): ReadonlyMap<string, string> =>
      new Map(bySymbol.get(symbol)?.map(({ tradeDate, terms }) => [tradeDate, terms]));
    return findByMinute(ground, level, dates, pass, (names) => ({
      known: new Map(names.map((symbol) => [symbol, knownOf(symbol)])),
    }));
  },
  find: (source, work, isCalledOff) => observedIn(levelClaims(source, work, isCalledOff)),
  says: {
    subject: (key) => `${capital(levelName(key))} levels held`,
    tested: 'kinds of levels',
    cell: (name) => `${levelName(name)} levels`,
    counted: (count) => (count === 1 ? 'touch' : 'touches'),
  },
};
