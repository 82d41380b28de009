import { type ReactNode, useEffect, useRef } from 'react';
import { useColourScheme } from '../theme/settings.ts';
import type { OverlayContent } from './overlay-content.ts';
import { type ChartBars, type Pointed, PriceChart } from './price-chart.ts';

interface Props {
  readonly bars: ChartBars;
  readonly isIntraday: boolean;
  readonly content: OverlayContent;
  /** Changes with stock and interval: then the newest bars come into view. */
  readonly view: string;
  readonly label: string;
  /** Chart times that come into view with new bars; without them the newest bars do. */
  readonly span?: { readonly from: number; readonly to: number };
  readonly onPoint: (pointed: Pointed) => void;
  readonly onClick: (pointed: Pointed) => void;
}

/** The element carries its chart as `priceChart`, so that a test can ask where things are drawn. */
interface ChartElement extends HTMLDivElement {
  priceChart?: PriceChart;
}

export function ChartView({
  bars,
  isIntraday,
  content,
  view,
  label,
  span,
  onPoint,
  onClick,
}: Props): ReactNode {
  const element = useRef<ChartElement>(null);
  const chart = useRef<PriceChart>(null);
  const shownView = useRef('');
  const handlers = useRef({ onPoint, onClick });
  handlers.current = { onPoint, onClick };
  useEffect(() => {
    const container = element.current!;
    const made = new PriceChart(container, {
      onPoint: (pointed) => handlers.current.onPoint(pointed),
      onClick: (pointed) => handlers.current.onClick(pointed),
    });
    chart.current = made;
    container.priceChart = made;
    return () => {
      made.dispose();
      chart.current = null;
      shownView.current = '';
    };
  }, []);
  useEffect(() => {
    const isNew = shownView.current !== view;
    chart.current!.showBars(bars, isIntraday, isNew);
    if (isNew && span !== undefined) chart.current!.showSpan(span.from, span.to);
    if (bars.time.length > 0) shownView.current = view;
  }, [bars, isIntraday, view, span]);
  useEffect(() => chart.current!.showOverlay(content), [content]);
  const scheme = useColourScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read again when the scheme changes
  useEffect(() => chart.current!.applyColours(), [scheme]);
  return <div ref={element} className="price-chart" role="img" aria-label={label} />;
}
