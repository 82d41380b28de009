import { type Comparison, condition, type PlaybookCondition, type When } from './condition.ts';
import { mirrorOf, type PlaybookInput } from './inputs.ts';
import type { PlaybookPrices, PriceForm } from './prices.ts';

/**
 * The market turned upside down, on data: a mirrored condition holds for inputs exactly when the condition itself holds
 * for the mirrored inputs, and a mirrored price is minus the price there.
 */

const TURNED: Readonly<Record<Comparison, Comparison>> = {
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
  '=': '=',
};

const nameOf = (input: PlaybookInput): PlaybookInput => mirrorOf(input).as;

function mirroredWhen(when: When): When {
  if ('all' in when) return { all: when.all.map(mirroredWhen) };
  if ('any' in when) return { any: when.any.map(mirroredWhen) };
  if ('known' in when) return { known: when.known.map(nameOf) };
  // What lay above lies below, and as far.
  if ('above' in when) {
    return { above: nameOf(when.below), below: nameOf(when.above), op: when.op, atr: when.atr };
  }
  if ('apart' in when) {
    const [one, other] = when.apart;
    return { apart: [nameOf(one), nameOf(other)], op: when.op, atr: when.atr };
  }
  const { as: input, sign, about } = mirrorOf(when.input);
  const across = (value: number): number => (sign === 1 ? value - about : about - value);
  if ('between' in when) {
    const [low, high] = [across(when.between[0]), across(when.between[1])];
    return { input, between: sign === 1 ? [low, high] : [high, low] };
  }
  const op = sign === 1 ? when.op : TURNED[when.op];
  if (!('than' in when)) return { input, op, value: across(when.value) };
  const than = mirrorOf(when.than);
  const times = (when.times ?? 1) * sign * than.sign;
  return { input, op, than: than.as, ...(times === 1 ? {} : { times }) };
}

export function mirroredCondition({ name, meaning, when }: PlaybookCondition): PlaybookCondition {
  return condition(name, meaning, mirroredWhen(when));
}

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
