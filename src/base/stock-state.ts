/** How a stock looked on a completed session, as the store takes it. */
export interface StateDay {
  readonly symbol: string;
  readonly tradeDate: string;
  /** On the session before. */
  readonly logReturn: number;
  /** The numbers of the state as text of a vector, `[0.1234,-0.5,…]`. */
  readonly state: string;
}

/** The states of a symbol in a calendar year up to a date, by name. */
export interface StateYear {
  readonly symbol: string;
  readonly year: number;
  /** The newest of them; YYYY-MM-DD. */
  readonly through: string;
  /** Of what they say: equal digests, equal states. */
  readonly digest: string;
}

/** A year of states that differs from what is kept of it. */
export interface NewStateYear extends StateYear {
  /** False where the days that are kept stand, and those below only come after them. */
  readonly isRewritten: boolean;
  readonly days: readonly StateDay[];
}

/** What the states of one symbol have come to. */
export interface SymbolStates {
  readonly symbol: string;
  /** Years that differ from what is kept; one without days has no states any more. */
  readonly years: readonly NewStateYear[];
  /** Why there are none: a defect or a damaged tape. */
  readonly failure: string | null;
}
