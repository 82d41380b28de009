import type { Calendar, Session } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { MINUTE_MS } from '../base/dates.ts';
import { onceFor } from '../base/once-for.ts';
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
import { type Firing, fold, type Seen } from './judge.ts';
import { alertKind } from './kinds/index.ts';
import { fieldsOf, type Rule } from './rule.ts';
import { type Judged, type KeptRule, noteRules, readRules, rulesRevision, writeJudged } from './store.ts';

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

/** How the bars of a stock that a rule has not seen are judged. */
type Way = 'none' | 'row' | 'derived';

/** A rule and one of its stocks. */
interface Pair {
  readonly rule: Rule;
  readonly symbol: string;
  readonly before: Seen | null;
  readonly way: Way;
}

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
  #bySymbol = new Map<string, Rule[]>();
  #ofMarket: readonly Rule[] = [];
  #fields: readonly string[] = [];
  /** Stocks whose silence is counted. */
  #silent: readonly string[] = [];
  /** By rule and symbol. */
  #seen = new Map<string, Map<string, Seen>>();
  /** Stocks with rules that are behind. */
  #behind: readonly string[] = [];
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
    const pairs = this.#pairsOf(at, touched);
    const rows = await this.#rowsOf(
      at,
      pairs.filter(({ way }) => way === 'row'),
    );
    const isBehind = ({ way, rule, symbol }: Pair): boolean =>
      way === 'derived' || (way === 'row' && !rows.has(symbol) && rule.symbols !== null);
    const behind = [...Map.groupBy(pairs.filter(isBehind), ({ symbol }) => symbol)];
    const days = await this.#derive(at, new Map(behind.slice(0, BEHIND_AT_ONCE)));
    const firings: Firing[] = [];
    const changed: Judged['seen'][number][] = [];
    const known: [rule: string, symbol: string, seen: Seen][] = [];
    for (const pair of pairs) {
      const { rule, symbol, before, way } = pair;
      const found = isBehind(pair) ? days.get(`${minutesOf(rule)} ${symbol}`) : rows.get(symbol);
      const day = way === 'none' ? this.#dayOf(symbol, null) : found;
      if (day === undefined) continue;
      const { seen, firings: own } = fold(rule, before, day, at);
      firings.push(...own);
      if (seen === null || seen === before) continue;
      if (isNew(before, seen)) changed.push({ rule: rule.id, symbol, ...seen });
      known.push([rule.id, symbol, seen]);
    }
    this.#behind = behind.slice(BEHIND_AT_ONCE).map(([symbol]) => symbol);
    const isWhole = this.#behind.length === 0 && touched.length > 0;
    const { simulated } = this.#of;
    await writeJudged(this.#context.database, {
      simulated,
      at: isWhole ? at : null,
      firings,
      seen: changed,
    });
    for (const [rule, symbol, seen] of known)
      this.#seen.getOrInsertComputed(rule, () => new Map()).set(symbol, seen);
    this.#newest = Math.max(this.#newest, at);
  }

  /** Reads the rules if some have changed. What is known here is newer than what is stored of those that have not. */
  async #refresh(): Promise<void> {
    const { database } = this.#context;
    const { simulated } = this.#of;
    const revision = await rulesRevision(database, simulated);
    if (revision === this.#revision) return;
    const rules = await readRules(database, simulated);
    if (this.#revision === null) await this.#noteMissed(rules);
    const former = new Map(this.#rules.map(({ id, since }) => [id, since]));
    this.#seen = new Map(
      rules.map(({ id, since, seen }) => {
        const known = former.get(id) === since ? this.#seen.get(id) : undefined;
        return [id, known ?? new Map(Object.entries(seen))];
      }),
    );
    this.#rules = rules;
    this.#bySymbol = new Map();
    for (const rule of rules)
      for (const symbol of rule.symbols ?? [])
        this.#bySymbol.getOrInsertComputed(symbol, () => []).push(rule);
    this.#ofMarket = rules.filter(({ symbols }) => symbols === null);
    this.#silent = rules.flatMap(({ kind, symbols }) =>
      alertKind(kind).countsSilence ? (symbols ?? []) : [],
    );
    this.#fields = [...new Set([BAD_PRINTS, ...rules.flatMap(fieldsOf)])];
    this.#revision = revision;
  }

  /** Says in the log of older rules that sessions went by without them. */
  async #noteMissed(rules: readonly KeptRule[]): Promise<void> {
    const { calendar, database } = this.#context;
    const { tradeDate, preOpen } = this.#of.session;
    const judged = rules[0]?.judged ?? null;
    const previous = calendar.session(calendar.previousSession(tradeDate) ?? '');
    if (judged === null || previous === null || judged >= previous.close) return;
    const old = rules.filter(({ since }) => since < previous.close).map(({ id }) => id);
    if (old.length === 0) return;
    const says = `Nothing was judged from ${instantText(judged)} to the close of ${previous.tradeDate}: no session ran here.`;
    await noteRules(database, old, preOpen, says);
  }

  /** The pairs of the stocks that may be due. */
  #pairsOf(at: number, touched: readonly string[]): Pair[] {
    const pairs: Pair[] = [];
    const isTouched = new Set([...touched, ...this.#behind]);
    for (const symbol of new Set([...isTouched, ...this.#silent])) {
      const own = this.#bySymbol.get(symbol) ?? [];
      const rules = isTouched.has(symbol) ? [...own, ...this.#ofMarket] : own;
      if (rules.length === 0) continue;
      const wayAt = this.#wayOf(this.#of.bars(symbol), at);
      for (const rule of rules) {
        const { countsSilence = false } = alertKind(rule.kind);
        const before = this.#seen.get(rule.id)?.get(symbol) ?? null;
        const way = isTouched.has(symbol) || countsSilence ? wayAt(rule, before) : 'none';
        if (way !== 'none' || countsSilence) pairs.push({ rule, symbol, before, way });
      }
    }
    return pairs;
  }

  #wayOf(bars: BarColumns | null, at: number) {
    const { session } = this.#of;
    const newest = bars === null ? null : { regular: newestEnds(bars, session), all: newestEnds(bars, null) };
    return ({ hours, symbols }: Rule, before: Seen | null): Way => {
      // Of a whole market the newest minute is judged, whatever came before.
      if (newest === null) return symbols === null ? 'row' : 'derived';
      const [last, one] = newest[hours];
      const from = before?.at ?? 0;
      if (last <= from) return 'none';
      return symbols === null || (one <= from && last === at) ? 'row' : 'derived';
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

  /** By `minutesOf` and symbol the minutes of stocks that some of their rules have not seen. */
  async #derive(at: number, pairs: ReadonlyMap<string, readonly Pair[]>): Promise<Map<string, DayMoments>> {
    const days = new Map<string, DayMoments>();
    const { deriver } = this.#context;
    const { tradeDate } = this.#of.session;
    for (const symbols of chunks([...pairs.keys()], TAPES_AT_ONCE)) {
      const tapes = await this.#of.tapes(symbols);
      const works = tapes.flatMap((tape) =>
        Array.from(
          Map.groupBy(pairs.get(tape.symbol)!, ({ rule }) => minutesOf(rule)),
          async ([name, own]) => {
            const { hours } = own[0]!.rule;
            const fields = [...new Set(own.flatMap(({ rule }) => fieldsOf(rule)))];
            const after = Math.min(...own.map(({ before }) => before?.at ?? 0));
            const markets = readsMarket(fields) ? await this.#markets(tape.symbol, after, at) : {};
            const day = await deriver.moments({ tape, tradeDate, after, until: at, hours, fields, markets });
            if (day !== null) days.set(`${name} ${tape.symbol}`, day);
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

/** Which minutes of a stock a rule is judged by: of some hours all, or those of which the market is known. */
const minutesOf = onceFor((rule: Rule) => `${rule.hours} ${readsMarket(fieldsOf(rule))}`);

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

/** Whether something but the instant has changed. */
const isNew = (before: Seen | null, seen: Seen): boolean =>
  before === null ||
  before.tradeDate !== seen.tradeDate ||
  before.ever !== seen.ever ||
  JSON.stringify(before.state) !== JSON.stringify(seen.state);
