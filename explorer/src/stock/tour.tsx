import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { marketQuery, stockQuery } from '../shared/api/queries.ts';
import { atMinute, dateOf, type Instant, LAST_MINUTE, minuteOf } from '../shared/instant.ts';
import { useSelection } from '../shared/selection.tsx';
import { ABSENT } from '../shared/sentences.ts';
import { useKeys } from '../shared/use-keys.ts';
import type { Standpoint } from './standpoint.ts';
import type { StockSearch } from './stock-search.ts';
import { type TourStep, tourSteps } from './tour-steps.ts';

const NAMES: Readonly<Record<TourStep['kind'], string>> = {
  open: 'Open',
  break: 'Break',
  test: 'Test',
  flip: 'Flip',
  close: 'Close',
};

interface Props {
  readonly symbol: string;
  /** The step that is shown, from 1. */
  readonly at: number;
  /** Null until it is known. */
  readonly standpoint: Standpoint | null;
  readonly change: (part: Partial<Record<keyof StockSearch, unknown>>, replace?: boolean) => void;
}

/** A session in a few steps, each with its minute. */
export function Tour({ symbol, at: asked, standpoint, change }: Props): ReactNode {
  const steps = useSteps(symbol, standpoint);
  const at = Math.min(asked, steps?.length ?? asked);
  const { names, keep, letGo } = useSelection();
  const leave = (): void => {
    letGo();
    change({ tour: undefined }, true);
  };
  useKeys({ Escape: leave });
  const step = steps?.[at - 1];
  const shown = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step moves the page once, its reader moves it on
  useEffect(() => {
    if (step === undefined || shown.current === `${at} ${step.asOf}`) return;
    shown.current = `${at} ${step.asOf}`;
    change({ as_of: step.asOf }, true);
    if (step.level === null) letGo();
    else if (!names.has(step.level)) keep([step.level]);
  }, [step, at]);
  const last = steps?.length ?? 0;
  return (
    <aside className="row hints tour" aria-label="Tour of a session">
      {steps === null ? (
        <p aria-busy="true" />
      ) : (
        <ol className="tour-steps">
          {steps.map(({ kind }, index) => (
            <li key={kind}>
              <button
                type="button"
                className="switch"
                aria-current={index + 1 === at ? 'step' : undefined}
                aria-pressed={index + 1 === at}
                onClick={() => change({ tour: index + 1 })}
              >
                {index + 1} {NAMES[kind]}
              </button>
            </li>
          ))}
        </ol>
      )}
      <p aria-live="polite">{step?.says ?? (steps === null ? '' : ABSENT.tour)}</p>
      {at < last ? (
        <button type="button" onClick={() => change({ tour: at + 1 })}>
          Next
        </button>
      ) : null}
      <button type="button" onClick={leave}>
        Leave
      </button>
    </aside>
  );
}

/** The steps of the session of an instant, by what was known at its end; null while they are on the way. */
function useSteps(symbol: string, standpoint: Standpoint | null): readonly TourStep[] | null {
  const { shownMs, newestMs } = standpoint ?? { shownMs: 0, newestMs: 0 };
  const endMs = atMinute(dateOf(shownMs), LAST_MINUTE);
  const end: Instant = endMs >= newestMs ? undefined : minuteOf(endMs);
  const stock = useQuery({ ...stockQuery(symbol, end), enabled: standpoint !== null });
  const market = useQuery({ ...marketQuery(end), enabled: standpoint !== null });
  if (stock.error !== null || market.error !== null) return [];
  if (stock.data === undefined || market.data === undefined) return null;
  if (stock.isPlaceholderData || market.isPlaceholderData || standpoint === null) return null;
  return tourSteps(stock.data, market.data);
}
