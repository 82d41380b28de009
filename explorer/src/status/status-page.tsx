import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../shared/api/client.ts';
import {
  type ListedSymbol,
  type LiveFeed,
  pagesOf,
  type Status,
  statusQuery,
} from '../shared/api/queries.ts';
import { useFeed } from '../shared/api/use-feed.ts';
import { DemoOffer, useDemo } from '../shared/demo-offer.tsx';
import { FEED_STATES, feedName, spanOf } from '../shared/feed-words.ts';
import { clockOf, wordsOf } from '../shared/instant.ts';
import { ABSENT } from '../shared/sentences.ts';
import { isolated } from '../shared/ui/isolated.ts';
import { More } from '../shared/ui/more.tsx';
import { formatCompact } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';
import { Table } from '../shared/ui/table.tsx';
import { useTitle } from '../shared/ui/title.ts';
import './status.css';

const FEEDS: Readonly<Record<string, string>> = {
  quotes: 'Quotes',
  minute_bars: 'Minute bars',
  daily_bars: 'Daily bars',
  option_chains: 'Option chains',
};
const STATES: Readonly<Record<string, string>> = {
  fresh: 'fresh',
  late: 'late',
  market_closed: 'market closed',
  no_data: 'no data',
};

const wordsOfText = (text: string): string => wordsOf(Date.parse(text));

/** Feeds against their promised ages, what the tape has, how far derivation has come. */
export function StatusPage(): ReactNode {
  const asked = useQuery(statusQuery);
  useTitle('Status');
  return (
    <div className="status-page">
      <h1 className="page-head">
        Status <small>{asked.data === undefined ? '' : `as of ${wordsOfText(asked.data.as_of)}`}</small>
      </h1>
      <Answered asked={asked} rows={14}>
        {(status) => (
          <div className="tab-grid">
            <Feeds status={status} />
            <Series status={status} />
            <Passes status={status} />
            <Live />
            <BesideDemo />
            <Coverage />
          </div>
        )}
      </Answered>
    </div>
  );
}

