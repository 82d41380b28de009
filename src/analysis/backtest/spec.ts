export const SIGNAL_TYPES = [
  'vwap_touch',
  'ib_breakout',
  'ib_retest',
  'or_hold',
  'level_confluence',
  'trend_continuation',
] as const;
export type SignalType = (typeof SIGNAL_TYPES)[number];

/** Where entries come from: a signal, or the caller. */
export const ENTRY_TYPES = [...SIGNAL_TYPES, 'own'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** An entry of the caller: known from `time` on (epoch milliseconds), 1 long, -1 short. */
export type OwnSignal = readonly [time: number, side: number];

/** The part of a spec that decides the exits of a trade. */
export type TradeTerms = Pick<BacktestSpec, 'stops' | 'targets' | 'commissionPerShare' | 'slippageBps'>;

/** The grid to search: plain data that travels to threads and is part of every partial. */
export interface BacktestSpec {
  /** At least one, without repeats; `own` alone for entries of the caller, which each symbol has apart. */
  readonly signalTypes: readonly EntryType[];
  /** Multiples of the daily ATR, positive, strictly ascending. */
  readonly stops: readonly number[];
  readonly targets: readonly number[];
  /** How many of the best cells are reported in detail. */
  readonly topN: number;
  /**
   * The sessions of the run, midnight UTC, strictly ascending, the same for every symbol: those with bars of at least
   * one symbol. Blocks are cut from them, so dates before the data begins would leave the first blocks empty.
   */
  readonly tradeDays: readonly number[];
  /** Dollars a share, paid at entry and at exit; 0 for none. */
  readonly commissionPerShare: number;
  /** Basis points of the entry price, lost at every fill that is not a target's limit order; 0 for none. */
  readonly slippageBps: number;
  /** True where every fill that is not a target's also loses half of the quoted spread. */
  readonly halfSpread?: boolean;
}

/** No session reaches a stop or target further away. */
export const MULTIPLIER_MAX = 20;

/** @throws RangeError with the reason, for a spec that is not as its fields say */
export function checkSpec(spec: BacktestSpec): void {
  const { signalTypes, tradeDays } = spec;
  if (signalTypes.length === 0 || new Set(signalTypes).size !== signalTypes.length) {
    throw new RangeError('signal types must be given, each once');
  }
  const unknown = signalTypes.find((type) => !ENTRY_TYPES.includes(type));
  if (unknown !== undefined) throw new RangeError(`no signal type is called ${unknown}`);
  for (const [name, list] of [
    ['stops', spec.stops],
    ['targets', spec.targets],
  ] as const) {
    const isGrid = isAscending(list) && list[0]! > 0 && list.at(-1)! <= MULTIPLIER_MAX;
    if (!isGrid) throw new RangeError(`${name} must ascend within (0, ${MULTIPLIER_MAX}]`);
  }
  if (!isAscending(tradeDays)) throw new RangeError('trade days must be given, ascending');
  if (!(Number.isInteger(spec.topN) && spec.topN > 0))
    throw new RangeError('topN must be a whole number from 1');
  if (!(spec.commissionPerShare >= 0 && spec.slippageBps >= 0))
    throw new RangeError('costs must not be negative');
  if (!Number.isFinite(spec.commissionPerShare + spec.slippageBps))
    throw new RangeError('costs must be finite');
}

/** True for at least one value, each greater than the one before, none NaN. */
function isAscending(list: readonly number[]): boolean {
  return (
    list.length > 0 && list.every((value, at) => (at === 0 ? !Number.isNaN(value) : value > list[at - 1]!))
  );
}

export const cellCount = ({ stops, targets }: BacktestSpec): number => stops.length * targets.length;
