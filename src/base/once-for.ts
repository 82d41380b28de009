/** What is known of an object, and the further arguments that it was made with. */
interface Known {
  rest: readonly unknown[];
  value: unknown;
  /** How often it was asked for again. */
  hits: number;
}

/** What is asked for so often lives for more than the moment. */
const HITS_OF_LONG_LIFE = 4;

class Itself {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the fields of a subclass are then added to this object.
    return object;
  }
}

/** A private field of any object, frozen or not, for what is to live as long. */
class Holder extends Itself {
  readonly #held: object[] = [];

  static hold(object: object, other: object): void {
    if (!(#held in object)) new Holder(object);
    (object as Holder).#held.push(other);
  }
}

/**
 * Works something out once for an immutable object: what is known of it is lost with it. Of the further arguments those of
 * the last call are known, compared by identity.
 */
export function onceFor<Input extends object, Rest extends readonly unknown[], Value>(
  make: (input: Input, ...rest: Rest) => Value,
): (input: Input, ...rest: Rest) => Value {
  const all = new WeakMap<Input, Known>();
  return (input, ...rest) => {
    const known = all.get(input);
    if (known !== undefined && areSame(rest, known.rest)) {
      // What a weak map alone refers to is found while the thread stands still: of 500 stocks for 16 ms.
      if (++known.hits === HITS_OF_LONG_LIFE) Holder.hold(input, known);
      return known.value as Value;
    }
    const value = make(input, ...rest);
    if (known === undefined) all.set(input, { rest, value, hits: 0 });
    else {
      known.rest = rest;
      known.value = value;
    }
    return value;
  };
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < some.length; at++) if (!Object.is(some[at], others[at])) return false;
  return true;
}
