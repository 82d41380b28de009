import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { ageOf } from '../../shared/age.ts';
import { exposureQuery } from '../../shared/api/queries.ts';
import { ChartView } from '../../shared/chart/chart-view.tsx';
import { EMPTY_CONTENT } from '../../shared/chart/overlay-content.ts';
import { type Instant, instantSearch } from '../../shared/instant.ts';
import { PriceHead } from '../../shared/price-head.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { Missing, Refused, Skeleton } from '../../shared/ui/states.tsx';
import { useShownBars } from '../chart-panel.tsx';
import { hasChain } from '../has-chain.ts';
import { HeadFacts } from '../head-facts.tsx';
import { sinceWords } from '../head-words.ts';
import { Ladder } from '../ladder.tsx';
import { readLayers } from '../layers.ts';
import { overlayOf } from '../overlay-of.ts';
import { isIntraday } from '../use-bars.ts';
import { useChartSelection } from '../use-chart-selection.ts';
import { useStockAt } from '../use-stock-at.ts';

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly onRemove: () => void;
}

/** Head, chart and ladder of one of the stocks. */
export function CompareColumn({ symbol, asOf, onRemove }: Props): ReactNode {
  const at = useStockAt(symbol, asOf);
  const { stock, clock, instants } = at;
  const age = stock.data === undefined ? null : ageOf(stock.data, clock);
  const links = (
    <p className="row column-links">
      <Link to="/stocks/$symbol" params={{ symbol }} search={instantSearch(asOf)}>
        Open {symbol}
      </Link>
      {age?.isOld ? <span className="caution">{age.words.split(',')[0]}</span> : null}
      <button type="button" className="icon" aria-label={`Remove ${symbol}`} onClick={onRemove}>
        ×
      </button>
    </p>
  );
  if (stock.error !== null && stock.data === undefined)
    return (
      <section className="compare-column" aria-label={symbol}>
        {links}
        <h1>{symbol}</h1>
        <Refused error={stock.error} onRetry={() => void stock.refetch()} />
      </section>
    );
  return (
    <section className="compare-column" aria-label={symbol} data-late={stock.isPlaceholderData || undefined}>
      {links}
      <PriceHead
        symbol={symbol}
        asked={stock}
        market={clock}
        since={stock.data === undefined ? null : sinceWords(stock.data, clock)}
        facts={
          stock.data === undefined ? null : (
            <HeadFacts stock={stock.data} market={clock} asOf={instants.settled} />
          )
        }
      />
      <SmallChart symbol={symbol} at={at} />
      {stock.data === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <Ladder stock={stock.data} asOf={instants.settled} label={`Nearest levels of ${symbol}`} />
      )}
    </section>
  );
}

/** A small chart has room for the levels of the day alone. */
const SMALL = readLayers('levels,opening,prior,vwap,value');

interface SmallChartProps {
  readonly symbol: string;
  readonly at: ReturnType<typeof useStockAt>;
}

function SmallChart({ symbol, at: { stock, instants, standpoint } }: SmallChartProps): ReactNode {
  const newestMs = standpoint?.newestMs ?? null;
  const { data } = stock;
  const shown = useShownBars({ symbol, chosen: undefined, instants, newestMs }, data !== undefined);
  const { interval, bars, error, refetch } = shown;
  const { data: exposure } = useQuery({
    ...exposureQuery(symbol, instants.settled),
    enabled: data !== undefined && hasChain(data),
  });
  const { names, onPoint, onClick } = useChartSelection();
  const content = useMemo(
    () =>
      data === undefined || bars === null
        ? EMPTY_CONTENT
        : overlayOf({
            stock: data,
            exposure,
            ...SMALL,
            isIntraday: isIntraday(interval),
            times: bars.time,
            earlyCloses: bars.earlyCloses,
            holes: [],
            selected: names,
          }),
    [data, bars, exposure, interval, names],
  );
  if (bars === null)
    return (
      <div className="small-chart">
        {error === null ? <Skeleton height="100%" /> : <Refused error={error} onRetry={refetch} />}
      </div>
    );
  return (
    <div className="small-chart">
      {bars.time.length === 0 ? (
        <Missing reason={ABSENT.barsUntil.replace('{symbol}', symbol)} height={240} />
      ) : (
        <ChartView
          bars={bars}
          isIntraday={isIntraday(interval)}
          content={content}
          view={`${symbol} ${interval} ${bars.time[0]}`}
          label={`${symbol}, ${interval} bars`}
          onPoint={onPoint}
          onClick={onClick}
        />
      )}
    </div>
  );
}
