import type { ReactNode } from 'react';

/** A table that is wider than its place scrolls by itself, also by the keys. */
export function Wide({
  className = '',
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keys
    <div className={`scroll-x ${className}`} tabIndex={0}>
      {children}
    </div>
  );
}
