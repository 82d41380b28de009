import type { Static, TObject, TProperties } from 'typebox';
import type { Moment } from './moment.ts';

/** What a moment made of a rule: what it remembers, and what it says where it fires. */
interface Verdict<State> {
  readonly state: State;
  /** A sentence without the symbol in front of it: `crossed above VWAP (217.20)`; null where it does not fire. */
  readonly fired: string | null;
  /** The instant that the firing is of, where that is not the moment's. */
  readonly at?: number;
}

/**
 * Words by which a trader asks for a kind: what follows the stock, as a regular expression whose named groups are
 * parameters. A number and a field are read as the screener reads them. `comparison` is a whole condition of the screener:
 * those of `field`, `other`, `direction`, `words`, `low` and `high` that it comes to.
 */
interface Phrase {
  readonly pattern: RegExp;
  /** Parameters that words of a group stand for, where those are others. */
  readonly words?: Readonly<Record<string, string>>;
  readonly example: string;
}

/**
 * A kind of alert: when a stock does something from one minute to the next. The list of them is in `kinds/index.ts`; API,
 * command line, tool and documents follow from it.
 *
 * @typeParam State what a rule remembers of a stock from moment to moment, as JSON
 */
export interface AlertKind<Parameters extends TProperties = TProperties, State = unknown> {
  /** As on the wire. */
  readonly name: string;
  /** What it waits for, in a trader's words. */
  readonly title: string;
  readonly description: string;
  readonly parameters: TObject<Parameters>;
  readonly example: Static<TObject<Parameters>>;
  /** The first that fits a sentence of any kind, in the order of the kinds, is what it means. */
  readonly phrases?: readonly Phrase[];
  /** True where it watches every stock of the market unless some are named. */
  readonly isOfMarket?: true;
  /** True where minutes without a bar count too. */
  readonly countsSilence?: true;
  /** Faults that the schema cannot say, each a sentence; none for good parameters. */
  check?(parameters: Static<TObject<Parameters>>): readonly string[];
  /** Why no value of its fields can ever make it fire; null where one can. */
  unreachable?(parameters: Static<TObject<Parameters>>): string | null;
  /** Paths of the scalar fields that it needs of a stock. */
  fields(parameters: Static<TObject<Parameters>>): readonly string[];
  /**
   * Pure. The first moment of a stock comes with a null state. A bar may be longer than a minute, a minute without a bar comes
   * only where silence counts, and of a field that follows from the market some minutes of a running session are left out.
   *
   * @param isFirst whether the moment is the first of its trade date
   */
  judge(
    parameters: Static<TObject<Parameters>>,
    state: State | null,
    moment: Moment,
    isFirst: boolean,
  ): Verdict<State>;
  /** The rule behind "when": `price crosses above VWAP`. */
  sentence(parameters: Static<TObject<Parameters>>): string;
}

/** Infers the types of a literal; what lists hold is of any parameters. */
export const defineAlert = <Parameters extends TProperties, State>(
  kind: AlertKind<Parameters, State>,
): AlertKind => kind as unknown as AlertKind;
