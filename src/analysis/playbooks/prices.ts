import { amount, type Multiple, scaled } from '../conditions.ts';
import { mirrorOf, type PlaybookInput, type PlaybookInputs } from './inputs.ts';

/**
 * A price as a sum of inputs and their multiples, e.g. VWAP less a quarter of an ATR: `['vwap', [-0.25, 'atr']]`; null
 * where none can be named before the trade.
 */
export type PriceForm = readonly (PlaybookInput | Multiple<PlaybookInput>)[] | null;

export interface PlaybookPrices {
  /** That would start the trade. */
  readonly trigger: PriceForm;
  /** That would refute it. */
  readonly stop: PriceForm;
  /** That it aims at. */
  readonly target: PriceForm;
}

/** Dollars; NaN where one of its inputs is not known, or none is named. */
export function priceOf(form: PriceForm, inputs: PlaybookInputs): number {
  if (form === null) return Number.NaN;
  const terms = form.map((term) => amount(term, (input) => inputs[input]));
  return terms.reduce((sum, term) => sum + term);
}

/** Each price is minus that of the market turned upside down. */
export function mirroredPrices({ trigger, stop, target }: PlaybookPrices): PlaybookPrices {
  const minus = (form: PriceForm): PriceForm => form?.map((term) => scaled(term, -1, mirrorOf)) ?? null;
  return { trigger: minus(trigger), stop: minus(stop), target: minus(target) };
}
