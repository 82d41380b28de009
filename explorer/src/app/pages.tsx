import { Link, linkOptions, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Popover } from '../shared/ui/popover.tsx';
import { useMedia } from '../shared/use-media.ts';

interface Props {
  /** The stock of the page. */
  readonly symbol: string | undefined;
  /** The same, else the one that was shown last. */
  readonly stock: string | null;
  /** The instant of the page, which goes along. */
  readonly time: { readonly as_of?: string };
  /** Alerts that fired and were not looked at. */
  readonly unread: number;
}

/** Every page by its name, the daily ones first. */
const pagesOf = ({ symbol, stock, time }: Omit<Props, 'unread'>) => ({
  // Of the session that runs or comes next, from wherever one looks back.
  Plan: linkOptions({ to: '/plan' }),
  Stock:
    stock === null
      ? linkOptions({ to: '/' })
      : linkOptions({ to: '/stocks/$symbol', params: { symbol: stock }, search: time }),
  Screener: linkOptions({ to: '/screener' }),
  Market: linkOptions({ to: '/market', search: time }),
  Alerts: linkOptions({ to: '/alerts' }),
  Review: linkOptions({ to: '/review' }),
  Compare: linkOptions({
    to: '/compare',
    search: { ...time, ...(stock === null ? {} : { symbols: stock }) },
  }),
  Graph:
    symbol === undefined
      ? linkOptions({ to: '/graph', search: time })
      : linkOptions({ to: '/graph/$symbol', params: { symbol }, search: time }),
  Backtest: linkOptions({ to: '/backtest' }),
  Records: linkOptions({ to: '/records', search: time }),
  Data: linkOptions({ to: '/data' }),
  Status: linkOptions({ to: '/status' }),
});

/** On a phone the row is moved by a finger; between it and a wide screen what has no room is in a list that opens. */
const MIDDLING = '(min-width: 641px) and (max-width: 1399px)';
/** The first part of an address that no name of a page is. */
const NAMED: Readonly<Record<string, string>> = { '': 'Stock', stocks: 'Stock' };
const SHOWN = 6;
const NARROW = '(max-width: 960px)';
const SHOWN_NARROW = 2;

export function Pages(props: Props): ReactNode {
  const isMiddling = useMedia(MIDDLING);
  const shown = useMedia(NARROW) ? SHOWN_NARROW : SHOWN;
  const { pathname } = useLocation();
  const first = pathname.split('/')[1] ?? '';
  const pages = Object.entries(pagesOf(props));
  const links = pages.map(([name, link]) => (
    <Link key={name} {...link} activeOptions={{ includeSearch: false }}>
      {name}
      {name === 'Alerts' && props.unread > 0 ? (
        <span className="alert-dot" role="img" aria-label={`${props.unread} new`} />
      ) : null}
    </Link>
  ));
  if (!isMiddling) return links;
  const here = pages.findIndex(([name]) => name.toLowerCase() === (NAMED[first]?.toLowerCase() ?? first));
  return (
    <>
      {links.slice(0, shown)}
      <Popover className="more-pages" summary={here < shown ? 'more' : pages[here]![0]}>
        <div className="menu-pages">{links.slice(shown)}</div>
      </Popover>
    </>
  );
}
