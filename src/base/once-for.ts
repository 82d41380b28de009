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
    if (last !== undefined && rest.every((each, at) => Object.is(each, last.rest[at]))) return last.value;
    const value = make(input, ...rest);
    known.set(input, { rest, value });
    return value;
  };
}
