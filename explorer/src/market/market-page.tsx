import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type MarketContext, marketQuery } from '../shared/api/queries.ts';
import { AsOfInput } from '../shared/as-of-input.tsx';
import { dayOf, type Instant, noonOf, wordsOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { ABSENT } from '../shared/sentences.ts';
import { Num } from '../shared/ui/number.tsx';
import { ShownContext } from '../shared/ui/shown.ts';
import { Answered, Missing } from '../shared/ui/states.tsx';
import { OverTime } from './over-time.tsx';
import { ResultsCalendar } from './results-calendar.tsx';
import { SECTOR_RETURNS, type SectorReturn, SectorTreemap } from './sector-treemap.tsx';
import { SessionBand } from './session-band.tsx';
import { signalsOf } from './signals.ts';
import './market.css';

const route = getRouteApi('/market');

/** The market at an instant: regime and its reasons, sectors, breadth, the VIX, the session and what is ahead. */
export function MarketPage(): ReactNode {
  const { as_of: asOf } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = useQuery(marketQuery(asOf));
  useEffect(() => {
    document.title = 'Market · tigraph';
  }, []);
  const change = (next: string | undefined): void =>
    void navigate({ search: next === undefined ? {} : { as_of: next } });
  return (
    <div className="market-page">
      <div className="market-head">
        <h1>Market</h1>
        <AsOfInput asOf={asOf} onChange={change} />
      </div>
      <Answered asked={asked} rows={14}>
        {(market) => <Market market={market} asOf={asOf} />}
      </Answered>
    </div>
  );
}

function Market({ market, asOf }: { readonly market: MarketContext; readonly asOf: Instant }): ReactNode {
  const at = Date.parse(market.as_of);
  const shown = { asOf: wordsOf(at), source: market.source };
  return (
    <ShownContext value={shown}>
      <SessionBand clock={market.clock} />
      <div className="tab-grid">
        <Regime market={market} />
        <Index market={market} />
        <Breadth market={market} />
        <OverTime market={market} asOf={asOf} />
        <Sectors market={market} />
        <Ahead market={market} />
        {/* Stock-days are screened whole: at a past minute they would tell what came later that day. */}
        {asOf === undefined ? <ResultsCalendar /> : null}
      </div>
    </ShownContext>
  );
}

/** Why a part of the market is not there. */
const reasonOf = ({ missing }: MarketContext, field: string): string =>
  missing.find((one) => one.field === field)?.reason ?? ABSENT.value;

function Regime({ market }: { readonly market: MarketContext }): ReactNode {
  const { regime } = market;
  const word = regime?.regime ?? null;
  if (regime === null || word === null) {
    return (
      <section className="panel double" aria-label="Regime">
        <h2>Regime</h2>
        <Missing reason={reasonOf(market, 'regime.regime')} />
      </section>
    );
  }
  const { headline, supporting, others, tone } = signalsOf(regime.rules_fired, word);
  return (
    <section className="panel double" aria-label="Regime">
      <h2>
        Regime: {inWords(word).toLowerCase()} <small className={tone}>{headline}</small>
      </h2>
      <ul className="rules">
        {supporting.map((rule) => (
          <li key={rule.rule} className={tone}>
            <span aria-hidden="true">{MARKS[tone]}</span> {rule.says}
          </li>
        ))}
        {others.map((rule) => (
          <li key={rule.rule} className="other">
            <span aria-hidden="true">✕</span> {rule.says}
          </li>
        ))}
      </ul>
    </section>
  );
}

const MARKS = { up: '▲', down: '▼', neutral: '◆' } as const;

function Index({ market }: { readonly market: MarketContext }): ReactNode {
  const { index, vix } = market;
  return (
    <section className="panel" aria-label="Index and volatility">
      <h2>
        {index?.symbol ?? 'Index'} <small>{inWords(index?.trend ?? '').toLowerCase()}</small>
      </h2>
      {index === null ? (
        <Missing reason={reasonOf(market, 'index')} />
      ) : (
        <dl className="figures">
          {index.session === null || index.session === market.trade_date ? null : (
            <div>
              <dt>Session</dt>
              <dd data-tip={reasonOf(market, 'index.session')}>{dayOf(noonOf(index.session))}</dd>
            </div>
          )}
          <dt>Last</dt>
          <dd>
            <Num value={index.last} shape="price" label="Last close, or the newest price" unit="USD" />
          </dd>
          {(['return_1d_pct', 'return_5d_pct', 'return_20d_pct'] as const).map((name) => (
            <div key={name}>
              <dt>{name.replace(/return_(\d+)d_pct/, '$1 sessions').replace(/^1 sessions/, '1 session')}</dt>
              <dd>
                <Num
                  value={index[name]}
                  missing={reasonOf(market, `index.${name}`)}
                  shape="signed-percent"
                  label="Return"
                  unit="percent"
                  directed
                />
              </dd>
            </div>
          ))}
          <dt>From SMA 50</dt>
          <dd>
            <Num
              value={index.distance_sma_50_pct}
              missing={reasonOf(market, 'index.sma_50')}
              shape="signed-percent"
              label="Distance from SMA 50"
              unit="percent"
              directed
            />
          </dd>
          <dt>From SMA 200</dt>
          <dd>
            <Num
              value={index.distance_sma_200_pct}
              missing={reasonOf(market, 'index.sma_200')}
              shape="signed-percent"
              label="Distance from SMA 200"
              unit="percent"
              directed
            />
          </dd>
        </dl>
      )}
      <h2>
        VIX <small>{inWords(vix?.regime ?? '').toLowerCase()}</small>
      </h2>
      {vix === null ? (
        <Missing reason={reasonOf(market, 'vix')} />
      ) : (
        <dl className="figures">
          <dt>Level</dt>
          <dd>
            <Num value={vix.level} shape="ratio" label="VIX" unit="index points" />
          </dd>
          <dt>Change</dt>
          <dd>
            <Num
              value={vix.change_1d_pct}
              shape="signed-percent"
              label="Change over a session"
              unit="percent"
            />
          </dd>
          <dt>Percentile, 252 sessions</dt>
          <dd>
            <Num
              value={vix.percentile_252}
              shape="score"
              label="Share of sessions that closed lower"
              unit="percent"
            />
          </dd>
        </dl>
      )}
    </section>
  );
}

function Breadth({ market }: { readonly market: MarketContext }): ReactNode {
  const { breadth } = market;
  return (
    <section className="panel" aria-label="Breadth">
      <h2>
        Breadth <small>{breadth === null ? '' : `${breadth.stocks} stocks`}</small>
      </h2>
      {breadth === null ? (
        <Missing reason={reasonOf(market, 'breadth')} />
      ) : (
        <>
          <div className="stack breadth">
            {(
              [
                ['rose', breadth.advancers, 'up'],
                ['unchanged', breadth.unchanged, 'neutral'],
                ['fell', breadth.decliners, 'down'],
              ] as const
            ).map(([name, count, tone]) => (
              <span
                key={name}
                className={tone}
                style={{ width: `${(count / Math.max(breadth.stocks, 1)) * 100}%` }}
                data-tip={`${count} stocks ${name}`}
              />
            ))}
          </div>
          <dl className="figures">
            <dt>Advancers / decliners</dt>
            <dd>
              {breadth.advancers} / {breadth.decliners}
            </dd>
            <dt>Above SMA 50</dt>
            <dd>
              <Num
                value={breadth.above_sma_50_pct}
                shape="percent"
                label="Stocks above their SMA 50"
                unit="percent"
              />
            </dd>
            <dt>Above SMA 200</dt>
            <dd>
              <Num
                value={breadth.above_sma_200_pct}
                shape="percent"
                label="Stocks above their SMA 200"
                unit="percent"
              />
            </dd>
            <dt>52-week highs / lows</dt>
            <dd>
              {breadth.new_highs_252} / {breadth.new_lows_252}
            </dd>
          </dl>
        </>
      )}
    </section>
  );
}

function Sectors({ market }: { readonly market: MarketContext }): ReactNode {
  const [by, setBy] = useState<SectorReturn>('return_1d_pct');
  return (
    <section className="panel wide" aria-label="Sectors">
      <div className="panel-head">
        <h2>Sectors</h2>
        <div role="radiogroup" aria-label="Return over" className="segments">
          {(Object.keys(SECTOR_RETURNS) as SectorReturn[]).map((one) => (
            // biome-ignore lint/a11y/useSemanticElements: segments of one control
            <button key={one} type="button" role="radio" aria-checked={one === by} onClick={() => setBy(one)}>
              {SECTOR_RETURNS[one]}
            </button>
          ))}
        </div>
      </div>
      {market.sectors.length === 0 ? (
        <Missing reason={reasonOf(market, 'sectors')} height={160} />
      ) : (
        <SectorTreemap sectors={market.sectors} by={by} />
      )}
    </section>
  );
}

/** Results, expirations and halts. */
function Ahead({ market }: { readonly market: MarketContext }): ReactNode {
  const { events } = market;
  const results = [
    ['today', events.results_today],
    ['the next 5 sessions', events.results_next_5_sessions],
  ] as const;
  return (
    <section className="panel wide" aria-label="Ahead">
      <h2>Ahead</h2>
      <dl className="figures">
        {results.map(([when, due]) => (
          <div key={when}>
            <dt>Earnings {when}</dt>
            <dd>
              {due === null ? <small>no dates of results are known</small> : due.count}{' '}
              {due?.largest.map(({ symbol }) => (
                <Link key={symbol} className="chip" to="/stocks/$symbol" params={{ symbol }}>
                  {symbol}
                </Link>
              ))}
            </dd>
          </div>
        ))}
        <dt>Monthly expiration</dt>
        <dd>
          {events.monthly_expiration === null
            ? '–'
            : `${events.monthly_expiration.date}, ${events.monthly_expiration.sessions} sessions`}
        </dd>
        <dt>Quarterly expiration</dt>
        <dd>
          {events.quarterly_expiration === null
            ? '–'
            : `${events.quarterly_expiration.date}, ${events.quarterly_expiration.sessions} sessions`}
        </dd>
        <dt>Halted now</dt>
        <dd>{events.halts === 0 ? 'none' : events.halted.map(({ symbol }) => symbol).join(', ')}</dd>
      </dl>
    </section>
  );
}
