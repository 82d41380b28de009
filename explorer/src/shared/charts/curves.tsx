import { scaleLinear, scaleSqrt } from 'd3-scale';
import type { ReactNode } from 'react';
import { Figure } from './figure.tsx';

interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Drawn over the others, with a mark at each point. */
  readonly isChosen?: boolean;
  /** `up`, `down`, or a class with a colour. */
  readonly tone?: string;
}

interface Props {
  readonly label: string;
  readonly curves: readonly Curve[];
  readonly shownX: (value: number) => string;
  readonly shownY: (value: number) => string;
  /** A vertical line, such as the price. */
  readonly mark?: { readonly at: number; readonly name: string };
  /** Small values are spread out, as days to an expiration are. */
  readonly isRootX?: boolean;
  readonly onChoose?: (x: number) => void;
  readonly height?: number;
}

/** Half of the widest tick. */
const TICK_HALF_PX = 20;
const MARGIN = { left: 46, right: 10, top: 14, bottom: 22 };

/** Curves over a common axis; the chosen one in front. */
export function Curves({
  label,
  curves,
  shownX,
  shownY,
  mark,
  isRootX = false,
  onChoose,
  height = 220,
}: Props): ReactNode {
  const all = curves.flatMap(({ points }) => points);
  if (all.length === 0) return null;
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const ordered = curves.toSorted((a, b) => Number(a.isChosen ?? false) - Number(b.isChosen ?? false));
  return (
    <Figure label={label} height={height} className="curves">
      {(width) => {
        const x = (isRootX ? scaleSqrt : scaleLinear)(
          [Math.min(...xs), Math.max(...xs)],
          [MARGIN.left, width - MARGIN.right],
        );
        const y = scaleLinear([Math.min(...ys), Math.max(...ys)], [height - MARGIN.bottom, MARGIN.top]).nice(
          4,
        );
        return (
          <>
            {y.ticks(4).map((tick) => (
              <g key={tick}>
                <line
                  className="base-line"
                  x1={MARGIN.left}
                  x2={width - MARGIN.right}
                  y1={y(tick)}
                  y2={y(tick)}
                />
                <text className="tick" textAnchor="end" x={MARGIN.left - 6} y={y(tick) + 4}>
                  {shownY(tick)}
                </text>
              </g>
            ))}
            {x.ticks(Math.max(2, Math.floor(width / 90))).map((tick) => (
              <text
                key={tick}
                className="tick"
                // The last would be cut by the edge.
                textAnchor={x(tick) > width - MARGIN.right - TICK_HALF_PX ? 'end' : 'middle'}
                x={Math.min(x(tick), width - MARGIN.right)}
                y={height - 4}
              >
                {shownX(tick)}
              </text>
            ))}
            {mark === undefined ? null : (
              <>
                <line
                  className="spot"
                  x1={x(mark.at)}
                  x2={x(mark.at)}
                  y1={MARGIN.top}
                  y2={height - MARGIN.bottom}
                />
                <text x={x(mark.at) + 4} y={MARGIN.top - 3}>
                  {mark.name}
                </text>
              </>
            )}
            {ordered.map(({ name, points, isChosen = false, tone = '' }) => (
              <g key={name} className={`curve ${tone} ${isChosen ? 'chosen' : ''}`}>
                <path d={points.map(([a, b], at) => `${at === 0 ? 'M' : 'L'}${x(a)},${y(b)}`).join('')} />
                {isChosen
                  ? points.map(([a, b]) => (
                      // biome-ignore lint/a11y/noStaticElementInteractions: the same choice is a list above the figure
                      <circle
                        key={a}
                        cx={x(a)}
                        cy={y(b)}
                        r={onChoose === undefined ? 2.5 : 4}
                        data-tip={`${name}\n${shownX(a)}: ${shownY(b)}`}
                        onClick={() => onChoose?.(a)}
                      />
                    ))
                  : null}
              </g>
            ))}
          </>
        );
      }}
    </Figure>
  );
}
