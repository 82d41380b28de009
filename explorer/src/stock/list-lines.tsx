import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import {
  LINES_SHOWN,
  linesQuery,
  type MarketContext,
  type ScreenBody,
  type Watchlist,
} from '../shared/api/queries.ts';
import { dayOf, noonOf } from '../shared/instant.ts';
import { ABSENT } from '../shared/sentences.ts';
import { SessionLine } from '../shared/session-line.tsx';
import { Direction } from '../shared/ui/direction.tsx';
import { formatNumber, formatPrice } from '../shared/ui/number.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';
import type { StockSearch } from './stock-search.ts';
import { MORNING, nextLevel, wholeSession } from './watchlists.ts';

export interface RailProps {
  /** The stock of the page. */
  readonly symbol: string;
  readonly search: StockSearch;
  /** Undefined while it is not known. */
  readonly clock: MarketContext['clock'] | undefined;
  /** Whether the stock is of the simulated market; undefined while that is not known. */
  readonly simulated: boolean | undefined;
}

interface Props extends RailProps {
  readonly chosen: string;
  /** Undefined for a screen of a morning. */
  readonly list: Watchlist | undefined;
}

/** Nothing to ask for yet. */
const NOTHING: ScreenBody = {};

/** What the stocks of a list are screened by; null while that is not known. */
function screenOf({ chosen, list, simulated }: Props): ScreenBody | null {
  if (list !== undefined)
    return (
      list.screen ?? {
        filter: { field: 'symbol', op: 'in', value: list.symbols?.slice(0, LINES_SHOWN) ?? [] },
      }
    );
  if (simulated === undefined) return null;
  return { ...MORNING[chosen.slice('screen:'.length)], market: simulated ? 'simulated' : 'real' };
}

type Row = Readonly<Record<string, unknown>>;

/** The stocks of a list, each a way to its page. */
export function ListLines(props: Props): ReactNode {
  const { symbol, search, clock, chosen, list } = props;
  const screen = screenOf(props);
  const date = search.as_of === undefined ? undefined : wholeSession(search.as_of, clock);
  const own = list?.symbols ?? null;
  const isEmpty = own?.length === 0;
  const asked = useQuery({
    // Not the newest session while the one of a past minute is unknown.
    ...linesQuery(chosen, screen ?? NOTHING, date === null ? '' : date),
    enabled: screen !== null && date !== null && !isEmpty,
  });
  if (isEmpty) return <Missing reason={ABSENT.listed} />;
  return (
    <Answered asked={asked} rows={8}>
      {({ rows, total, date: shown, sessions_behind }) => {
        const bySymbol = new Map(rows.map((row) => [row.symbol, row as Row]));
        const symbols = own?.slice(0, LINES_SHOWN) ?? [...bySymbol.keys()];
        const all = own?.length ?? total;
        const isOld = search.as_of !== undefined || sessions_behind > 0;
        return (
          <>
            {symbols.length === 0 ? <Missing reason={ABSENT.listScreen} /> : null}
            <Lines symbols={symbols} rows={bySymbol} symbol={symbol} search={search} />
            <p className="note">
              {isOld ? `Close of ${dayOf(noonOf(shown))}. ` : ''}
              {all > symbols.length ? `The first ${symbols.length} of ${all}.` : ''}
            </p>
          </>
        );
      }}
    </Answered>
  );
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

interface LinesProps {
  readonly symbols: readonly string[];
  readonly rows: ReadonlyMap<string, Row>;
  /** The stock of the page. */
  readonly symbol: string;
  readonly search: StockSearch;
}

/** Arrows move between the lines, of which one is reached by Tab. */
function Lines({ symbols, rows, symbol, search }: LinesProps): ReactNode {
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
            <Line symbol={one} row={rows.get(one)} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Symbol, side, session, price and change of a stock, and its next level. */
function Line({ symbol, row }: { readonly symbol: string; readonly row: Row | undefined }): ReactNode {
  if (row === undefined)
    return (
      <>
        <b>{symbol}</b>
        <small>not known in this session</small>
      </>
    );
  const { directional_bias: bias, closes, 'price.day_price': price, 'price.change_pct': change } = row;
  const level = nextLevel(row);
  const tone = typeof change !== 'number' || change === 0 ? undefined : change > 0 ? 'up' : 'down';
  return (
    <>
      <b>
        {symbol} <Direction of={typeof bias === 'string' ? bias : null} />
      </b>
      <SessionLine closes={closes as readonly number[]} row={row} />
      <span className="num">{typeof price === 'number' ? formatPrice(price) : '–'}</span>
      <small data-tip={level?.tip}>{level?.words ?? 'no level known'}</small>
      <span className={tone}>
        {typeof change === 'number' ? `${formatNumber(change, 2, 'exceptZero')} %` : '–'}
      </span>
    </>
  );
}
