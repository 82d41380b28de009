import type { ReactNode } from 'react';
import { ABSENT } from '../sentences.ts';
import { useField } from './fields.ts';
import { useShown } from './shown.ts';

/** A number as the trade rounds it, with the exact value, unit, instant and source in its tooltip. */

const formats = new Map<number, Intl.NumberFormat>();
/** What rounds to zero has no sign. */
const SIGN = { exceptZero: 'exceptZero', never: 'negative' } as const;

export function formatNumber(value: number, digits: number, sign: keyof typeof SIGN = 'never'): string {
  const key = digits * 2 + (sign === 'never' ? 0 : 1);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay: SIGN[sign],
    });
    formats.set(key, format);
  }
  return format.format(value).replace('-', '−');
}

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** `1.25 B`, `318 K`. */
export const formatCompact = (value: number): string => COMPACT.format(value).replace('-', '−');

/** Prices by the tick: four decimals below a dollar. */
export const formatPrice = (value: number): string => formatNumber(value, Math.abs(value) < 1 ? 4 : 2);

/** Money and shares, which may be large. */
export const formatAmount = (value: number): string =>
  Math.abs(value) >= 100_000 ? formatCompact(value) : formatNumber(value, Number.isInteger(value) ? 0 : 2);

export type Shape =
  | 'price'
  | 'amount'
  | 'percent'
  | 'signed-percent'
  | 'score'
  | 'fraction'
  | 'integer'
  | 'ratio';

const SHAPES: Readonly<Record<Shape, (value: number) => string>> = {
  price: formatPrice,
  amount: formatAmount,
  percent: (value) => `${formatNumber(value, 2)} %`,
  'signed-percent': (value) => `${formatNumber(value, 2, 'exceptZero')} %`,
  score: (value) => formatNumber(value, Math.abs(value) >= 100 ? 0 : 1),
  fraction: (value) => `${formatNumber(value * 100, 1)} %`,
  integer: (value) => formatNumber(value, 0),
  ratio: (value) => formatNumber(value, 2),
};

export const format = (shape: Shape, value: number): string => SHAPES[shape](value);

export interface NumProps {
  readonly value: number | null | undefined;
  readonly shape: Shape;
  /** Path in the stock's answer, for the unit and the description of the tooltip. */
  readonly field?: string;
  /** Name of what is shown where no field says it. */
  readonly label?: string;
  readonly unit?: string;
  /** Why there is no value. */
  readonly missing?: string;
  /** Colours the number by its sign. */
  readonly directed?: boolean;
}

export function Num({ value, shape, field, label, unit, missing, directed = false }: NumProps): ReactNode {
  const described = useField(field);
  const { asOf, source } = useShown();
  const name = described?.description ?? label ?? field ?? '';
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return (
      <span className="missing-number" data-tip={`${name}\n${missing ?? ABSENT.value}`}>
        –
      </span>
    );
  }
  const tone = !directed || value === 0 ? undefined : value > 0 ? 'up' : 'down';
  const measure = described?.unit ?? unit ?? '';
  return (
    <span
      className={`num${tone === undefined ? '' : ` ${tone}`}`}
      data-tip={`${name}\n${value} ${measure}\n${asOf} · ${source}`}
    >
      {SHAPES[shape](value)}
    </span>
  );
}

/** A number under its name in a list of figures. */
export const NamedNum = ({ title, ...num }: NumProps & { readonly title: string }): ReactNode => (
  <div>
    <dt>{title}</dt>
    <dd>
      <Num {...num} />
    </dd>
  </div>
);
