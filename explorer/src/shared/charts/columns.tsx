import { scaleBand, scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { Figure } from './figure.tsx';

interface Bar {
  readonly value: number;
  readonly tone: 'up' | 'down' | 'pale';
}

interface Column {
  readonly name: string;
  /** What lies below the column. */
  readonly title: string;
  /** Side by side, or with `isStacked` from the base on. */
  readonly bars: readonly Bar[];
  readonly tip: string;
  /** What stands above it. */
  readonly note?: string;
}

interface Props {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly shown: (value: number) => string;
  /** Bars of a column lie over each other, above and below the base. */
  readonly isStacked?: boolean;
  readonly height?: number;
}

/** Bars of the values that are known. */
export const barsOf = (...values: readonly (readonly [tone: Bar['tone'], value: number | null])[]): Bar[] =>
  values.flatMap(([tone, value]) => (value === null ? [] : { tone, value }));

const MARGIN = { left: 46, right: 8, top: 20, bottom: 22 };
/** Narrower columns would have titles that run into each other. */
const TITLE_WIDTH = 44;

/** Values by category as bars from a common base of zero. */
export function Columns({ label, columns, shown, isStacked = false, height = 200 }: Props): ReactNode {
  const values = columns.flatMap(({ bars }) => bars.map(({ value }) => value));
  if (values.length === 0) return null;
  return (
    <Figure label={label} height={height}>
      {(width) => {
        const x = scaleBand(
          columns.map(({ name }) => name),
          [MARGIN.left, width - MARGIN.right],
        ).padding(0.25);
        const y = scaleLinear(
          [Math.min(0, ...values), Math.max(0, ...values)],
          [height - MARGIN.bottom, MARGIN.top],
        ).nice(4);
        const zero = y(0);
        // Counts have no halves.
        const isCount = values.every(Number.isInteger);
        const ticks = y.ticks(4).filter((tick) => !isCount || Number.isInteger(tick));
        const every = Math.ceil(TITLE_WIDTH / x.step());
        return (
          <>
            {ticks.map((tick) => (
              <text
                key={tick}
                className="tick"
                textAnchor="end"
                x={MARGIN.left - 6}
                y={Math.min(y(tick) + 4, height - MARGIN.bottom)}
              >
                {shown(tick)}
              </text>
            ))}
            <line className="base-line" x1={MARGIN.left} x2={width - MARGIN.right} y1={zero} y2={zero} />
            {columns.map(({ name, title, bars, tip, note }, at) => {
              const left = x(name)!;
              const thickness = isStacked ? x.bandwidth() : x.bandwidth() / bars.length;
              const top = Math.min(...bars.map(({ value }) => y(value)), zero);
              return (
                <g key={name} data-tip={tip}>
                  <rect className="touch" x={left} width={x.bandwidth()} y={0} height={height} />
                  {bars.map(({ value, tone }, place) => (
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                      key={place}
                      className={tone}
                      x={left + (isStacked ? 0 : place * thickness)}
                      width={Math.max(1, thickness - 1)}
                      y={Math.min(y(value), zero)}
                      height={Math.max(1, Math.abs(zero - y(value)))}
                    />
                  ))}
                  {note === undefined ? null : (
                    <text textAnchor="middle" x={left + x.bandwidth() / 2} y={top - 4}>
                      {note}
                    </text>
                  )}
                  {at % every === 0 ? (
                    <text className="tick" textAnchor="middle" x={left + x.bandwidth() / 2} y={height - 4}>
                      {title}
                    </text>
                  ) : null}
                </g>
              );
            })}
          </>
        );
      }}
    </Figure>
  );
}
