import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import type { Exposure } from '../api/queries.ts';
import { selects, useSelection } from '../selection.tsx';
import { formatAmount, formatPrice } from '../ui/number.tsx';
import { Figure } from './figure.tsx';

const HEIGHT = 240;
const MARGIN = { left: 8, right: 8, top: 14, bottom: 22 };
/** Strikes around spot that carry the picture. */
const REACH = 0.14;

const amount = (value: number | null): string => (value === null ? 'not known' : formatAmount(value));

/** Call gamma above the line and put gamma below it, by strike, with spot, walls and flip zone. */
export function BarsByStrike({ exposure }: { readonly exposure: Exposure }): ReactNode {
  const selection = useSelection();
  const { spot_price: spot, by_strike, flip_zone, call_wall, put_wall } = exposure;
  if (spot === null) return null;
  const near = by_strike.filter(({ strike }) => Math.abs(strike / spot - 1) <= REACH);
  if (near.length === 0) return null;
  return (
    <Figure label="Dealer gamma by strike" height={HEIGHT}>
      {(width) => {
        const x = scaleLinear(
          [near[0]!.strike, near.at(-1)!.strike],
          [MARGIN.left + 6, width - MARGIN.right - 6],
        );
        const largest = Math.max(
          ...near.map(({ call_gamma, put_gamma }) => Math.max(call_gamma ?? 0, put_gamma ?? 0)),
          1,
        );
        const y = scaleLinear([-largest, largest], [HEIGHT - MARGIN.bottom, MARGIN.top]);
        const thickness = Math.max(2, (width / near.length) * 0.7);
        const zero = y(0);
        return (
          <>
            {flip_zone === null ? null : (
              <rect
                className="zone"
                x={x(flip_zone.low)}
                width={Math.max(2, x(flip_zone.high) - x(flip_zone.low))}
                y={MARGIN.top}
                height={HEIGHT - MARGIN.bottom - MARGIN.top}
                data-tip={`Gamma flip zone\n${formatPrice(flip_zone.low)} to ${formatPrice(flip_zone.high)} USD`}
              />
            )}
            {near.map(
              ({ strike, call_gamma, put_gamma, net_gamma, call_open_interest, put_open_interest }) => (
                <g
                  key={strike}
                  {...selects(selection, [`strike:${strike}`])}
                  className={selection.names.has(`strike:${strike}`) ? 'lit' : undefined}
                  data-tip={`Strike ${formatPrice(strike)}\nnet ${amount(net_gamma)} USD per 1 %\nopen interest ${amount(call_open_interest)} calls, ${amount(put_open_interest)} puts`}
                >
                  {call_gamma === null ? null : (
                    <rect
                      className="up"
                      x={x(strike) - thickness / 2}
                      width={thickness}
                      y={y(call_gamma)}
                      height={zero - y(call_gamma)}
                    />
                  )}
                  {put_gamma === null ? null : (
                    <rect
                      className="down"
                      x={x(strike) - thickness / 2}
                      width={thickness}
                      y={zero}
                      height={y(-put_gamma) - zero}
                    />
                  )}
                </g>
              ),
            )}
            <line className="spot" x1={x(spot)} x2={x(spot)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
            <text className="over" x={x(spot) + 4} y={MARGIN.top + 10}>
              spot {formatPrice(spot)}
            </text>
            {call_wall === null ? null : (
              <text className="wall" textAnchor="middle" x={x(call_wall)} y={10}>
                call wall
              </text>
            )}
            {put_wall === null ? null : (
              <text className="wall" textAnchor="middle" x={x(put_wall)} y={HEIGHT - MARGIN.bottom + 8}>
                put wall
              </text>
            )}
            {x.ticks(8).map((tick) => (
              <text key={tick} className="tick" textAnchor="middle" x={x(tick)} y={HEIGHT - 4}>
                {tick}
              </text>
            ))}
          </>
        );
      }}
    </Figure>
  );
}
