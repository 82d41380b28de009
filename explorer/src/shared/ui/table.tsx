import type { ReactNode } from 'react';
import { ScrollX } from './scroll-x.tsx';

interface Props {
  /** Of each column; `why` is wide and runs over lines. */
  readonly heads: readonly string[];
  readonly caption?: ReactNode;
  /** Whether the head of the first column is for those who hear the page. */
  readonly isFirstHidden?: boolean;
  /** Rows of the body. */
  readonly children: ReactNode;
}

/** A table under its heads, which scrolls sideways where it is wider than its place. */
export const Table = ({ heads, caption, isFirstHidden, children }: Props): ReactNode => (
  <ScrollX>
    <table>
      {caption}
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th key={head} scope="col" className={head === 'why' ? head : undefined}>
              {isFirstHidden && at === 0 ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </ScrollX>
);
