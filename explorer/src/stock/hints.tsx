import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Instant } from '../shared/instant.ts';
import { useSelection } from '../shared/selection.tsx';
import { HINTS, TOUCH_HINTS, WHAT } from '../shared/sentences.ts';
import type { Tab } from './stock-search.ts';

const KEY = 'tigraph.hints';

function firstHint(): number {
  try {
    return Number(localStorage.getItem(KEY) ?? 0);
  } catch {
    return HINTS.length;
  }
}

interface Props {
  readonly asOf: Instant;
  readonly tab: Tab;
  readonly onTour: () => void;
}

/** Three hints for a first visit, each gone once its reader has done it. */
export function Hints({ asOf, tab, onTour }: Props): ReactNode {
  const [at, setAt] = useState(firstHint);
  const [began] = useState(asOf);
  const { names } = useSelection();
  const isDone = [names.size > 0, asOf !== began, tab === 'peers'][at] ?? false;
  const go = (to: number): void => {
    setAt(to);
    try {
      localStorage.setItem(KEY, `${to}`);
    } catch {
      // Without storage the hints come back with the next visit.
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step is taken once, when it is done
  useEffect(() => {
    if (isDone) go(at + 1);
  }, [isDone]);
  const hint = (matchMedia('(hover: none)').matches ? TOUCH_HINTS : HINTS)[at];
  if (hint === undefined) return null;
  return (
    <aside className="row hints" aria-label="First steps">
      <p className="what">
        {WHAT} <Link to="/data">Data</Link> takes your own files.
      </p>
      <p>
        <small>
          {at + 1} of {HINTS.length}
        </small>{' '}
        {hint}
      </p>
      <button type="button" onClick={onTour}>
        Tour of this session
      </button>
      <button type="button" onClick={() => go(at + 1)}>
        Next
      </button>
      <button type="button" onClick={() => go(HINTS.length)}>
        No hints
      </button>
    </aside>
  );
}
