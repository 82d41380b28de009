import type { Calendar, Session } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { instantText } from '../base/wire.ts';
import type { Database } from '../database/database.ts';
import type { Deriver } from '../derive/deriver.ts';
import { FieldColumns } from '../derive/field-columns.ts';
import { barsInSession, type DayMoments, endsOf, readsMarket } from '../derive/moments.ts';
import { SCREEN_CATALOGUE } from '../derive/projection.ts';
import { readScreenRowsOf, type StoredScreenRow } from '../graph/screen-rows.ts';
import type { MarketView } from '../market/market-view.ts';
import { type BarColumns, barColumns } from '../market/observations.ts';
import { rowAtOrAfter } from '../market/series.ts';
import type { SymbolTape } from '../tape/index.ts';
import { fold, type Seen } from './judge.ts';
import { alertKind } from './kinds/index.ts';
import { fieldsOf, type Rule } from './rule.ts';
import {
  type Judged,
  noteRules,
  readJudged,
  readRules,
  readSeen,
  rulesRevision,
  type SeenBySymbol,
  writeJudged,
} from './store.ts';

/** The running session as rules see it. */
export interface JudgedSession {
  readonly session: Session;
  readonly simulated: boolean;
  /** Bars of a minute of the trade date so far; null where not all of them are in memory. */
  bars(symbol: string): BarColumns | null;
  tapes(symbols: readonly string[]): Promise<SymbolTape[]>;
  /** JSON text of the market of a minute; null where none is stored. */
  market(at: number): Promise<string | null>;
}

export interface JudgeContext {
  readonly database: Database;
  readonly deriver: Deriver;
  readonly calendar: Calendar;
}

/** Stocks whose minutes are derived once more in one step, for rules that are new or missed some; others wait. */
const BEHIND_AT_ONCE = 200;
/** Stocks whose tapes are read together. */
const TAPES_AT_ONCE = 32;
/** Where bad prints are left out of a stock's bars, those in memory are not what its blocks read. */
const BAD_PRINTS = 'price.bad_prints';

/** A rule and one of its stocks. */
interface Pair {
  readonly rule: Rule;
  readonly symbol: string;
  readonly before: Seen | null;
}

/** How the bars of a stock that a rule has not seen are judged. */
type Way = 'none' | 'row' | 'derived';

/**
 * Judges the rules of a market minute by minute, in the process that owns its running session. A stock whose newest bar is
 * all that is new is judged by its stored row; where a rule has missed bars, or is new, they are derived as a preview
 * derives them. What a minute comes to is written in one transaction, and taken for known once it is.
 */
