import { midnightUtcOf } from '../../base/dates.ts';
import { isOptionIndex } from '../../base/symbols.ts';

/** What an option symbol in the form of the Options Clearing Corporation says. */
export interface ContractSymbol {
  /** The class: the underlying's ticker, a weekly class of an index (`SPXW`), or an adjusted one (`AAPL1`). */
  readonly root: string;
  /** Midnight UTC of the expiration's New York date. */
  readonly expiration: number;
  /** 1 for a call, -1 for a put. */
  readonly right: 1 | -1;
  readonly strike: number;
}

/** `AAPL  260821C00110000`: root, padded or not; year, month, day; right; strike in thousandths of a dollar. */
const FORM = /^([A-Z][A-Z.]{0,5}\d?) *(\d\d)(\d\d)(\d\d)([CP])(\d{8})$/;

/** Reads an option symbol; null when it is none. */
export function contractSymbol(text: string): ContractSymbol | null {
  const parts = FORM.exec(text.trim().toUpperCase());
  if (parts === null) return null;
  const [, root, year, month, day, right, strike] = parts;
  const expiration = midnightUtcOf(2000 + Number(year), Number(month), Number(day));
  if (Number.isNaN(expiration)) return null;
  return { root: root!, expiration, right: right === 'C' ? 1 : -1, strike: Number(strike) / 1000 };
}

/** The clearing house marks a series that a corporate action has changed with a digit behind its root. */
export const isAdjustedRoot = (root: string): boolean => /\d$/.test(root);

/** Options on an index are European; those on the S&P 100 by its own root are the exception. */
export const styleOf = (underlying: string): 'american' | 'european' =>
  isOptionIndex(underlying) && underlying !== '^OEX' ? 'european' : 'american';
