import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useEffect } from 'react';
import { client } from '../shared/api/client.ts';
import { type Run, runQuery, runsQuery } from '../shared/api/queries.ts';
import { wordsOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { present } from '../shared/present.ts';
import { ABSENT, VERDICTS } from '../shared/sentences.ts';
import { formatNumber } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
import type { BacktestSearch } from './backtest-search.ts';
import { firstRun, useMinutes, useStart } from './first-run.ts';
import { RunForm } from './run-form.tsx';
import { RunResult } from './run-result.tsx';
import { SIGNALS } from './words.ts';
import './backtest.css';

const route = getRouteApi('/backtest');

/** Stops and targets tried over past sessions, and whether the best of them is more than luck. */
export function BacktestPage(): ReactNode {
  const { run: asked, beside } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (search: BacktestSearch): void => void navigate({ search, replace: true });
  useTitle('Backtest');
  const { data, isPending } = useQuery(runsQuery);
  const runs = data?.runs;
  // Without a choice the newest run is shown.
  const run = asked ?? runs?.[0]?.id;
  return (
    <div className="backtest-page">
      <h1>Backtest</h1>
      <div className="backtest-side">
        <RunForm onStarted={(id) => change({ run: id })} />
        <EarlierRuns
          run={run}
          beside={beside}
          onShow={(id) => change({ run: id })}
          onBeside={(id) => change(present({ run, beside: id }))}
        />
      </div>
      <div className="backtest-results" data-two={beside !== undefined || undefined}>
        {run !== undefined ? (
          <ShownRun key={run} id={run} />
        ) : isPending ? (
          <Skeleton height={240} />
        ) : (
          <NoRun onStarted={(id) => change({ run: id })} />
        )}
        {beside === undefined ? null : <ShownRun key={beside} id={beside} />}
      </div>
    </div>
  );
}

/** The way to a first run; none starts by itself. */
function NoRun({ onStarted }: { readonly onStarted: (id: string) => void }): ReactNode {
  const minutes = useMinutes();
  const start = useStart(onStarted);
  if (minutes === undefined) return <Skeleton height={240} />;
  return (
    <>
      <Missing reason={minutes === null ? ABSENT.runMinutes : ABSENT.runs} height={240}>
        {minutes === null ? (
          <Link to="/data">Import files</Link>
        ) : (
          <button type="button" disabled={start.isPending} onClick={() => start.mutate(firstRun(minutes))}>
            Start one of a few symbols
          </button>
        )}
      </Missing>
      {start.error === null ? null : <Refused error={start.error} />}
    </>
  );
}

function ShownRun({ id }: { readonly id: string }): ReactNode {
  const asked = useQuery(runQuery(id));
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () =>
      dataOf(client.DELETE('/api/graph/v1/backtest/optimize/{id}', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run'] }),
  });
  const status = asked.data?.status;
  useEffect(() => {
    if (status !== undefined) void queries.invalidateQueries({ queryKey: ['runs'] });
  }, [status, queries]);
  return (
    <section className="run" aria-label="Run">
      <Answered asked={asked} rows={12}>
        {(shown) => (
          <>
            <RunHead run={shown} />
            {shown.status === 'completed' ? <RunResult run={shown} /> : null}
            {shown.status === 'pending' || shown.status === 'running' ? (
              <p className="row progress">
                <progress max={100} value={shown.progress_pct} aria-label="Progress of the run" />
                {formatNumber(shown.progress_pct, 0)} %
                <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
                  Cancel
                </button>
              </p>
            ) : null}
            {cancel.error === null ? null : <Refused error={cancel.error} />}
            {shown.status === 'failed' ? <Missing reason={shown.error_message ?? ABSENT.runFailed} /> : null}
            {shown.status === 'cancelled' ? <Missing reason={ABSENT.runCancelled} /> : null}
          </>
        )}
      </Answered>
    </section>
  );
}

function RunHead({ run }: { readonly run: Run }): ReactNode {
  const { symbols, start_date, signal_types, signals } = run.request;
  const verdict = run.analysis?.overfitting.verdict;
  return (
    <header className="page-head">
      <h2>
        {symbols.slice(0, 4).join(', ')}
        {symbols.length > 4 ? ` and ${symbols.length - 4} more` : ''}{' '}
        <small>
          {start_date} to {run.last_session},{' '}
          {signals === null
            ? signal_types.map((type) => SIGNALS[type]).join(', ')
            : `${formatNumber(signals.count, 0)} own entries`}
        </small>
      </h2>
      {verdict === undefined ? null : (
        <p className={`verdict ${verdict}`}>
          <b>{inWords(verdict)}.</b> {VERDICTS[verdict]}
        </p>
      )}
    </header>
  );
}

interface EarlierProps {
  readonly run: string | undefined;
  readonly beside: string | undefined;
  readonly onShow: (id: string) => void;
  readonly onBeside: (id: string | undefined) => void;
}

function EarlierRuns({ run, beside, onShow, onBeside }: EarlierProps): ReactNode {
  const asked = useQuery(runsQuery);
  return (
    <Panel label="Earlier runs">
      <Answered asked={asked} rows={4}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p className="note">None yet.</p>
          ) : (
            <ul className="runs">
              {runs.map(({ id, status, progress_pct, request, created_at }) => (
                <li key={id} aria-current={id === run || undefined}>
                  <button type="button" onClick={() => onShow(id)}>
                    {request.symbols.slice(0, 3).join(', ')}
                    {request.symbols.length > 3 ? ' …' : ''}{' '}
                    <small>
                      {request.start_date} to {request.end_date},{' '}
                      {status === 'running' ? `${formatNumber(progress_pct, 0)} %` : status},{' '}
                      {wordsOf(Date.parse(created_at))}
                    </small>
                  </button>
                  {run === undefined || id === run ? null : (
                    <button
                      type="button"
                      className="switch"
                      aria-pressed={id === beside}
                      onClick={() => onBeside(id === beside ? undefined : id)}
                    >
                      beside
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  );
}
