import type { ReactNode } from 'react';

/** What is wider than its place: it scrolls sideways, by keys too. */
export function ScrollX({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keys
    <div className={className === undefined ? 'scroll-x' : `scroll-x ${className}`} tabIndex={0}>
      {children}
    </div>
  );
}
