import type { ReactNode } from 'react';

interface Props {
  readonly label: string;
  /** The heading; without one the label is. Null for none. */
  readonly title?: ReactNode;
  /** What the heading adds in small letters. */
  readonly small?: ReactNode;
  /** Classes besides that of every panel. */
  readonly className?: string;
  readonly children: ReactNode;
}

/** A part of a page under its heading. */
export const Panel = ({ label, title = label, small, className = '', children }: Props): ReactNode => (
  <section className={`panel ${className}`} aria-label={label}>
    {title === null ? null : (
      <h2>
        {title} {small === undefined ? null : <small>{small}</small>}
      </h2>
    )}
    {children}
  </section>
);
