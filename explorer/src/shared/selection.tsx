import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';

/**
 * One selection for the page: pointing at a ledger line, a level, a strike, a peer or an event selects the same things
 * everywhere; a click keeps them, Escape lets go.
 */
export interface Selection {
  /** What is selected now, by name. */
  readonly names: ReadonlySet<string>;
  readonly isKept: boolean;
  readonly point: (names: readonly string[] | null) => void;
  readonly keep: (names: readonly string[]) => void;
  readonly letGo: () => void;
}

const NOTHING: readonly string[] = [];
const Context = createContext<Selection | null>(null);

interface ProviderProps {
  /** What is kept from the beginning. */
  readonly first?: string | undefined;
  readonly children: ReactNode;
}

export function SelectionProvider({ first, children }: ProviderProps): ReactNode {
  const [pointed, setPointed] = useState<readonly string[] | null>(null);
  const [kept, setKept] = useState<readonly string[]>(first === undefined ? NOTHING : [first]);
  const letGo = useCallback(() => setKept(NOTHING), []);
  const keep = useCallback(
    (names: readonly string[]) => setKept((before) => (before.join() === names.join() ? NOTHING : names)),
    [],
  );
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') letGo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [letGo]);
  const selection = useMemo(
    () => ({ names: new Set(pointed ?? kept), isKept: kept.length > 0, point: setPointed, keep, letGo }),
    [pointed, kept, keep, letGo],
  );
  return <Context value={selection}>{children}</Context>;
}

export function useSelection(): Selection {
  const selection = useContext(Context);
  if (selection === null) throw new Error('No selection around this component');
  return selection;
}

/** Properties of an element that selects on pointing, focus and click. */
export function selects(selection: Selection, names: readonly string[]) {
  return {
    onPointerEnter: () => selection.point(names),
    onPointerLeave: () => selection.point(null),
    onFocus: () => selection.point(names),
    onBlur: () => selection.point(null),
    'data-selected': names.some((name) => selection.names.has(name)) || undefined,
  };
}