function Feeds({ status }: { readonly status: Status }): ReactNode {
  return (
    <Panel
      label="Feeds"
      className="double"
      small={status.running_feed === null ? 'no session is recorded now' : `records ${status.running_feed}`}
    >
      <ul className="feeds">
        {status.feeds.map(({ feed, newest_at, age_seconds, promised_seconds, state }) => (
          <li key={feed} data-state={state}>
            <b>{FEEDS[feed] ?? feed}</b>
            <span>{newest_at === null ? '–' : wordsOfText(newest_at)}</span>
            <span data-tip={`${age_seconds ?? 'not known'} s old, promised ${promised_seconds} s`}>
              {age_seconds === null ? '–' : spanOf(age_seconds)}
              <small> of {spanOf(promised_seconds)}</small>
            </span>
            <em>{STATES[state] ?? state}</em>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The live feed: whether rows arrive, what it missed, what was refused of it, and what the plan allows. */
function Live(): ReactNode {
  const feed = useFeed();
  const demo = useDemo();
  // Where the demo has left, its feed brings nothing any more.
  if (feed === undefined || (isSimulated(feed) && demo?.state === 'none')) return null;
  return (
    <Panel
      label="Live feed"
      className="parts wide live-feed"
      title={feed.title}
      small={feedName(feed.feed) === feed.title ? null : feedName(feed.feed)}
    >
      <p data-state={feed.state}>
        {FEED_STATES[feed.state]}
        {feed.behind_seconds === null ? null : <span>{spanOf(feed.behind_seconds)} behind</span>}
      </p>
      {feed.says === null ? null : <p className="says">{feed.says}</p>}
      <Facts rows={rowsOf(feed)} />
      {feed.refused.map(({ reason, meaning, rows, first }) => (
        <p key={reason} className="refused-live">
          <em>Refused: {meaning}</em> <span>{rows}</span>
          {first === null ? null : <code>{first}</code>}
        </p>
      ))}
    </Panel>
  );
}

/** Words, each with what it is. */
const Facts = ({ rows }: { readonly rows: readonly (readonly [string, string])[] }): ReactNode =>
  rows.map(([word, value]) => (
    <p key={word}>
      {word} <span>{value}</span>
    </p>
  ));

/** Between sessions a feed has the name of its source alone. */
const isSimulated = ({ feed, title }: LiveFeed): boolean =>
  feed === 'simulated' || title === 'the simulated market';

/** Feeds that play what is on the tape, or the simulated market itself. */
const PLAYED: ReadonlySet<string> = new Set(['simulated', 'replay', 'replay-simulated']);

/** Where a market comes in live, the demo beside it may go. */
function BesideDemo(): ReactNode {
  const feed = useFeed();
  return feed === undefined || PLAYED.has(feed.feed) || isSimulated(feed) ? null : <DemoOffer />;
}

function rowsOf(feed: LiveFeed): readonly (readonly [string, string])[] {
  const unknown = feed.holes.filter(({ filled }) => !filled);
  const spans = unknown.map(({ from, to }) => `${clockOf(Date.parse(from))}–${clockOf(Date.parse(to))}`);
  return [
    ['Last row', feed.last_row_at === null ? 'none yet' : wordsOfText(feed.last_row_at)],
    ['Holes filled today', `${feed.holes.length - unknown.length}`],
    ['Holes that stay', spans.length === 0 ? 'none' : spans.join(', ')],
    ...(feed.partial ? [['Prices', 'of one exchange; volume after the session'] as const] : []),
    ...(feed.calls_per_minute === null
      ? []
      : [['Calls left this minute', `${feed.calls_left} of ${feed.calls_per_minute}`] as const]),
    ...(feed.refused.length === 0 ? [['Refused', 'nothing'] as const] : []),
  ];
}

function Passes({ status: { passes, versions } }: { readonly status: Status }): ReactNode {
  const rows = [
    ['Newest stock-days', passes.newest_stock_day ?? 'none'],
    ['Stock-days of that session', `${passes.stock_days}`],
    ['Last derived', passes.derived_at === null ? 'after this minute' : wordsOfText(passes.derived_at)],
    ['Symbols in queue', `${passes.waiting_symbols}`],
    ['Newest market', passes.newest_market ?? 'none'],
    ['Newest peers', passes.newest_peers ?? 'none'],
    ['tigraph', versions.tigraph],
    ['Node.js', versions.node],
    ['PostgreSQL', versions.postgresql],
  ] as const;
  return (
    <Panel label="Processing" className="parts wide passes">
      <Facts rows={rows} />
    </Panel>
  );
}

function Series({ status: { series } }: { readonly status: Status }): ReactNode {
  return (
    <Panel label="Series" className="double" title="On the tape">
      {series.length === 0 ? (
        <Missing reason={ABSENT.data} />
      ) : (
        <Table heads={['Series', 'Symbols', 'Rows', 'First', 'Last']}>
          {series.map(({ series: name, symbols, rows, first_session, last_session }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{symbols}</td>
              <td data-tip={`${rows ?? 'Not known how many'} rows`}>
                {rows === null ? '–' : formatCompact(rows)}
              </td>
              <td>{first_session}</td>
              <td>{last_session}</td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

const KINDS = [
  'daily',
  'minute',
  'ticks',
  'chains',
  'facts',
] as const satisfies readonly (keyof ListedSymbol['has'])[];

/** What the tape has of each symbol: a row of cells for each. */
function Coverage(): ReactNode {
  const asked = useInfiniteQuery(
    pagesOf(['coverage'], (cursor, signal) =>
      client.GET('/api/graph/v1/symbols', { params: { query: { limit: 200, ...cursor } }, signal }),
    ),
  );
  const symbols = asked.data?.pages.flatMap((page) => page.symbols);
  const newest = symbols?.reduce((last, { last_session }) => (last_session > last ? last_session : last), '');
  return (
    <Panel
      label="Coverage"
      className="wide"
      small="daily bars, minute bars, order flow, chains, facts; pale where the symbol ends earlier"
    >
      <Answered asked={{ data: symbols, error: asked.error, refetch: asked.refetch }} rows={6}>
        {(all) => (
          <ul className="coverage">
            {all.map(({ symbol, name, first_session, last_session, has }) => (
              <li key={symbol} data-ended={last_session !== newest || undefined}>
                <Link
                  to="/stocks/$symbol"
                  params={{ symbol }}
                  data-tip={`${symbol} ${isolated(name ?? '')}\n${first_session} to ${last_session}\n${KINDS.map((kind) => `${kind}: ${has[kind] ? 'yes' : 'no'}`).join(', ')}`}
                >
                  {symbol}
                  <span className="cells">
                    {KINDS.map((kind) => (
                      <i key={kind} className={has[kind] ? 'has' : undefined} />
                    ))}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Answered>
      <More asked={asked} />
    </Panel>
  );
}
