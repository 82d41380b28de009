import { useQuery } from '@tanstack/react-query';
import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { type Bars, barsQuery } from '../../shared/api/queries.ts';
import { Figure } from '../../shared/charts/figure.tsx';
import { clockOf, type Instant, MINUTE_MS } from '../../shared/instant.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { formatAmount, formatPrice } from '../../shared/ui/number.tsx';
import { Answered, Missing } from '../../shared/ui/states.tsx';

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  /** The session, YYYY-MM-DD. */
  readonly date: string;
}

const HEIGHT = 240;
const MARGIN = { left: 8, right: 64, top: 10, bottom: 20 };
/** Where the price ends and the flow begins, as a share of the height. */
const PARTING = 0.55;
/** Minutes of a session, which the figure leaves room for. */
const SESSION_MINUTES = 390;
const TICKS = [0, 90, 180, 270, 390];

/** The price of a session above what buyers took less what sellers gave since the open. */
export function CvdFigure({ symbol, asOf, date }: Props): ReactNode {
  const asked = useQuery(
    barsQuery(symbol, { interval: '1m', from: date, to: date, session: 'regular' }, asOf),
  );
  return (
    <Answered asked={asked} height={HEIGHT}>
      {(bars) => {
        if (bars.delta.every((delta) => delta === null)) {
          return <Missing reason={ABSENT.trades} height={120} />;
        }
        return <Drawn bars={bars} />;
      }}
    </Answered>
  );
}

function Drawn({ bars }: { readonly bars: Bars }): ReactNode {
  const startMs = Date.parse(bars.time[0]!);
  const minutes = bars.time.map((time) => (Date.parse(time) - startMs) / MINUTE_MS);
  let sum = 0;
  const cvd = bars.delta.map((delta) => {
    sum += delta ?? 0;
    return sum;
  });
  return (
    <Figure label="CVD against price" height={HEIGHT}>
      {(width) => {
        const x = scaleLinear(
          [0, Math.max(SESSION_MINUTES, minutes.at(-1)!)],
          [MARGIN.left, width - MARGIN.right],
        );
        const parting = HEIGHT * PARTING;
        const price = scaleLinear([Math.min(...bars.low), Math.max(...bars.high)], [parting - 8, MARGIN.top]);
        const flow = scaleLinear(
          [Math.min(0, ...cvd), Math.max(0, ...cvd)],
          [HEIGHT - MARGIN.bottom, parting + 8],
        );
        const path = (values: readonly number[], y: (value: number) => number): string =>
          values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(minutes[at]!)},${y(value)}`).join('');
        const step = x(1) - x(0);
        const last = x(minutes.at(-1)!) + 6;
        return (
          <>
            <line className="base-line" x1={MARGIN.left} x2={width} y1={parting} y2={parting} />
            <line
              className="base-line"
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={flow(0)}
              y2={flow(0)}
            />
            <g className="curve chosen">
              <path d={path(bars.close, price)} />
            </g>
            <g className="curve chosen flow">
              <path d={path(cvd, flow)} />
            </g>
            <text x={last} y={price(bars.close.at(-1)!) + 4}>
              {formatPrice(bars.close.at(-1)!)}
            </text>
            <text x={last} y={flow(sum) + 4}>
              {formatAmount(sum)}
            </text>
            {TICKS.map((minute) => (
              <text
                key={minute}
                className="tick"
                textAnchor={minute === 0 ? 'start' : 'middle'}
                x={x(minute)}
                y={HEIGHT - 4}
              >
                {clockOf(startMs + minute * MINUTE_MS)}
              </text>
            ))}
            {minutes.map((minute, at) => (
              <rect
                key={minute}
                className="touch"
                x={x(minute) - step / 2}
                width={step}
                y={0}
                height={HEIGHT}
                data-tip={`${clockOf(startMs + minute * MINUTE_MS)} ET\nprice ${formatPrice(bars.close[at]!)} USD\nCVD ${formatAmount(cvd[at]!)} shares, of the minute ${formatAmount(bars.delta[at] ?? 0)}`}
              />
            ))}
          </>
        );
      }}
    </Figure>
  );
}
