import type { ReactNode } from 'react';

interface ScrollXProps {
  readonly className?: string;
  readonly children: ReactNode;
}

/** What is wider than its place: it scrolls sideways, by keys too. */
export function ScrollX({ className, children }: ScrollXProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keys
    <div className={className === undefined ? 'scroll-x' : `scroll-x ${className}`} tabIndex={0}>
      {children}
    </div>
  );
}
