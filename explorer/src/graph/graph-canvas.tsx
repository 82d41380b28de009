import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { isolated } from '../shared/ui/isolated.ts';
import type { GraphNode, Neighborhood } from './graph-search.ts';
import { layOut, type Placed, radiusOf } from './layout.ts';
import { nameOf } from './node-words.ts';

interface Props {
  readonly graph: Neighborhood;
  readonly chosen: string | undefined;
  /** Whether the words that are looked for name a node. */
  readonly isFound: ((node: GraphNode) => boolean) | null;
  readonly onChoose: (id: string | undefined) => void;
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const MARGIN = 44;
/** Of a name beside the edge. */
const NAME_MARGIN = 8;
const LABEL_LETTERS = 22;
/** Names have one size however near the picture is. */
const LABEL_PX = 11;
const LETTER_PX = 6;
const LINE_PX = 15;
const [MIN_SCALE, MAX_SCALE] = [0.2, 4];

/** Nodes and edges around a stock: drag to move, wheel or keys to come nearer, choose a node to read it. */
export function GraphCanvas({ graph, chosen, isFound, onChoose }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [view, setView] = useState<View | null>(null);
  const isTall = size.height > size.width;
  const places = useMemo(() => layOut(graph.nodes, graph.edges, isTall), [graph, isTall]);
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    // React's own wheel listener is passive and could not keep the page from scrolling.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoom.current(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - left, event.clientY - top);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', onWheel);
    };
  }, []);
  const { x, y, scale } = view ?? fitted(places, size);
  const zoom = useRef((_by: number, _atX: number, _atY: number): void => {});
  zoom.current = (by, atX, atY) => {
    const next = Math.min(Math.max(scale * by, MIN_SCALE), MAX_SCALE);
    setView({ x: atX - ((atX - x) * next) / scale, y: atY - ((atY - y) * next) / scale, scale: next });
  };
  const drag = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const onMove = ({ clientX, clientY }: PointerEvent): void => {
    if (drag.current === null) return;
    setView({ x: x + clientX - drag.current.x, y: y + clientY - drag.current.y, scale });
    drag.current = { x: clientX, y: clientY };
  };
  const endDrag = (): void => {
    drag.current = null;
  };
  const near = useMemo(() => {
    const ids = new Set<string>(chosen === undefined ? [] : [chosen]);
    for (const { source, target } of graph.edges) {
      if (source === chosen) ids.add(target);
      if (target === chosen) ids.add(source);
    }
    return ids;
  }, [graph, chosen]);
  const isDim = (id: string): boolean =>
    isFound !== null ? !isFound(places.get(id)!.node) : chosen !== undefined && !near.has(id);
  const labelled = useMemo(
    () => withoutOverlap([...places.values()], scale, (id) => near.has(id)),
    [places, scale, near],
  );
  return (
    <div ref={box} className="graph-canvas" data-found={isFound !== null || undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no fieldset */}
      <svg
        width={size.width}
        height={size.height}
        role="group"
        aria-label={`Graph around ${graph.symbol}`}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={onMove}
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
        onPointerLeave={endDrag}
      >
        <g transform={`translate(${x} ${y}) scale(${scale})`}>
          {graph.edges.map(({ source, target, type }) => {
            const [from, to] = [places.get(source)!, places.get(target)!];
            const isLit = chosen !== undefined && (source === chosen || target === chosen);
            return (
              <line
                key={`${source} ${type} ${target}`}
                className={isLit ? 'lit' : undefined}
                x1={from.x}
                y1={from.y}
                x2={to.x}
                y2={to.y}
              />
            );
          })}
          {[...places.values()].map(({ id, node, x: atX, y: atY }) => (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button
            <g
              key={id}
              role="button"
              tabIndex={0}
              aria-pressed={id === chosen}
              aria-label={spokenName(node)}
              className="node"
              data-label={node.label}
              data-dim={isDim(id) || undefined}
              transform={`translate(${atX} ${atY})`}
              onClick={() => onChoose(id === chosen ? undefined : id)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                event.stopPropagation();
                onChoose(id === chosen ? undefined : id);
              }}
            >
              <circle r={radiusOf(node)} />
              {labelled.has(id) ? (
                <text y={radiusOf(node) + 13 / scale} fontSize={LABEL_PX / scale} textAnchor="middle">
                  {isolated(shortened(nameOf(node)))}
                </text>
              ) : null}
            </g>
          ))}
        </g>
      </svg>
      <div className="zoom">
        <button
          type="button"
          className="icon"
          aria-label="Nearer"
          onClick={() => zoom.current(1.3, size.width / 2, size.height / 2)}
        >
          +
        </button>
        <button
          type="button"
          className="icon"
          aria-label="Farther"
          onClick={() => zoom.current(1 / 1.3, size.width / 2, size.height / 2)}
        >
          −
        </button>
        <button type="button" onClick={() => setView(null)}>
          fit
        </button>
      </div>
    </div>
  );
}

/** Nodes whose names are written: none over another, those near the chosen one and those near the stock first. */
function withoutOverlap(
  all: readonly Placed[],
  scale: number,
  isNear: (id: string) => boolean,
): ReadonlySet<string> {
  const taken: { readonly x: number; readonly y: number; readonly half: number }[] = [];
  const named = new Set<string>();
  const ordered = [...all].sort(
    (a, b) => Number(isNear(b.id)) - Number(isNear(a.id)) || a.node.depth - b.node.depth,
  );
  for (const { id, node, x, y } of ordered) {
    const half = halfOf(node);
    const at = { x: x * scale, y: (y + radiusOf(node)) * scale, half };
    if (
      taken.some(
        (other) => Math.abs(other.x - at.x) < other.half + half && Math.abs(other.y - at.y) < LINE_PX,
      )
    ) {
      continue;
    }
    taken.push(at);
    named.add(id);
  }
  return named;
}

/** Half of the width of a node's name, pixels. */
const halfOf = (node: GraphNode): number => (shortened(nameOf(node)).length * LETTER_PX) / 2;

/** The view in which every node is seen. */
function fitted(
  places: ReadonlyMap<string, Placed>,
  { width, height }: { readonly width: number; readonly height: number },
): View {
  const all = [...places.values()];
  const [left, right] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...all.map(({ y }) => y)), Math.max(...all.map(({ y }) => y))];
  const aside = Math.max(MARGIN, ...all.map(({ node }) => halfOf(node) + NAME_MARGIN));
  const scale = Math.min(
    (width - 2 * aside) / Math.max(right - left, 1),
    (height - 2 * MARGIN) / Math.max(bottom - top, 1),
    1.6,
  );
  const bounded = Math.max(scale, MIN_SCALE);
  return {
    x: width / 2 - ((left + right) / 2) * bounded,
    y: height / 2 - ((top + bottom) / 2) * bounded,
    scale: bounded,
  };
}

/** The name as it is written, its kind, and the whole name where it is written short. */
function spokenName(node: GraphNode): string {
  const [name, written] = [nameOf(node), shortened(nameOf(node))];
  return `${written}, ${node.label}${written === name ? '' : `: ${name}`}`;
}

const shortened = (name: string): string =>
  name.length <= LABEL_LETTERS ? name : `${name.slice(0, LABEL_LETTERS - 1)}…`;