export class AlertJudge {
  readonly #context: JudgeContext;
  readonly #of: JudgedSession;
  #revision: string | null = null;
  #rules: readonly Rule[] = [];
  #bySymbol: ReadonlyMap<string, readonly Rule[]> = new Map();
  #ofMarket: readonly Rule[] = [];
  #fields: readonly string[] = [];
  /** Stocks whose silence is counted. */
  #silent: ReadonlySet<string> = new Set();
  #seen = new Map<string, SeenBySymbol>();
  /** Stocks with rules that are behind. */
  #behind: ReadonlySet<string> = new Set();
  #newest = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(context: JudgeContext, of: JudgedSession) {
    this.#context = context;
    this.#of = of;
  }

  /**
   * Judges a minute whose rows are stored.
   *
   * @param at its end, epoch milliseconds
   * @param touched symbols with rows of it
   */
  judge(at: number, touched: readonly string[]): Promise<void> {
    return this.#next(() => this.#judge(at, touched));
  }

  /** Counts silence up to an instant when no minute comes. */
  tick(at: number): Promise<void> {
    return this.#next(async () => {
      if (at > this.#newest) await this.#judge(at, []);
    });
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #judge(at: number, touched: readonly string[]): Promise<void> {
    await this.#refresh();
    if (this.#rules.length === 0) return;
    const ways = this.#waysOf(at, touched);
    const rows = await this.#rowsOf(at, ways.row);
    const rowless = ways.row.filter(({ rule, symbol }) => !rows.has(symbol) && rule.symbols !== null);
    const behind = [...ways.derived, ...rowless];
    const derived = Map.groupBy(behind, ({ symbol }) => symbol);
    const now = new Map([...derived].slice(0, BEHIND_AT_ONCE));
    const days = await this.#derive(at, now);
    const outcome: { firings: Judged['firings'][number][]; seen: Judged['seen'][number][] } = {
      firings: [],
      seen: [],
    };
    const known: (() => void)[] = [];
    const take = ({ rule, symbol, before }: Pair, day: DayMoments): void => {
      const { seen, firings } = fold(rule, before, day, at);
      outcome.firings.push(...firings.map((firing) => ({ rule, firing })));
      if (seen === null || seen === before) return;
      if (isNew(before, seen)) outcome.seen.push({ rule: rule.id, symbol, seen });
      known.push(() => this.#seen.getOrInsertComputed(rule.id, () => new Map()).set(symbol, seen));
    };
    for (const pair of ways.none) take(pair, this.#dayOf(pair.symbol, null));
    for (const pair of ways.row) {
      const row = rows.get(pair.symbol);
      if (row !== undefined) take(pair, row);
    }
    for (const [symbol, pairs] of now) {
      for (const pair of pairs) {
        const day = days.get(`${pair.rule.hours} ${symbol}`);
        if (day !== undefined) take(pair, day);
      }
    }
    this.#behind = new Set([...derived.keys()].slice(BEHIND_AT_ONCE));
    const isWhole = this.#behind.size === 0 && touched.length > 0;
    const { simulated } = this.#of;
    await writeJudged(this.#context.database, { simulated, at: isWhole ? at : null, ...outcome });
    for (const keep of known) keep();
    this.#newest = Math.max(this.#newest, at);
  }

  /** Reads the rules if some have changed. What is known here is newer than what is stored of those that have not. */
  async #refresh(): Promise<void> {
    const { database } = this.#context;
    const { simulated } = this.#of;
    const revision = await rulesRevision(database, simulated);
    if (revision === this.#revision) return;
    const rules = await readRules(database, simulated);
    const judged = await readJudged(database, simulated);
    if (this.#revision === null) await this.#noteMissed(rules, judged);
    const stored = await readSeen(database, simulated);
    const former = new Map(this.#rules.map((rule) => [rule.id, rule]));
    this.#seen = new Map(
      rules.map(({ id, since }) => {
        const known = former.get(id)?.since === since ? this.#seen.get(id) : undefined;
        return [id, known ?? seenUntil(stored.get(id), judged ?? 0)];
      }),
    );
    this.#rules = rules;
    const named = rules.flatMap((rule) => (rule.symbols ?? []).map((symbol) => ({ symbol, rule })));
    this.#bySymbol = new Map(
      Array.from(
        Map.groupBy(named, ({ symbol }) => symbol),
        ([symbol, pairs]) => [symbol, pairs.map(({ rule }) => rule)],
      ),
    );
    this.#silent = new Set(
      rules.flatMap(({ kind, symbols }) => (alertKind(kind).countsSilence ? (symbols ?? []) : [])),
    );
    this.#ofMarket = rules.filter(({ symbols }) => symbols === null);
    this.#fields = [...new Set([BAD_PRINTS, ...rules.flatMap(fieldsOf)])];
    this.#revision = revision;
  }

  /** Says in the log of older rules that sessions went by without them. */
  async #noteMissed(rules: readonly Rule[], judged: number | null): Promise<void> {
    const { calendar, database } = this.#context;
    const { tradeDate, preOpen } = this.#of.session;
    const previous = calendar.session(calendar.previousSession(tradeDate) ?? '');
    if (judged === null || previous === null || judged >= previous.close) return;
    const old = rules.filter(({ since }) => since < previous.close).map(({ id }) => id);
    if (old.length === 0) return;
    const says = `Nothing was judged from ${instantText(judged)} to the close of ${previous.tradeDate}: no session ran here.`;
    await noteRules(database, old, preOpen, says);
  }

  /** The pairs of the stocks that may be due, by the way in which they are judged. */
  #waysOf(at: number, touched: readonly string[]): Record<Way, Pair[]> {
    const ways: Record<Way, Pair[]> = { none: [], row: [], derived: [] };
    const isTouched = new Set([...touched, ...this.#behind]);
    const symbols = new Set([
      ...(this.#ofMarket.length > 0 ? isTouched : []),
      ...this.#bySymbol.keys().filter((symbol) => isTouched.has(symbol)),
      ...this.#silent,
    ]);
    for (const symbol of symbols) {
      const bars = this.#of.bars(symbol);
      const wayAt = this.#wayOf(bars, at);
      for (const rule of this.#bySymbol.get(symbol) ?? []) {
        const before = this.#seen.get(rule.id)?.get(symbol) ?? null;
        const { countsSilence } = alertKind(rule.kind);
        const way = isTouched.has(symbol) || countsSilence ? wayAt(rule, before) : 'none';
        if (way !== 'none' || countsSilence) ways[way].push({ rule, symbol, before });
      }
      if (!isTouched.has(symbol)) continue;
      for (const rule of this.#ofMarket) {
        // Of a whole market the newest minute is judged, whatever came before.
        const before = this.#seen.get(rule.id)?.get(symbol) ?? null;
        if (wayAt(rule, before) !== 'none') ways.row.push({ rule, symbol, before });
      }
    }
    return ways;
  }

  #wayOf(bars: BarColumns | null, at: number) {
    const { session } = this.#of;
    const newest = bars === null ? null : { regular: newestEnds(bars, session), all: newestEnds(bars, null) };
    return ({ hours, symbols }: Rule, before: Seen | null): Way => {
      if (newest === null) return 'derived';
      const [last, one] = newest[hours];
      const from = before?.at ?? 0;
      if (last <= from) return 'none';
      const isAlone = (one <= from && last === at) || symbols === null;
      return isAlone ? 'row' : 'derived';
    };
  }

  /** The minute of stocks by their stored rows; without those whose row is of another minute, or not of this program. */
  async #rowsOf(at: number, pairs: readonly Pair[]): Promise<Map<string, DayMoments>> {
    const symbols = [...new Set(pairs.map(({ symbol }) => symbol))];
    if (symbols.length === 0) return new Map();
    const { simulated, session } = this.#of;
    const rows = await readScreenRowsOf(this.#context.database, simulated, session.tradeDate, symbols);
    const days = rows
      .filter(({ asOf, catalogue }) => asOf === at && catalogue === SCREEN_CATALOGUE.digest)
      .map((row) => [row.symbol, this.#dayOf(row.symbol, row)] as const);
    return new Map(days.filter(([, day]) => !(day.numbers.get(BAD_PRINTS)![0]! > 0)));
  }

  /** One minute of a stock, or with null none. */
  #dayOf(symbol: string, row: StoredScreenRow | null): DayMoments {
    const { session } = this.#of;
    const bars = this.#of.bars(symbol) ?? NO_BARS;
    const columns = new FieldColumns(row === null ? NO_FIELDS : this.#fields, 1);
    if (row !== null) columns.put(0, row);
    return {
      symbol,
      tradeDate: session.tradeDate,
      session,
      at: row === null ? new Float64Array(0) : Float64Array.of(row.asOf),
      numbers: columns.numbers,
      texts: columns.texts,
      bars: barsInSession(bars, session),
      barMs: MINUTE_MS,
    };
  }

  /** By hours and symbol the minutes of stocks that some of their rules have not seen. */
  async #derive(at: number, pairs: ReadonlyMap<string, readonly Pair[]>): Promise<Map<string, DayMoments>> {
    const days = new Map<string, DayMoments>();
    const { deriver } = this.#context;
    const { tradeDate } = this.#of.session;
    for (const symbols of chunks([...pairs.keys()], TAPES_AT_ONCE)) {
      const tapes = await this.#of.tapes(symbols);
      const works = tapes.flatMap((tape) =>
        Array.from(
          Map.groupBy(pairs.get(tape.symbol)!, ({ rule }) => rule.hours),
          async ([hours, own]) => {
            const fields = [...new Set(own.flatMap(({ rule }) => fieldsOf(rule)))];
            const after = Math.min(...own.map(({ before }) => before?.at ?? 0));
            const markets = readsMarket(fields) ? await this.#markets(tape.symbol, after, at) : {};
            const day = await deriver.moments({ tape, tradeDate, after, until: at, hours, fields, markets });
            if (day !== null) days.set(`${hours} ${tape.symbol}`, day);
          },
        ),
      );
      await Promise.all(works);
    }
    return days;
  }

  /** The stored markets of the minutes of a stock. */
  async #markets(symbol: string, after: number, until: number): Promise<Record<number, MarketView>> {
    const markets: Record<number, MarketView> = {};
    const { time } = this.#of.bars(symbol) ?? NO_BARS;
    for (const end of endsOf(time, MINUTE_MS, this.#of.session, 'all')) {
      const text = end > after && end <= until ? await this.#of.market(end) : null;
      if (text !== null) markets[end] = JSON.parse(text) as MarketView;
    }
    return markets;
  }
}

const NO_FIELDS: readonly string[] = [];
const NO_BARS = barColumns(() => new Float64Array(0));

/** Ends of the newest bar and of the one before it, of a session or with null of all; 0 for none. */
function newestEnds({ time }: BarColumns, session: Session | null): readonly [last: number, one: number] {
  const [from, to] =
    session === null
      ? [0, time.length]
      : [rowAtOrAfter(time, session.open), rowAtOrAfter(time, session.close)];
  const endOf = (row: number): number => (row < from ? 0 : time[row]! + MINUTE_MS);
  return [endOf(to - 1), endOf(to - 2)];
}

/** What is stored is as of the minute up to which all rules are judged, where that is the later. */
const seenUntil = (stored: SeenBySymbol | undefined, judged: number): SeenBySymbol =>
  new Map(Array.from(stored ?? [], ([symbol, seen]) => [symbol, { ...seen, at: Math.max(seen.at, judged) }]));

/** Whether something but the instant has changed. */
const isNew = (before: Seen | null, seen: Seen): boolean =>
  before === null ||
  before.tradeDate !== seen.tradeDate ||
  before.ever !== seen.ever ||
  JSON.stringify(before.state) !== JSON.stringify(seen.state);
