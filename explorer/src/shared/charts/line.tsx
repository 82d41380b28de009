import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { Figure } from './figure.tsx';

interface Point {
  readonly name: string;
  readonly value: number | null;
}

interface Props {
  readonly label: string;
  readonly points: readonly Point[];
  /** The value as its tooltip and axis have it. */
  readonly shown: (value: number) => string;
  readonly height?: number;
  /** The value that the line is read against. */
  readonly base?: number;
}

const MARGIN = { left: 4, right: 52, top: 8, bottom: 18 };

/** A value over sessions; where none is known the line has a gap. */
export function Line({ label, points, shown, height = 110, base }: Props): ReactNode {
  const known = points.flatMap(({ value }) => value ?? []);
  const last = known.at(-1);
  if (last === undefined) return null;
  const bounds = [...known, ...(base === undefined ? [] : [base])];
  return (
    <Figure label={label} height={height} className="line-figure">
      {(width) => {
        const x = scaleLinear([0, Math.max(points.length - 1, 1)], [MARGIN.left, width - MARGIN.right]);
        const y = scaleLinear(
          [Math.min(...bounds), Math.max(...bounds, Math.min(...bounds) + 1e-9)],
          [height - MARGIN.bottom, MARGIN.top],
        );
        return (
          <>
            {base === undefined ? null : (
              <line
                className="base-line"
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={y(base)}
                y2={y(base)}
              />
            )}
            <path d={pathOf(points, x, y)} />
            {points.map(({ name, value }, at) => (
              <rect
                key={name}
                className="touch"
                x={x(at) - (x(1) - x(0)) / 2}
                width={x(1) - x(0)}
                y={0}
                height={height}
                data-tip={`${name}\n${label} ${value === null ? 'not known' : shown(value)}`}
              />
            ))}
            <text x={width - MARGIN.right + 6} y={y(last) + 4}>
              {shown(last)}
            </text>
            <text className="tick" x={MARGIN.left} y={height - 4}>
              {points[0]!.name}
            </text>
            <text className="tick" textAnchor="end" x={width - MARGIN.right} y={height - 4}>
              {points.at(-1)!.name}
            </text>
          </>
        );
      }}
    </Figure>
  );
}

/** The path of the known points, in pieces where one is missing. */
function pathOf(points: readonly Point[], x: (at: number) => number, y: (value: number) => number): string {
  let isBroken = true;
  return points
    .map(({ value }, at) => {
      if (value === null) {
        isBroken = true;
        return '';
      }
      const command = `${isBroken ? 'M' : 'L'}${x(at).toFixed(1)},${y(value).toFixed(1)}`;
      isBroken = false;
      return command;
    })
    .join('');
}
