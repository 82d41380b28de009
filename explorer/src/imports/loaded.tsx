import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { client } from '../shared/api/client.ts';
import { type Loaded as LoadedAnswer, type LoadedSeries, loadedKey, pagesOf } from '../shared/api/queries.ts';
import { wordsWithYearOf } from '../shared/instant.ts';
import { More } from '../shared/ui/more.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';
import { RefusedList } from './import-card.tsx';
import { type Span, seriesWords, spanOf, stretchOf } from './strip.ts';

/** Symbols of a page. */
const SYMBOLS = 10;
/** Sources that are shown at first. */
const SOURCES = 8;

/** What is on the tape of each symbol, with its holes, and the newest sources. */
export function Loaded(): ReactNode {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim().toUpperCase());
  const asked = useInfiniteQuery(
    pagesOf([loadedKey, q], (cursor, signal) =>
      client.GET('/api/internal/loaded', {
        params: { query: { limit: SYMBOLS, ...(q === '' ? {} : { q }), ...cursor } },
        signal,
      }),
    ),
  );
  const pages = asked.data?.pages;
  const { newest = null, symbols = 0 } = pages?.[0] ?? {};
  return (
    <Panel
      label="Loaded"
      className="wide"
      small={
        newest === null
          ? ''
          : `${symbols.toLocaleString('en-US')} ${symbols === 1 ? 'symbol' : 'symbols'}, newest row ${wordsWithYearOf(Date.parse(newest))}`
      }
    >
      <label className="loaded-search">
        <span className="visually-hidden">Ticker begins with</span>
        <input placeholder="ticker" value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
      <Answered asked={{ data: pages, error: asked.error, refetch: asked.refetch }} rows={8}>
        {(all) =>
          all[0]!.symbols === 0 ? (
            <Missing
              reason={
                q === ''
                  ? 'Nothing is loaded yet: drop a file above.'
                  : `Nothing is loaded whose ticker begins with ${q}.`
              }
              height={80}
            />
          ) : (
            <>
              <Strips loaded={all.flatMap(({ loaded }) => loaded)} />
              <More asked={asked} />
              <Deliveries deliveries={all[0]!.deliveries} />
            </>
          )
        }
      </Answered>
    </Panel>
  );
}

function Strips({ loaded }: { readonly loaded: LoadedAnswer['loaded'] }): ReactNode {
  const dated = loaded.flatMap(({ series }) => series);
  const within = spanOf(dated);
  if (within === null) return null;
  return (
    <>
      <p className="strip-ends" aria-hidden="true">
        <span>{within.first}</span>
        <span>{within.last}</span>
      </p>
      <ul className="strips">
        {loaded.map(({ symbol, name, simulated, series, next }) => (
          <li key={symbol}>
            <p>
              <Link to="/stocks/$symbol" params={{ symbol }}>
                {symbol}
              </Link>{' '}
              <small>
                <bdi>{name}</bdi>
                {simulated && name?.includes('simulated') !== true ? ' simulated' : ''}
              </small>
            </p>
            <ul>
              {series.map((one) => (
                <Strip key={one.kind} series={one} within={within} />
              ))}
            </ul>
            {next.length === 0 ? null : (
              <details className="import-next">
                <summary>To import next</summary>
                <ul>
                  {next.map(({ data, says }) => (
                    <li key={data}>{says}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A strip over the dates of the page, with its holes cut out. */
function Strip({ series, within }: { readonly series: LoadedSeries; readonly within: Span }): ReactNode {
  const words = seriesWords(series);
  const style = (span: Span) => {
    const { from, to } = stretchOf(span, within);
    return { left: `${from * 100}%`, width: `max(2px, ${(to - from) * 100}%)` };
  };
  return (
    <li data-tip={`${series.kind}\n${words}`} data-holed={series.missing > 0 || undefined}>
      <span className="kind">{series.kind}</span>
      <span className="strip" aria-hidden="true">
        <i style={style(series)} />
        {series.holes.map((hole) => (
          <i key={hole.from} className="hole" style={style({ first: hole.from, last: hole.to })} />
        ))}
      </span>
      <span className="strip-last" aria-hidden="true">
        {series.missing === 0 ? series.last : `${series.missing.toLocaleString('en-US')} missing`}
      </span>
      <span className="visually-hidden">{words}</span>
    </li>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: LoadedAnswer['deliveries'] }): ReactNode {
  const [areAll, showAll] = useState(false);
  if (deliveries.length === 0) return null;
  return (
    <>
      <h3>Newest sources</h3>
      <ul className="deliveries">
        {deliveries
          .slice(0, areAll ? undefined : SOURCES)
          .map(({ feed, source, imported_at, rows, refused }) => (
            <li key={`${feed} ${source}`}>
              <b>
                <bdi>{source}</bdi>
              </b>{' '}
              <small>
                {feed}, {wordsWithYearOf(Date.parse(imported_at))}, {rows.toLocaleString('en-US')} rows kept
              </small>
              <RefusedList refused={refused} />
            </li>
          ))}
      </ul>
      {areAll || deliveries.length <= SOURCES ? null : (
        <button type="button" onClick={() => showAll(true)}>
          More sources
        </button>
      )}
    </>
  );
}
