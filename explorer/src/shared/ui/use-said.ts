import { useEffect, useState } from 'react';

const SAID_MS = 2_000;

/** A word in the place of a button's own for two seconds; null otherwise. */
export function useSaid(): readonly [said: string | null, say: (word: string) => void] {
  const [said, say] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => say(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, say];
}
