import { Link, Outlet, useLocation, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { AlertForm } from '../shared/alerts/alert-form.tsx';
import { useUnread } from '../shared/alerts/use-unread.ts';
import { forgetCredentials, useGrant } from '../shared/api/client.ts';
import { askAgain } from '../shared/api/query-client.ts';
import { useStanding } from '../shared/api/reachability.ts';
import { readInstant } from '../shared/instant.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { changeSettings, themeOf, useSettings } from '../shared/theme/settings.ts';
import { Tooltip } from '../shared/ui/tooltip.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { FeedBadge } from './feed-badge.tsx';
import { KeyList } from './key-list.tsx';
import { NoSuchMinute } from './page-faults.tsx';
import { Pages } from './pages.tsx';
import { SymbolSearch } from './symbol-search.tsx';
import { TokenDialog } from './token-dialog.tsx';

/** Header, page and what lies over every page. */
export function Frame(): ReactNode {
  const [isTokenAsked, askToken] = useState(false);
  const grant = useGrant();
  const [areKeysShown, showKeys] = useState(false);
  const settings = useSettings();
  const standing = useStanding();
  const { as_of } = useSearch({ strict: false });
  const { symbol } = useParams({ strict: false });
  const stock = symbol ?? lastSymbol();
  const { pathname } = useLocation();
  const unread = useUnread().length;
  const pages = useRef<HTMLElement>(null);
  // On a phone the row of pages is longer than the screen, and shorter once the badges have come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another current page
  useEffect(() => {
    const row = pages.current!;
    const watch = new ResizeObserver(() =>
      row.querySelector('[aria-current="page"]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    );
    watch.observe(row);
    return () => watch.disconnect();
  }, [pathname]);
  useKeys({ '?': () => showKeys((shown) => !shown) });
  // What a page does not read of an address stays as it is written.
  const isReadable = as_of === undefined || readInstant(as_of) !== undefined;
  const time = as_of === undefined || !isReadable ? {} : { as_of };
  return (
    <>
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="frame">
        <Link to="/" className="brand">
          tigraph
        </Link>
        <nav aria-label="Pages" ref={pages}>
          <Pages {...{ symbol, stock, time, unread }} key={pathname} />
        </nav>
        <SymbolSearch />
        <FeedBadge />
        <button type="button" className="token" aria-pressed={grant !== null} onClick={() => askToken(true)}>
          token
        </button>
        <button
          type="button"
          className="icon"
          aria-label={themeOf(settings) === 'dark' ? 'Light colours' : 'Dark colours'}
          onClick={() => changeSettings({ theme: themeOf(settings) === 'dark' ? 'light' : 'dark' })}
        >
          {themeOf(settings) === 'dark' ? '☀' : '☾'}
        </button>
        <button type="button" className="icon" aria-label="Keys and settings" onClick={() => showKeys(true)}>
          ?
        </button>
      </header>
      <main id="page">{isReadable ? <Outlet /> : <NoSuchMinute asked={as_of} />}</main>
      <Notice standing={standing} hasToken={grant !== null} onToken={() => askToken(true)} />
      {isTokenAsked ? <TokenDialog onClose={() => askToken(false)} /> : null}
      {areKeysShown ? <KeyList stock={stock} time={time} onClose={() => showKeys(false)} /> : null}
      <AlertForm />
      <Tooltip />
    </>
  );
}

interface NoticeProps {
  readonly standing: ReturnType<typeof useStanding>;
  readonly hasToken: boolean;
  readonly onToken: () => void;
}

/** Why the page does not move, below it, and the way on. */
function Notice({ standing, hasToken, onToken }: NoticeProps): ReactNode {
  if (standing === 'away' || standing === 'busy') {
    return (
      <p className="offline" role="status">
        {standing === 'away'
          ? 'No answer from the service: showing the last answer, retrying.'
          : 'Busy: showing the last answer, retrying.'}{' '}
        <button type="button" onClick={() => void askAgain()}>
          Try now
        </button>
      </p>
    );
  }
  if (standing !== 'refused' || !hasToken) return null;
  return (
    <p className="offline" role="status">
      The token is no longer accepted: its grant was revoked or has ended.{' '}
      <button type="button" onClick={onToken}>
        Enter another
      </button>{' '}
      <button type="button" onClick={forgetCredentials}>
        Go on without
      </button>
    </p>
  );
}
