import { createContext, useContext } from 'react';

/** What the numbers of a page are of. */
export interface Shown {
  /** Instant in words, e.g. `Nov 20, 11:30 ET`. */
  readonly asOf: string;
  readonly source: string;
}

export const ShownContext = createContext<Shown>({ asOf: '', source: '' });

export const useShown = (): Shown => useContext(ShownContext);
