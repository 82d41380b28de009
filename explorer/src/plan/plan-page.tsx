import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Plan, planQuery, planText } from '../shared/api/queries.ts';
import { dayOf, noonOf, wordsOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { ShownContext } from '../shared/ui/shown.ts';
import { Answered, Missing } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { formatNumber } from '../shared/ui/number.tsx';
import { CopyButton } from './copy-button.tsx';
import { NoList } from './no-list.tsx';
import { PlanCard } from './plan-card.tsx';
import { PlanHead } from './plan-head.tsx';
import { type PlanSearch, stocksNamed } from './plan-search.ts';
import { chooseList, usePlanList } from './use-plan-list.ts';
import './plan.css';

const route = getRouteApi('/plan');

/** What matters in a session, by stock, most important first. */
export function PlanPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePlanList(search);
  const { of } = list;
  const all = search.all === true;
  const asked = useQuery({ ...planQuery(of ?? { symbols: [] }, search, all), enabled: of !== null });
  const plan = of === null ? undefined : asked.data;
  useTitle(plan === undefined ? 'Plan' : `Plan ${plan.date}`);
  const go = (next: PlanSearch): void => void navigate({ search: next });
  const asOf = plan === undefined ? '' : `as of ${wordsOf(Date.parse(plan.as_of))}`;
  return (
    <div className="plan-page">
      <PlanHead
        title={plan === undefined ? 'Plan' : `Plan ${dayOf(noonOf(plan.date))}`}
        search={search}
        list={list}
        date={plan?.date ?? search.date}
        asOf={asOf}
        pinned={
          plan === undefined
            ? search
            : { ...stocksNamed(search, list.chosen), date: plan.date, as_of: plan.as_of }
        }
        onSearch={go}
      >
        {of === null ? null : (
          <CopyButton
            words="as text"
            tip="Copy the plan as Markdown"
            textOf={() => planText(of, search, all)}
          />
        )}
        {plan === undefined || Date.parse(plan.opens_at) > Date.now() ? null : (
          <Link to="/review" search={{ ...stocksNamed(search, list.chosen), date: plan.date }}>
            review
          </Link>
        )}
        <label data-tip="Also levels whose kind held less often than chance">
          <input
            type="checkbox"
            checked={all}
            onChange={({ target }) => {
              const { all: _, ...rest } = search;
              go(target.checked ? { ...rest, all: true } : rest);
            }}
          />{' '}
          all levels
        </label>
      </PlanHead>
      {of === null && list.isReady && list.chosen === '' ? (
        <NoList onMorning={(name) => go({ ...search, ...chooseList(`screen:${name}`) })} />
      ) : of !== null && 'symbols' in of && of.symbols.length === 0 ? (
        <Missing reason="No stock passes the screen of this list." />
      ) : (
        <Answered asked={of === null ? { ...list.asked, data: undefined } : asked} rows={16}>
          {(answer: Plan) => <Stocks plan={answer} />}
        </Answered>
      )}
    </div>
  );
}

function Stocks({ plan }: { readonly plan: Plan }): ReactNode {
  const { stocks, left_out, as_of, source } = plan;
  return (
    <ShownContext value={{ asOf: wordsOf(Date.parse(as_of)), source }}>
      <Market plan={plan} />
      <Changed plan={plan} />
      {stocks.map((stock) => (
        <PlanCard key={stock.symbol} stock={stock} asOf={as_of} />
      ))}
      {left_out.length === 0 ? null : (
        <ul className="note plan-left-out" aria-label="Without a plan">
          {left_out.map(({ symbol, reason }) => (
            <li key={symbol}>
              {symbol}: {reason}
            </li>
          ))}
        </ul>
      )}
    </ShownContext>
  );
}

/** The market of the session in a line. */
function Market({ plan: { market, missing } }: { readonly plan: Plan }): ReactNode {
  if (market === null) return <Missing reason={missing.map(({ reason }) => reason).join(' ')} />;
  const { regime, index_symbol, index_change_pct, vix, vix_percentile, above_sma_50_pct, due } = market;
  const parts = [
    regime === null ? '' : inWords(regime).toLowerCase(),
    index_change_pct === null ? '' : `${index_symbol} ${formatNumber(index_change_pct, 2, 'exceptZero')} %`,
    above_sma_50_pct === null ? '' : `breadth ${formatNumber(above_sma_50_pct, 0)} % above SMA50`,
    vix === null
      ? ''
      : `VIX ${formatNumber(vix, 1)}${vix_percentile === null ? '' : `, higher than on ${formatNumber(vix_percentile, 0)} % of days`}`,
  ].filter(Boolean);
  return (
    <section className="panel plan-market" aria-label="Market">
      <p>
        <b>Market</b> {parts.join(' · ')}
        {due.map((event) => (
          <span key={event} className="caution">
            {' '}
            · {event}
          </span>
        ))}
      </p>
    </section>
  );
}

/** Which stocks changed their side overnight, each a way to its card. */
function Changed({ plan: { changed, stocks } }: { readonly plan: Plan }): ReactNode {
  const since = stocks.find(({ changed: change }) => change !== null)?.changed?.since;
  const moved = stocks.filter(({ symbol }) => changed.includes(symbol));
  return (
    <section className="panel plan-changed" aria-label="Changed since the close">
      <p className="row">
        <b>
          Changed since the close
          {since === undefined ? '' : ` of ${dayOf(noonOf(since))}`}
        </b>
        {moved.length === 0
          ? 'no bias is another'
          : moved.map(({ symbol, changed: change }) => (
              <a key={symbol} href={`#${symbol}`}>
                {symbol} <small>{change?.bias.map((side) => side ?? 'unknown').join(' to ')}</small>
              </a>
            ))}
      </p>
    </section>
  );
}
