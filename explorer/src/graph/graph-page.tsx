import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { neighborhoodQuery } from '../shared/api/queries.ts';
import { AsOfInput } from '../shared/as-of-input.tsx';
import { wordsOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { present } from '../shared/present.ts';
import { formatNumber } from '../shared/ui/number.tsx';
import { Answered } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import {
  EDGE_TYPES,
  type EdgeType,
  type GraphNode,
  type GraphSearch,
  type Neighborhood,
  typesOf,
  withType,
} from './graph-search.ts';
import { nameOf } from './node-words.ts';
import './graph.css';

const route = getRouteApi('/graph/$symbol');
const DEPTHS = [1, 2, 3] as const;

/** What the graph knows around a stock on a date. */
export function GraphPage(): ReactNode {
  const { symbol } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { depth = 1, q = '', node: chosen } = search;
  const types = typesOf(search);
  const [words, setWords] = useState(q);
  const asked = useQuery(neighborhoodQuery(symbol, { depth, types }, search.as_of));
  const change = (part: { readonly [Name in keyof GraphSearch]?: GraphSearch[Name] | undefined }): void =>
    void navigate({ search: (before) => present({ ...before, ...part }), replace: true });
  useTitle(`Graph of ${symbol}`);
  const isFound =
    words.trim() === ''
      ? null
      : (node: GraphNode): boolean =>
          `${node.label} ${nameOf(node)} ${node.key}`.toLowerCase().includes(words.trim().toLowerCase());
  return (
    <div className="graph-page">
      <section className="row graph-bar" aria-label="What is shown">
        <h1>
          {symbol} <small>{asked.data === undefined ? '' : whenOf(asked.data)}</small>
        </h1>
        <input
          type="search"
          aria-label="Find in the graph"
          placeholder="find in the graph"
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            change({ q: target.value });
          }}
        />
        <fieldset>
          <legend className="visually-hidden">Rings around the stock</legend>
          {DEPTHS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === depth}
              data-tip={`${one} ${one === 1 ? 'ring' : 'rings'} around the stock`}
              onClick={() => change({ depth: one === 1 ? undefined : one })}
            >
              {one}
            </button>
          ))}
        </fieldset>
        <fieldset className="edge-types">
          <legend className="visually-hidden">Edges</legend>
          {(Object.entries(EDGE_TYPES) as [EdgeType, string][]).map(([type, word]) => (
            <button
              key={type}
              type="button"
              className="switch"
              data-type={type}
              aria-pressed={types.includes(type)}
              data-tip={tipOf(asked.data, type)}
              onClick={() => change({ types: withType(search, type) })}
            >
              {word}
            </button>
          ))}
        </fieldset>
        <AsOfInput asOf={search.as_of} onChange={(as_of) => change({ as_of })} />
      </section>
      <Answered asked={asked} height={480}>
        {(graph) => (
          <div className="graph-body">
            <GraphCanvas
              graph={graph}
              chosen={chosen}
              isFound={isFound}
              onChoose={(node) => change({ node })}
            />
            <aside aria-label="Chosen node">
              <NodeDetails
                graph={graph}
                chosen={chosen}
                search={search}
                onChoose={(node) => change({ node })}
              />
              {types.includes('PEER_OF') && !graph.edges.some(({ type }) => type === 'PEER_OF') ? (
                <p>
                  <Link to="/graph" search={search.as_of === undefined ? {} : { as_of: search.as_of }}>
                    A stock that has peers
                  </Link>
                </p>
              ) : null}
              {graph.notes.map((note) => (
                <p key={note} className="note">
                  {note}
                </p>
              ))}
            </aside>
          </div>
        )}
      </Answered>
    </div>
  );
}

const whenOf = ({ as_of, trade_date, nodes, edges }: Neighborhood): string =>
  `${nodes.length} nodes, ${edges.length} edges of ${trade_date}, known at ${wordsOf(Date.parse(as_of))}`;

function tipOf(graph: Neighborhood | undefined, type: EdgeType): string {
  const shown = graph?.edges.filter((edge) => edge.type === type).length ?? 0;
  const left = graph?.left_off.find((one) => one.type === type);
  return `${type}\n${shown} edges${left === undefined ? '' : `, ${left.at_least ? 'at least ' : ''}${left.count} left off by the limit`}`;
}

const shownValue = (value: unknown): string =>
  typeof value === 'number'
    ? Number.isInteger(value)
      ? `${value}`
      : formatNumber(value, Math.abs(value) < 1 ? 3 : 2)
    : Array.isArray(value)
      ? value.map((one) => inWords(`${one}`).toLowerCase()).join(', ')
      : `${value ?? 'not known'}`;

interface DetailsProps {
  readonly graph: Neighborhood;
  readonly chosen: string | undefined;
  readonly search: GraphSearch;
  readonly onChoose: (id: string) => void;
}

/** What is known of the chosen node, and every edge of it as text. */
function NodeDetails({ graph, chosen, search, onChoose }: DetailsProps): ReactNode {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const node = byId.get(chosen ?? graph.nodes[0]!.id) ?? graph.nodes[0]!;
  const edges = graph.edges.filter(({ source, target }) => source === node.id || target === node.id);
  const time = search.as_of === undefined ? {} : { as_of: search.as_of };
  return (
    <>
      <h2>
        <bdi>{nameOf(node)}</bdi> <small>{node.label}</small>
      </h2>
      {node.label !== 'Stock' ? null : (
        <p className="ways">
          <Link to="/stocks/$symbol" params={{ symbol: node.key }} search={time}>
            Open {node.key}
          </Link>
          {node.key === graph.symbol ? null : (
            <Link
              to="/graph/$symbol"
              params={{ symbol: node.key }}
              search={({ node: _, ...others }: GraphSearch) => others}
            >
              Centre here
            </Link>
          )}
        </p>
      )}
      <Properties of={node.props} />
      <ul className="edges">
        {edges.map(({ source, target, type, props }) => {
          const other = byId.get(source === node.id ? target : source)!;
          return (
            <li key={`${source} ${type} ${target}`}>
              <button type="button" className="line" onClick={() => onChoose(other.id)}>
                <span className="quiet" data-type={type}>
                  {EDGE_TYPES[type]}
                </span>{' '}
                <bdi>{nameOf(other)}</bdi>
              </button>
              <Properties of={props} />
            </li>
          );
        })}
      </ul>
      {edges.length > 0 ? null : <p className="note">No edge of the chosen kinds touches it.</p>}
    </>
  );
}

function Properties({ of }: { readonly of: Readonly<Record<string, unknown>> }): ReactNode {
  const shown = Object.entries(of).filter(
    ([, value]) => (value !== null && typeof value !== 'object') || Array.isArray(value),
  );
  if (shown.length === 0) return null;
  return (
    <dl className="properties">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{inWords(name)}</dt>
          <dd>
            <bdi>
              {name === 'weight' && typeof value === 'number'
                ? `${formatNumber(value * 100, 1)} %`
                : shownValue(value)}
            </bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
