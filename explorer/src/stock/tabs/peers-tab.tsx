import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { type Peers, peersQuery } from '../../shared/api/queries.ts';
import type { Instant } from '../../shared/instant.ts';
import { inWords } from '../../shared/levels.ts';
import { selects, useSelection } from '../../shared/selection.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { formatNumber, Num, type NumProps } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Answered, Missing } from '../../shared/ui/states.tsx';
import { Table } from '../../shared/ui/table.tsx';

const SIZE = 360;
const RADIUS = 130;

/** The stock in the middle, its peers around it: nearer and thicker by weight, coloured by their return. */
function PeerGraph({ peers }: { readonly peers: Peers }): ReactNode {
  const selection = useSelection();
  const largest = Math.max(
    ...peers.peers.map(({ return_pct }) => Math.abs(return_pct ?? 0)),
    Math.abs(peers.return_pct),
    0.01,
  );
  const strength = scaleLinear([0, largest], [0.15, 1]).clamp(true);
  const heaviest = Math.max(...peers.peers.map(({ weight }) => weight));
  const node = (symbol: string, x: number, y: number, value: number, radius: number): ReactNode => (
    <g
      key={symbol}
      {...selects(selection, [`peer:${symbol}`])}
      className={selection.names.has(`peer:${symbol}`) ? 'lit' : undefined}
      data-tip={`${symbol}\n${formatNumber(value, 2, 'exceptZero')} % on the session`}
    >
      <circle
        cx={x}
        cy={y}
        r={radius}
        className={value >= 0 ? 'up' : 'down'}
        fillOpacity={strength(Math.abs(value))}
      />
      <text x={x} y={y + radius + 12} textAnchor="middle">
        {symbol}
      </text>
    </g>
  );
  const around = peers.peers.map((peer, at) => {
    const angle = (at / peers.peers.length) * Math.PI * 2 - Math.PI / 2;
    const distance = RADIUS * (1.08 - 0.35 * (peer.weight / heaviest));
    return { ...peer, x: SIZE / 2 + Math.cos(angle) * distance, y: SIZE / 2 + Math.sin(angle) * distance };
  });
  return (
    <svg
      className="figure peer-graph"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`Peers of ${peers.symbol}`}
    >
      {around.map(({ symbol, x, y, weight }) => (
        <line
          key={symbol}
          x1={SIZE / 2}
          y1={SIZE / 2}
          x2={x}
          y2={y}
          strokeWidth={1 + (weight / heaviest) * 4}
        />
      ))}
      {around.map(({ symbol, x, y, return_pct }) => node(symbol, x, y, return_pct ?? 0, 9))}
      {node(peers.symbol, SIZE / 2, SIZE / 2, peers.return_pct, 15)}
    </svg>
  );
}

const Return = ({
  shape = 'signed-percent',
  ...num
}: Partial<NumProps> & Pick<NumProps, 'value'>): ReactNode => (
  <Num {...num} shape={shape} unit="%" directed />
);

interface PeersTabProps {
  readonly symbol: string;
  readonly asOf: Instant;
  /** The session of the page. */
  readonly date: string | undefined;
}

/** Who the peers are, why, and how far the stock is from what they imply. */
export function PeersTab({ symbol, asOf, date }: PeersTabProps): ReactNode {
  const asked = useQuery(peersQuery(symbol, asOf));
  const selection = useSelection();
  return (
    <Answered asked={asked} height={360}>
      {(data) =>
        data.peers.length === 0 ? (
          <Missing reason={ABSENT.peers} height={200} />
        ) : (
          <div className="tab-grid">
            <Panel
              label="Graph of peers"
              title={`Peers on ${data.trade_date}${date === undefined || data.trade_date === date ? '' : ', the session before'}`}
              small={inWords(data.signal)}
            >
              <PeerGraph peers={data} />
              <p className="note">
                Own return <Return value={data.return_pct} label="Return on the session" />, implied by direct
                peers <Return value={data.implied_local_pct} label="Return that the direct peers imply" />:{' '}
                <Num
                  value={data.local}
                  shape="ratio"
                  label="Divergence from the direct peers"
                  unit="deviations"
                />{' '}
                deviations.
              </p>
            </Panel>
            <Panel label="Peers" title={null}>
              <Table heads={['peer', 'weight', 'return %', 'adds %', 'why']}>
                {data.peers.map((peer) => (
                  <tr key={peer.symbol} {...selects(selection, [`peer:${peer.symbol}`])}>
                    <th scope="row">
                      <Link to="/stocks/$symbol" params={{ symbol: peer.symbol }} search={(before) => before}>
                        {peer.symbol}
                      </Link>
                    </th>
                    <td>
                      <Num
                        value={peer.weight * 100}
                        shape="score"
                        label="Weight among the direct peers"
                        unit="%"
                      />
                    </td>
                    <td>
                      <Return value={peer.return_pct} shape="ratio" label="Return on the session" />
                    </td>
                    <td>
                      <Return
                        value={peer.contribution_pct}
                        shape="ratio"
                        label="Part of the implied return"
                      />
                    </td>
                    <td className="why">
                      {peer.reasons.map((reason) => inWords(reason).toLowerCase()).join(', ')}
                    </td>
                  </tr>
                ))}
              </Table>
            </Panel>
          </div>
        )
      }
    </Answered>
  );
}
