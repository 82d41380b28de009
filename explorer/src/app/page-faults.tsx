import { type ErrorComponentProps, Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Skeleton } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';

/** What stands in place of a page that cannot be shown, or not yet. */

/** The program of a page is on its way. */
export const PagePending = (): ReactNode => <Skeleton rows={16} />;

/** An address that no page has. */
export function NoSuchPage(): ReactNode {
  const { pathname } = useLocation();
  useTitle('No such page');
  return (
    <div className="page-refused">
      <h1>No such page</h1>
      <p>
        Nothing is at <bdi>{pathname}</bdi>. A stock is at <code className="num">/stocks/SYMBOL</code>, and
        the search above finds its symbol.
      </p>
      <nav aria-label="Ways on">
        <Link to="/">Last stock</Link> <Link to="/screener">Screener</Link> <Link to="/market">Market</Link>
        <Link to="/status">Status</Link>
      </nav>
    </div>
  );
}

/** An `as_of` that cannot be read: the newest minute in its place would be another than the one that was meant. */
export function NoSuchMinute({ asked }: { readonly asked: unknown }): ReactNode {
  useTitle('No such minute');
  return (
    <div className="page-refused" role="alert">
      <h1>No such minute</h1>
      <p>
        The address asks for <bdi>{`as_of=${asked}`}</bdi>, which is no minute from 1900 to 2099. A minute is
        written with its zone, such as <code className="num">2026-02-27T15:30:00Z</code>.
      </p>
      <Link to="." search={({ as_of: _, ...others }) => others}>
        Show the newest minute
      </Link>
    </div>
  );
}

/** A page that broke. */
export function PageFault({ error }: ErrorComponentProps): ReactNode {
  useTitle('This page broke');
  return (
    <div className="page-refused" role="alert">
      <h1>This page broke</h1>
      <p>
        <bdi>{`${error}`}</bdi>
      </p>
      <button type="button" onClick={() => location.reload()}>
        Load it again
      </button>
    </div>
  );
}
