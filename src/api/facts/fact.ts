/** A known value as it may be quoted, with unit, instant and source. */
export interface Fact {
  /** Names it within an answer, e.g. `stock.technical.rsi_14`, `market.vix.level`, `analog.3.return_20`. */
  readonly id: string;
  /** In the trade's words, lower case, without figures, e.g. `relative strength index`. */
  readonly label: string;
  /** As it is quoted: a number is rounded to the places that its unit is quoted with, and a text repeats it digit by digit. */
  readonly value: number | string | boolean;
  readonly unit: string | null;
  /** The instant of its value, RFC 3339. */
  readonly instant: string;
  /** Where it comes from, e.g. `block:technical`, `market_day`, `peer_day`, `stock_state`, `reported:news`. */
  readonly source: string;
}
