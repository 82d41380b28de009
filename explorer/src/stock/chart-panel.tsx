import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { exposureQuery, type Interval, type LiveFeed, type Stock } from '../shared/api/queries.ts';
import { useAlertMarks } from '../shared/alerts/draft.ts';
import { useFeed } from '../shared/api/use-feed.ts';
import { ChartView } from '../shared/chart/chart-view.tsx';
import { EMPTY_CONTENT, LEVEL_GROUPS, type LevelGroup } from '../shared/chart/overlay-content.ts';
import type { ChartBars } from '../shared/chart/price-chart.ts';
import type { Instant } from '../shared/instant.ts';
import { ABSENT } from '../shared/sentences.ts';
import { Segments } from '../shared/ui/choices.tsx';
import { formatAmount, formatPrice } from '../shared/ui/number.tsx';
import { Popover } from '../shared/ui/popover.tsx';
import { Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { DEFAULT_INTERVAL } from './ask-ahead.ts';
import { hasChain } from './has-chain.ts';
import { LAYERS, type Layer, readLayers, withToggled } from './layers.ts';
import { LevelCard } from './level-card.tsx';
import { overlayOf } from './overlay-of.ts';
import { INTERVALS } from './stock-search.ts';
import { isIntraday, useBars } from './use-bars.ts';
import { useChartSelection } from './use-chart-selection.ts';
import type { Instants } from './use-instants.ts';

interface Props {
  readonly symbol: string;
  readonly instants: Instants;
  readonly stock: Stock | undefined;
  /** The newest minute of the stock; null until it is known. */
  readonly newestMs: number | null;
  /** Undefined: the finest that the stock has. */
  readonly chosen: Interval | undefined;
  readonly layers: string;
  readonly change: (part: { interval?: Interval; layers?: string }, replace?: boolean) => void;
}

/** Candles with switches for interval and layers. */
export function ChartPanel({
  symbol,
  instants,
  stock,
  newestMs,
  chosen,
  layers: list,
  change,
}: Props): ReactNode {
  const shown = useShownBars({ symbol, chosen, instants, newestMs }, stock !== undefined);
  const { interval, bars, error, refetch, other } = shown;
  const isMinutes = isIntraday(interval);
  const { layers, groups } = useMemo(() => readLayers(list), [list]);
  const feed = useFeed();
  const lacksChain = stock !== undefined && !hasChain(stock);
  const exposure = useQuery({
    ...exposureQuery(symbol, instants.settled),
    enabled: layers.has('gamma') && stock !== undefined && !lacksChain,
  });
  const { names, pointed, label, close, onPoint, onClick } = useChartSelection();
  const marks = useAlertMarks(symbol);
  const content = useMemo(
    () =>
      stock === undefined || bars === null
        ? EMPTY_CONTENT
        : overlayOf({
            stock,
            exposure: exposure.data,
            layers,
            groups,
            isIntraday: isMinutes,
            times: bars.time,
            earlyCloses: bars.earlyCloses,
            holes: holesUpTo(feed, instants.settled),
            selected: names,
            marks,
          }),
    [stock, exposure.data, bars, layers, groups, isMinutes, names, feed, instants.settled, marks],
  );
  return (
    <div className="chart-panel">
      <div className="row chart-bar">
        <Segments
          label="Interval"
          options={INTERVALS}
          value={interval}
          onChange={(one) => change({ interval: one }, true)}
        />
        <LayerSwitches list={list} layers={layers} groups={groups} lacksChain={lacksChain} change={change} />
        <Legend bars={bars} at={pointed} />
      </div>
      <div className="chart-box">
        {bars === null || stock === undefined ? (
          bars === null && error !== null ? (
            <Refused error={error} onRetry={refetch} />
          ) : (
            <Skeleton height="100%" />
          )
        ) : bars.time.length === 0 ? (
          <NoBars symbol={symbol} interval={interval} other={other} change={change} />
        ) : (
          <>
            <ChartView
              bars={bars}
              isIntraday={isMinutes}
              content={content}
              view={`${symbol} ${interval} ${bars.time[0]}`}
              label={`${symbol}, ${interval} bars, ${bars.time.length} shown`}
              onPoint={onPoint}
              onClick={onClick}
            />
            {label === null ? null : (
              <LevelCard
                key={`${label.box.y} ${label.isKept}`}
                label={label}
                stock={stock}
                asOf={instants.settled}
                onClose={close}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** Bars of the chosen interval, or the finest that there are; `other` are of five minutes where there are none of one. */
export function useShownBars(
  { symbol, chosen, instants, newestMs }: Pick<Props, 'symbol' | 'chosen' | 'instants' | 'newestMs'>,
  isKnown: boolean,
) {
  const finest = useBars(symbol, chosen ?? DEFAULT_INTERVAL, instants, newestMs);
  const isEmpty = isKnown && finest.bars?.time.length === 0;
  const hasDaysAlone = chosen === undefined && isEmpty;
  const next = hasDaysAlone ? '1d' : DEFAULT_INTERVAL;
  const other = useBars(symbol, next, instants, newestMs, isEmpty && (hasDaysAlone || chosen === '1m'));
  return { ...(hasDaysAlone ? other : finest), interval: chosen ?? next, other: other.bars };
}

/** Holes of the feed that nobody can fill, as far as they were known at an instant. */
const holesUpTo = (feed: LiveFeed | undefined, asOf: Instant): readonly LiveFeed['holes'][number][] =>
  (feed?.holes ?? []).filter(({ filled, from }) => !filled && (asOf === undefined || from < asOf));

interface NoBarsProps {
  readonly symbol: string;
  readonly interval: Interval;
  /** Those of five minutes, of a stock without bars of one. */
  readonly other: ChartBars | null;
  readonly change: Props['change'];
}

function NoBars({ symbol, interval, other, change }: NoBarsProps): ReactNode {
  const reason = isIntraday(interval) ? ABSENT.minuteBars : ABSENT.barsUntil;
  const next = other === null || other.time.length === 0 ? '1d' : DEFAULT_INTERVAL;
  return (
    <Missing reason={reason.replace('{symbol}', symbol)} height={320}>
      {isIntraday(interval) ? (
        <button type="button" onClick={() => change({ interval: next }, true)}>
          Show {next === '1d' ? 'daily' : next} bars
        </button>
      ) : null}
    </Missing>
  );
}

interface SwitchProps {
  readonly list: string;
  readonly layers: ReadonlySet<Layer>;
  readonly groups: ReadonlySet<LevelGroup>;
  /** Gamma that cannot be drawn is not lit. */
  readonly lacksChain: boolean;
  readonly change: (part: { layers?: string }, replace?: boolean) => void;
}

function LayerSwitches({ list, layers, groups, lacksChain, change }: SwitchProps): ReactNode {
  const toggle = (word: Layer | LevelGroup): void => change({ layers: withToggled(list, word) }, true);
  return (
    <div className="layers">
      {(Object.keys(LAYERS) as Layer[]).map((layer) => {
        const isMissing = layer === 'gamma' && lacksChain;
        return (
          <button
            key={layer}
            type="button"
            className={isMissing ? 'switch missing-layer' : 'switch'}
            aria-pressed={layers.has(layer) && !isMissing}
            data-tip={isMissing ? ABSENT.chain : undefined}
            onClick={() => toggle(layer)}
          >
            {LAYERS[layer]}
          </button>
        );
      })}
      {layers.has('levels') ? (
        <Popover className="groups" summary="families">
          <div>
            {(Object.keys(LEVEL_GROUPS) as LevelGroup[]).map((group) => (
              <label key={group}>
                <input type="checkbox" checked={groups.has(group)} onChange={() => toggle(group)} />
                <i className="swatch" style={{ background: `var(--level-${group})` }} aria-hidden="true" />
                {LEVEL_GROUPS[group]}
              </label>
            ))}
          </div>
        </Popover>
      ) : null}
    </div>
  );
}

/** Open, high, low, close and volume of the bar under the pointer, or of the newest. */
function Legend({ bars, at }: { readonly bars: ChartBars | null; readonly at: number | null }): ReactNode {
  // The line keeps its place until the bars are there.
  if (bars === null || bars.time.length === 0) return <p className="legend" />;
  const row = at === null || at < 0 ? bars.time.length - 1 : Math.min(at, bars.time.length - 1);
  const tone = bars.close[row]! >= bars.open[row]! ? 'up' : 'down';
  const volume = bars.volume[row] ?? null;
  return (
    <p className={`legend ${tone}`}>
      O {formatPrice(bars.open[row]!)} H {formatPrice(bars.high[row]!)} L {formatPrice(bars.low[row]!)} C{' '}
      {formatPrice(bars.close[row]!)} V{' '}
      {volume === null ? <span data-tip={ABSENT.volume}>–</span> : formatAmount(volume)}
    </p>
  );
}
