import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { barsQuery } from '../shared/api/queries.ts';
import { dateOf, type Instant, MINUTE_MS, noonOf } from '../shared/instant.ts';
import { formatPrice } from '../shared/ui/number.tsx';

/** Closes that a line is of, and the calendar days in which they are found. */
const SESSIONS = 20;
const REACH_MS = 35 * 1440 * MINUTE_MS;
/** A row that is scrolled past asks for nothing. */
const SETTLED_MS = 150;
const WIDTH = 64;
const HEIGHT = 20;

interface Props {
  readonly symbol: string;
  /** The session of the rows, which the line ends with. */
  readonly date: string;
  readonly asOf: Instant;
  readonly isInView: boolean;
}

/** The closes of the last sessions as a line, asked for once its row has come into view. */
export function Spark({ symbol, date, asOf, isInView }: Props): ReactNode {
  const [isSettled, settle] = useState(false);
  useEffect(() => {
    if (!isInView || isSettled) return;
    const timer = setTimeout(() => settle(true), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [isInView, isSettled]);
  const range = { interval: '1d', from: dateOf(noonOf(date) - REACH_MS), to: date } as const;
  const { data } = useQuery({ ...barsQuery(symbol, range, asOf), enabled: isSettled });
  const closes = data?.close.slice(-SESSIONS) ?? [];
  if (closes.length < 2) return <td className="spark" />;
  const [low, high] = [Math.min(...closes), Math.max(...closes)];
  const [first, last] = [closes[0]!, closes.at(-1)!];
  const points = closes.map((close, at) => {
    const x = (at / (closes.length - 1)) * WIDTH;
    const y = HEIGHT - 2 - ((close - low) / Math.max(high - low, Number.EPSILON)) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <td
      className={last >= first ? 'spark up' : 'spark down'}
      data-tip={`Closes of ${closes.length} sessions: ${formatPrice(first)} to ${formatPrice(last)}`}
    >
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </td>
  );
}
