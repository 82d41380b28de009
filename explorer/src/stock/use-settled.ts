import { useEffect, useState } from 'react';

/** Time in which a handle that is dragged or played moves on. */
const SETTLED_MS = 150;

/** A value once it has stood still, so that what is dear is not asked for each minute that is passed. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
