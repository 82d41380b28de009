import type { Calendar } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../database/database.ts';
import type { PeersWork, WorkOptions } from '../derive/deriver.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import type { Tape } from '../tape/index.ts';
import type { ProbabilityBin, SymbolClaims } from './events.ts';

export interface FoundClaims {
  /** Dates on which the kind could be observed, ascending, those without an event too. */
  readonly observed: readonly string[];
  readonly claims: readonly SymbolClaims[];
  /** By trade date and key what the date as a whole measured. */
  readonly measures: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By trade date JSON text of what the claims of the whole market rest on, where finding it again would take long. */
  readonly terms?: ReadonlyMap<string, string> | undefined;
  /** By trade date the bins of scores that are read as probabilities. */
  readonly bins?: ReadonlyMap<string, readonly ProbabilityBin[]>;
}

/** Finds the claims of a kind away from the event loop. */
export interface ClaimFinder {
  claims<Work, Found extends FoundClaims | FoundClaims[]>(
    kind: RecordKind<Work, Found>,
    work: Work,
    options?: WorkOptions,
  ): Promise<Found>;
}

/** A market whose claims are recorded. */
export interface RecordGround {
  readonly database: Database;
  readonly tape: Tape;
  readonly market: ReturnType<Tape['ofMarket']>;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly deriver: ClaimFinder;
  /** What the divergences from peers of some completed sessions, ascending, follow from, by month. */
  readonly peersWork: (tradeDates: readonly string[]) => Promise<readonly PeersWork[]>;
}

/** What the kinds of one pass share. */
export interface Pass {
  /** The newest session that has closed, days since 1970-01-01. */
  readonly lastDay: number;
  /** Whether what a date claimed is to be derived, and not only what became of it. */
  readonly isNew: (kind: string, date: string) => boolean;
  /** Read once. */
  readonly stocksByMinute: () => Promise<readonly MinuteStock[]>;
  /** What a key names, made by the first of the kinds that ask for it about the same time. */
  readonly shared: <Found>(key: string, make: () => Promise<Found>) => Promise<Found>;
}

/** A stock with minutes, on which days of its files, and whether of a session that is not in files yet. */
export interface MinuteStock {
  readonly symbol: string;
  readonly days: readonly number[];
  readonly isRunning: boolean;
}

/** How the sums of a kind are judged. */
export interface Judged {
  readonly keys: readonly string[];
  /** Sessions for which a claim of the key may stay open; 0 within its session. */
  readonly horizonOf: (key: string) => number;
  /** Whether controls are those of a stratum, and not of each claim. */
  readonly isOfStrata?: boolean;
  /** Whether a key is a score that ranks the stocks of a date, or a trade that has a gain. */
  readonly measures?: 'ranks' | 'gains';
}

/**
 * A kind of claim: what is claimed, where its events are found and with what they are compared. The list of them is in
 * `index.ts`; catalogue, API, documents and pass follow from it.
 *
 * @typeParam Work what `load` hands to `find`
 * @typeParam Found what it finds
 */
export interface RecordKind<Work = never, Found = FoundClaims> extends Judged {
  readonly name: string;
  /** Grows with every change of what counts as an event, of its outcome or of its control; the record begins anew. */
  readonly version: number;
  /** Dates from here on were not known to whoever wrote the rule. */
  readonly releasedAt: string;
  /** Trade dates of one piece of work: history before them is read again for each. */
  readonly datesAtOnce: number;
  /** Data of which a claim follows beside daily bars. */
  readonly reads: {
    /** Sessions after a minute whose claims may read it, as a control; absent for a kind that reads none. */
    readonly minutes?: number;
    /** Option chains. */
    readonly chains?: boolean;
    /** Stored days, which may no longer be kept; what is recorded of them stays. */
    readonly stored?: boolean;
  };
  /** Whether what claims rest on is kept, for passes that only read later prices. */
  readonly keepsTerms?: boolean;
  /** Reads what the claims of some dates take, in the pass, and has them found. */
  load(ground: RecordGround, dates: readonly string[], pass: Pass): Promise<FoundClaims>;
  /** Finds them, in a thread. The result is not whole once `isCalledOff`, which is checked before each symbol. */
  find(source: TapeSource, work: Work, isCalledOff: () => boolean): Found;
  readonly says: {
    /** Of what so many of so many came true, in a trader's words. */
    readonly subject: (key: string) => string;
    /** What the cells of the kind are, several of them. */
    readonly tested: string;
    /** One of them. */
    readonly cell?: (name: string) => string;
    /** What is counted, where that is not the subject. */
    readonly counted?: (count: number) => string;
  };
}

/** Sessions after which every claim of a date has ended. */
export const longestHorizon = ({ keys, horizonOf }: Judged): number => Math.max(...keys.map(horizonOf));

/** Names with each of some horizons. */
export const afterEach = (names: readonly string[], horizons: readonly number[]): string[] =>
  names.flatMap((name) => horizons.map((sessions) => `${name}.${sessions}d`));

/** The horizon of a key of `afterEach`. */
export const horizonInKey = (key: string): number => Number(/\.(\d+)d$/.exec(key)![1]);

/** A key of `afterEach` without its horizon. */
export const withoutHorizon = (key: string): string => key.replace(/\.\d+d$/, '');

/** A name of a key in words. */
export { wordsOf as inWords } from '../analysis/sentences.ts';

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const NOTHING_FOUND: FoundClaims = { observed: [], claims: [], measures: new Map() };
