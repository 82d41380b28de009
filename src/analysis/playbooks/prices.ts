import { mirrorOf, type PlaybookInput, type PlaybookInputs } from './inputs.ts';

/**
 * A price as a sum of weighted inputs, e.g. VWAP less a quarter of an ATR: `[[1, 'vwap'], [-0.25, 'atr']]`; null where
 * none can be named before the trade.
 */
export type PriceForm = readonly (readonly [weight: number, input: PlaybookInput])[] | null;

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
  const terms = form.map(([weight, input]) => weight * inputs[input]);
  return terms.reduce((sum, term) => sum + term);
}

/** Each price is minus that of the market turned upside down. */
export function mirroredPrices({ trigger, stop, target }: PlaybookPrices): PlaybookPrices {
  return { trigger: mirroredForm(trigger), stop: mirroredForm(stop), target: mirroredForm(target) };
}

function mirroredForm(form: PriceForm): PriceForm {
  if (form === null) return null;
  return form.map(([weight, input]) => {
    const { as, sign } = mirrorOf(input);
    return [-sign * weight, as] as const;
  });
}
