type Late = Readonly<Record<string, () => unknown>>;

type WithLate<Before, Own extends Late, After> = Before & {
  readonly [Name in keyof Own]: ReturnType<Own[Name]>;
} & After;

const OWN = Symbol('late');
const getters = new Map<string, PropertyDescriptor>();

/**
 * An object with fields that are worked out each time they are read. Getters in a literal do the same, but each object
 * then has functions of its own, for which V8 gives it a dictionary: it takes twice as long to make and longer to read,
 * and what the functions refer to lives until all old objects are collected.
 *
 * @param before becomes the object
 * @param after fields that follow those that are late
 */
export function withLate<Before extends object, Own extends Late, After extends object = object>(
  before: Before,
  own: Own,
  after?: After,
): WithLate<Before, Own, After> {
  Object.defineProperty(before, OWN, { value: own });
  for (const name in own) Object.defineProperty(before, name, getters.getOrInsertComputed(name, getterOf));
  return Object.assign(before, after) as WithLate<Before, Own, After>;
}

function getterOf(name: string): PropertyDescriptor {
  function get(this: { readonly [OWN]: Late }): unknown {
    return this[OWN][name]!();
  }
  return { get, enumerable: true, configurable: true };
}
