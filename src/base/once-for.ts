/**
 * Works something out once for an immutable object: what is known of it is lost with it. Of the further arguments those of
 * the last call are known, compared by identity.
 */
export function onceFor<Input extends object, Rest extends readonly unknown[], Value>(
  make: (input: Input, ...rest: Rest) => Value,
): (input: Input, ...rest: Rest) => Value {
  const known = new WeakMap<Input, { readonly rest: Rest; readonly value: Value }>();
  return (input, ...rest) => {
    const last = known.get(input);
    if (last !== undefined && areSame(rest, last.rest)) return last.value;
    const value = make(input, ...rest);
    known.set(input, { rest, value });
    return value;
  };
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  for (let at = 0; at < some.length; at++) if (!Object.is(some[at], others[at])) return false;
  return true;
}
