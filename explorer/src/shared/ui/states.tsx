import { TigraphError } from '@tigraph/client';
import { type ReactNode, useEffect, useState } from 'react';
import { wordsOf } from '../instant.ts';
import { WAYS } from '../sentences.ts';

/** Empty, loading, refused and missing, as every panel shows them. */

interface MissingProps {
  readonly reason: string;
  readonly height?: number;
  /** The way on, such as a button. */
  readonly children?: ReactNode;
}

/** What is not known, hatched, with the reason. */
export function Missing({ reason, height, children }: MissingProps): ReactNode {
  return (
    <div className="missing" style={height === undefined ? undefined : { minHeight: height }}>
      <p>
        {reason} {children}
      </p>
    </div>
  );
}

const PATIENCE_MS = 150;

interface SkeletonProps {
  readonly rows?: number;
  /** Pixels, or a share of the box around it. */
  readonly height?: number | `${number}%`;
}

/** A placeholder in the shape of the content, after a moment in which most answers arrive. */
export function Skeleton({ rows = 4, height }: SkeletonProps): ReactNode {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (height !== undefined) {
    return <div className={isLate ? 'skeleton' : undefined} style={{ height }} aria-busy="true" />;
  }
  return (
    <div aria-busy="true">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
        <div key={at} className={isLate ? 'skeleton skeleton-row' : 'skeleton-row'} />
      ))}
    </div>
  );
}

/** The service names a minute that has not come in UTC, as callers write it. */
function sentenceOf({ details, message }: TigraphError): string {
  const newest = details.find(({ type }) => type === 'as_of_not_reached')?.ctx.newest;
  return typeof newest === 'string'
    ? `That minute cannot be shown yet: the newest one is ${wordsOf(Date.parse(newest))}.`
    : message;
}

/** Where nothing is loaded no other session can be chosen. */
const wayOf = ({ code, message }: TigraphError): string =>
  code === 'no_data_for_date' && !/\d{4}-\d\d-\d\d/.test(message) ? 'no_data' : code;

interface RefusedProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

export function Refused({ error, onRetry }: RefusedProps): ReactNode {
  const refusal = error instanceof TigraphError ? error : new TigraphError(0, 'internal', error.message);
  const way = WAYS[wayOf(refusal)];
  return (
    <div className="refused" role="alert">
      <p>{sentenceOf(refusal)}</p>
      {way === undefined ? null : <p className="way">{way}</p>}
      {onRetry === undefined || !refusal.isTemporary ? null : (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** The content of a panel once its answer has arrived; the last answer stays while a newer one is on its way. */
export function Answered<Data>({
  asked,
  height,
  rows,
  children,
}: {
  readonly asked: Asked<Data>;
  readonly height?: number;
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, error, refetch } = asked;
  if (data !== undefined) return children(data);
  if (error !== null) return <Refused error={error} onRetry={() => void refetch()} />;
  return <Skeleton {...(height === undefined ? {} : { height })} {...(rows === undefined ? {} : { rows })} />;
}
