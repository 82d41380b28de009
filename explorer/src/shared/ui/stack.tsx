import type { ReactNode } from 'react';

interface Props {
  /** Colour, size and tip of each. */
  readonly parts: readonly (readonly [tone: string, size: number, tip: string])[];
  readonly whole: number;
  readonly className?: string;
}

/** Parts of a whole as one bar. */
export const Stack = ({ parts, whole, className = '' }: Props): ReactNode => (
  <div className={`stack ${className}`}>
    {parts.map(([tone, size, tip]) => (
      <span
        key={tone}
        className={tone}
        style={{ width: `${(size / Math.max(whole, 1)) * 100}%` }}
        data-tip={tip}
      />
    ))}
  </div>
);
