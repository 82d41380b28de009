import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type MarketContext, marketQuery } from '../shared/api/queries.ts';
import { AsOfInput } from '../shared/as-of-input.tsx';
import { dateOf, dayOf, type Instant, noonOf, wordsOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { ABSENT } from '../shared/sentences.ts';
import { Segments } from '../shared/ui/choices.tsx';
import { NamedNum } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { ShownContext } from '../shared/ui/shown.ts';
import { Stack } from '../shared/ui/stack.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
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
  useTitle('Market');
  const change = (next: string | undefined): void =>
    void navigate({ search: next === undefined ? {} : { as_of: next } });
  return (
    <div className="market-page">
      <div className="row market-head">
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
  if (regime === null || word === null)
    return (
      <Panel label="Regime" className="double">
        <Missing reason={reasonOf(market, 'regime.regime')} />
      </Panel>
    );
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
          <li key={rule.rule} className="quiet">
            <span aria-hidden="true">✕</span> {rule.says}
          </li>
        ))}
      </ul>
    </section>
  );
}

const MARKS = { up: '▲', down: '▼', neutral: '◆' } as const;

/** Numbers of the index, each with its names and the part of the market that says why it is not there. */
const INDEX_RETURNS = [
  ['return_1d_pct', '1 session', 'Return', 'return_1d_pct'],
  ['return_5d_pct', '5 sessions', 'Return', 'return_5d_pct'],
  ['return_20d_pct', '20 sessions', 'Return', 'return_20d_pct'],
  ['distance_sma_50_pct', 'From SMA 50', 'Distance from SMA 50', 'sma_50'],
  ['distance_sma_200_pct', 'From SMA 200', 'Distance from SMA 200', 'sma_200'],
] as const;

function Index({ market }: { readonly market: MarketContext }): ReactNode {
  const { index, vix } = market;
  return (
    <Panel
      label="Index and volatility"
      title={index?.symbol ?? 'Index'}
      small={inWords(index?.trend ?? '').toLowerCase()}
    >
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
          <NamedNum
            title="Last"
            value={index.last}
            shape="price"
            label="Last close, or the newest price"
            unit="USD"
          />
          {INDEX_RETURNS.map(([name, title, label, part]) => (
            <NamedNum
              key={name}
              title={title}
              value={index[name]}
              missing={reasonOf(market, `index.${part}`)}
              shape="signed-percent"
              label={label}
              unit="percent"
              directed
            />
          ))}
        </dl>
      )}
      <h2>
        VIX <small>{inWords(vix?.regime ?? '').toLowerCase()}</small>
      </h2>
      {vix === null ? (
        <Missing reason={reasonOf(market, 'vix')} />
      ) : (
        <dl className="figures">
          <NamedNum title="Level" value={vix.level} shape="ratio" label="VIX" unit="index points" />
          <NamedNum
            title="Change"
            value={vix.change_1d_pct}
            shape="signed-percent"
            label="Change over a session"
            unit="percent"
          />
          <NamedNum
            title="Percentile, 252 sessions"
            value={vix.percentile_252}
            shape="score"
            label="Share of sessions that closed lower"
            unit="percent"
          />
        </dl>
      )}
    </Panel>
  );
}

function Breadth({ market }: { readonly market: MarketContext }): ReactNode {
  const { breadth } = market;
  return (
    <Panel label="Breadth" small={breadth === null ? '' : `${breadth.stocks} stocks`}>
      {breadth === null ? (
        <Missing reason={reasonOf(market, 'breadth')} />
      ) : (
        <>
          <Stack
            className="breadth"
            parts={[
              ['up', breadth.advancers, `${breadth.advancers} stocks rose`],
              ['neutral', breadth.unchanged, `${breadth.unchanged} stocks unchanged`],
              ['down', breadth.decliners, `${breadth.decliners} stocks fell`],
            ]}
            whole={breadth.stocks}
          />
          <dl className="figures">
            <dt>Advancers / decliners</dt>
            <dd>
              {breadth.advancers} / {breadth.decliners}
            </dd>
            {([50, 200] as const).map((length) => (
              <NamedNum
                key={length}
                title={`Above SMA ${length}`}
                value={breadth[`above_sma_${length}_pct`]}
                shape="percent"
                label={`Stocks above their SMA ${length}`}
                unit="percent"
              />
            ))}
            <dt>52-week highs / lows</dt>
            <dd>
              {breadth.new_highs_252} / {breadth.new_lows_252}
            </dd>
          </dl>
        </>
      )}
    </Panel>
  );
}

function Sectors({ market }: { readonly market: MarketContext }): ReactNode {
  const [by, setBy] = useState<SectorReturn>('return_1d_pct');
  return (
    <section className="panel wide" aria-label="Sectors">
      <div className="panel-head">
        <h2>Sectors</h2>
        <Segments label="Return over" options={SECTOR_RETURNS} value={by} onChange={setBy} />
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
  const { clock, events, trade_date: date } = market;
  // Of an earlier day nothing is of today.
  const isToday = dateOf(Date.parse(clock.at)) === date;
  const day = dayOf(noonOf(date));
  const results = [
    [isToday ? 'today' : `on ${day}`, events.results_today],
    [isToday ? 'the next 5 sessions' : 'the 5 sessions after it', events.results_next_5_sessions],
  ] as const;
  const expirations = [
    ['Monthly', events.monthly_expiration],
    ['Quarterly', events.quarterly_expiration],
  ] as const;
  return (
    <Panel label="Ahead" className="wide">
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
        {expirations.map(([which, due]) => (
          <div key={which}>
            <dt>{which} expiration</dt>
            <dd>{due === null ? '–' : `${due.date}, ${due.sessions} sessions`}</dd>
          </div>
        ))}
        <dt>{isToday ? 'Halted now' : `Halted on ${day}`}</dt>
        <dd>{events.halts === 0 ? 'none' : events.halted.map(({ symbol }) => symbol).join(', ')}</dd>
      </dl>
    </Panel>
  );
}
