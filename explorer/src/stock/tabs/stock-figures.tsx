import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import { NamedNum, type Shape } from '../../shared/ui/number.tsx';

/** A field of the stock by its path, and what is shown of it. */
export type Figure = readonly [
  path: string,
  title: string,
  shape: Shape,
  how?: { readonly directed?: boolean; readonly scale?: number },
];

/** The value at a dotted path of an answer. */
export function valueAt(stock: Stock, path: string): number | null {
  let value: unknown = stock;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'number' ? value : null;
}

interface Props {
  readonly stock: Stock;
  readonly figures: readonly Figure[];
  /** What follows them. */
  readonly children?: ReactNode;
}

/** Fields of a stock as names and numbers. */
export const StockFigures = ({ stock, figures, children }: Props): ReactNode => (
  <dl className="figures">
    {figures.map(([path, title, shape, { directed = false, scale = 1 } = {}]) => {
      const value = valueAt(stock, path);
      const shown = value === null ? null : value * scale;
      return (
        <NamedNum key={path} title={title} value={shown} shape={shape} field={path} directed={directed} />
      );
    })}
    {children}
  </dl>
);
