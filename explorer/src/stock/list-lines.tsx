import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { markLooked, useUnread } from '../shared/alerts/use-unread.ts';
import {
  LINES_SHOWN,
  type ListAnswer,
  linesAtQuery,
  linesQuery,
  type MarketContext,
  type Watchlist,
} from '../shared/api/queries.ts';
import { dayOf, instantSearch, noonOf, wordsOf } from '../shared/instant.ts';
import { MORNING } from '../shared/morning-lists.ts';
import { ABSENT } from '../shared/sentences.ts';
import { SessionLine } from '../shared/session-line.tsx';
import { useSettings } from '../shared/theme/settings.ts';
import { Direction } from '../shared/ui/direction.tsx';
import { Num } from '../shared/ui/number.tsx';
import { ShownContext } from '../shared/ui/shown.ts';
import { Answered, type Asked, Missing } from '../shared/ui/states.tsx';
import { comparedOf } from './compare/compare-search.ts';
import type { StockSearch } from './stock-search.ts';
import { nextLevel, wholeSession } from './watchlists.ts';

export interface ListProps {
  /** The stock of the page. */
  readonly symbol: string;
  readonly search: StockSearch;
  /** Undefined while it is not known. */
  readonly clock: MarketContext['clock'] | undefined;
  /** Whether the stock is of the simulated market; undefined while that is not known. */
  readonly simulated: boolean | undefined;
}

interface Props extends ListProps {
  readonly chosen: string;
  /** Undefined for a screen of a morning. */
  readonly list: Watchlist | undefined;
}

/** The stocks of a list, each a way to its page. */
export function ListLines({ symbol, search, clock, simulated, chosen, list }: Props): ReactNode {
  const own = list?.symbols ?? null;
  const market = simulated ? ('simulated' as const) : ('real' as const);
  const screen =
    own !== null
      ? { filter: { field: 'symbol', op: 'in', value: own.slice(0, LINES_SHOWN) } }
      : (list?.screen ?? { ...MORNING[chosen.slice('screen:'.length)], market });
  // While the session of a past minute is not known it is not the newest one either.
  const date = search.as_of === undefined ? undefined : (wholeSession(search.as_of, clock) ?? '');
  const isKnown = date !== '' && (list !== undefined || simulated !== undefined);
  // A long list, and one that fills itself, are of the last whole session: a screen knows no minutes.
  const minute = own !== null && own.length <= LINES_SHOWN ? search.as_of : undefined;
  const ofMinute = useQuery({
    ...linesAtQuery(list?.name ?? '', minute ?? '', clock),
    enabled: minute !== undefined && clock !== undefined && own?.length !== 0,
  });
  const ofSession = useQuery({
    ...linesQuery(chosen, screen, date),
    enabled: minute === undefined && isKnown && own?.length !== 0,
  });
  const asked: Asked<ListAnswer> = minute === undefined ? ofSession : ofMinute;
  if (own?.length === 0) return <Missing reason={ABSENT.listed} />;
  return (
    <Answered asked={asked} rows={8}>
      {({ rows, total, date: shown, sessions_behind, as_of, source }) => {
        const bySymbol = new Map(rows.map((row) => [row.symbol, row as Row]));
        const symbols = own?.slice(0, LINES_SHOWN) ?? [...bySymbol.keys()];
        const all = own?.length ?? total;
        const asOf = as_of.newest === null ? '' : wordsOf(Date.parse(as_of.newest));
        return (
          <ShownContext value={{ asOf, source }}>
            {all === 0 ? <Missing reason={ABSENT.listScreen} /> : null}
            <Lines symbols={symbols} rows={bySymbol} symbol={symbol} search={search} />
            <p className="note">
              {(date !== undefined && minute === undefined) || sessions_behind > 0
                ? `Close of ${dayOf(noonOf(shown))}. `
                : ''}
              {all > symbols.length ? `The first ${symbols.length} of ${all}.` : ''}
            </p>
            <Comparing symbols={symbols} symbol={symbol} asOf={search.as_of} />
          </ShownContext>
        );
      }}
    </Answered>
  );
}

interface ComparingProps extends Pick<ListProps, 'symbol'> {
  readonly symbols: readonly string[];
  readonly asOf: string | undefined;
}

/** The way to the stock of the page beside the first others of the list. */
function Comparing({ symbols, symbol, asOf }: ComparingProps): ReactNode {
  const compared = comparedOf([symbol, ...symbols].join());
  if (compared.length < 2) return null;
  return (
    <p className="note">
      <Link to="/compare" search={{ symbols: compared.join(), ...instantSearch(asOf) }}>
        Compare {compared.join(', ')}
      </Link>
    </p>
  );
}

type Row = Readonly<Record<string, unknown>>;

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

interface LinesProps extends Pick<ListProps, 'symbol' | 'search'> {
  readonly symbols: readonly string[];
  readonly rows: ReadonlyMap<string, Row>;
}

/** Stocks of which an alert fired since they were last looked at: the stock of the page is looked at. */
function useFired(symbol: string): ReadonlySet<string> {
  const unread = useUnread();
  const { looked } = useSettings();
  const newest = unread.find((one) => one.symbol === symbol)?.at;
  useEffect(() => {
    if (newest !== undefined) markLooked(looked, symbol, newest);
  }, [newest, looked, symbol]);
  return new Set(unread.map((one) => one.symbol));
}

/** Arrows move between the lines, of which one is reached by Tab. */
function Lines({ symbols, rows, symbol, search }: LinesProps): ReactNode {
  const fired = useFired(symbol);
  const [focused, setFocused] = useState(symbol);
  const stop = [focused, symbol].find((one) => symbols.includes(one)) ?? symbols[0];
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const links = [...event.currentTarget.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = STEPS[event.key]?.(at, links.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    links[next]?.focus();
  };
  return (
    <ul className="rail-lines" onKeyDown={move}>
      {symbols.map((one) => (
        <li key={one} data-here={one === symbol || undefined}>
          <Link
            to="/stocks/$symbol"
            params={{ symbol: one }}
            search={search}
            tabIndex={one === stop ? 0 : -1}
            onFocus={() => setFocused(one)}
          >
            <Line symbol={one} row={rows.get(one)} hasFired={fired.has(one)} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

interface LineProps {
  readonly symbol: string;
  readonly row?: Row | undefined;
  /** Whether an alert fired since it was last looked at. */
  readonly hasFired: boolean;
}

/** Symbol, side, session, price and change of a stock, and its next level. */
function Line({ symbol, row = {}, hasFired }: LineProps): ReactNode {
  const level = nextLevel(row);
  const bias = row.directional_bias;
  return (
    <>
      <b>
        {symbol} {typeof bias === 'string' ? <Direction of={bias} /> : null}
        {hasFired ? <span className="alert-dot" role="img" aria-label="alert fired" /> : null}
      </b>
      <SessionLine closes={row.closes as readonly number[] | undefined} row={row} />
      <Num
        value={numberOf(row['price.day_price'])}
        shape="price"
        field="price.day_price"
        missing={ABSENT.field}
      />
      <small data-tip={level?.tip ?? ABSENT.field}>{level?.words ?? 'not known'}</small>
      <Num
        value={numberOf(row['price.change_pct'])}
        shape="signed-percent"
        field="price.change_pct"
        missing={ABSENT.field}
        directed
      />
    </>
  );
}
