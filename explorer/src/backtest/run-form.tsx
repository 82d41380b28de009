import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useDraft } from '../shared/ui/draft.ts';
import { Refused, Skeleton } from '../shared/ui/states.tsx';
import { firstSymbols, type Minutes, useMinutes, useStart } from './first-run.ts';
import { SIGNAL_TYPES, SIGNALS } from './words.ts';

/** `0.5, 1, 1.5` as numbers; null where one is none. */
function numbersOf(text: string): number[] | null {
  const all = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
  return all.length === 0 || all.some((value) => !Number.isFinite(value) || value <= 0) ? null : all;
}

/** What to try: symbols, sessions, signals, stops and targets. Opens with symbols and sessions that have minute bars. */
export function RunForm({ onStarted }: { readonly onStarted: (id: string) => void }): ReactNode {
  const minutes = useMinutes();
  if (minutes === undefined) return <Skeleton rows={8} />;
  // The place of the results says what is needed first.
  if (minutes === null) return null;
  return <Form minutes={minutes} onStarted={onStarted} />;
}

function Form({
  minutes,
  onStarted,
}: {
  readonly minutes: Minutes;
  readonly onStarted: (id: string) => void;
}): ReactNode {
  const list = useId();
  const [symbols, setSymbols] = useDraft('backtest.symbols', firstSymbols(minutes).join(', '));
  const [from, setFrom] = useDraft('backtest.from', minutes.from);
  const [to, setTo] = useDraft('backtest.to', minutes.to);
  const [signals, setSignals] = useDraft('backtest.signals', SIGNAL_TYPES.join());
  const [stops, setStops] = useDraft('backtest.stops', '0.5, 1, 1.5, 2');
  const [targets, setTargets] = useDraft('backtest.targets', '1, 1.5, 2, 3, 4');
  const [commission, setCommission] = useDraft('backtest.commission', '0');
  const [slippage, setSlippage] = useDraft('backtest.slippage', '0');
  const [fault, setFault] = useState<string | null>(null);
  const start = useStart(onStarted);
  const chosen = signals.split(',').filter((type) => type !== '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const [stopList, targetList] = [numbersOf(stops), numbersOf(targets)];
    const names = symbols
      .toUpperCase()
      .split(/[\s,]+/)
      .filter((name) => name !== '');
    const problem =
      names.length === 0
        ? 'Name at least one symbol.'
        : chosen.length === 0
          ? 'Choose at least one signal.'
          : stopList === null || targetList === null
            ? 'Stops and targets are numbers above 0 with commas between them.'
            : from > to
              ? 'The first date is after the last one.'
              : null;
    setFault(problem);
    if (problem !== null || stopList === null || targetList === null) return;
    start.mutate({
      symbols: names,
      start_date: from,
      end_date: to,
      signal_types: SIGNAL_TYPES.filter((type) => chosen.includes(type)),
      stop_atr_range: stopList,
      target_atr_range: targetList,
      commission_per_share: Number(commission) || 0,
      slippage_bps: Number(slippage) || 0,
    });
  };
  return (
    <form className="panel run-form" aria-label="New run" onSubmit={submit}>
      <h2>New run</h2>
      <label>
        Symbols
        <input
          placeholder="AAPL, MSFT"
          list={list}
          value={symbols}
          onChange={({ target }) => setSymbols(target.value)}
        />
      </label>
      <datalist id={list}>
        {minutes.symbols.map((symbol) => (
          <option key={symbol} value={symbol} />
        ))}
      </datalist>
      <p className="note">
        Minute bars: {minutes.symbols.length}
        {minutes.hasMore ? ' or more' : ''} symbols, {minutes.from} to {minutes.to}.
      </p>
      <label>
        First date
        <input
          type="date"
          required
          value={from}
          max={minutes.to}
          onChange={({ target }) => setFrom(target.value)}
        />
      </label>
      <label>
        Last date
        <input
          type="date"
          required
          value={to}
          min={minutes.from}
          onChange={({ target }) => setTo(target.value)}
        />
      </label>
      <fieldset>
        <legend>Signals</legend>
        {SIGNAL_TYPES.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={chosen.includes(type)}
              onChange={({ target }) =>
                setSignals(
                  SIGNAL_TYPES.filter((one) => (one === type ? target.checked : chosen.includes(one))).join(),
                )
              }
            />
            {SIGNALS[type]}
          </label>
        ))}
      </fieldset>
      <label>
        Stops, ATR
        <input value={stops} onChange={({ target }) => setStops(target.value)} />
      </label>
      <label>
        Targets, ATR
        <input value={targets} onChange={({ target }) => setTargets(target.value)} />
      </label>
      <label>
        Commission, $ a share
        <input
          type="number"
          min="0"
          step="0.001"
          value={commission}
          onChange={({ target }) => setCommission(target.value)}
        />
      </label>
      <label>
        Slippage, basis points
        <input
          type="number"
          min="0"
          step="0.1"
          value={slippage}
          onChange={({ target }) => setSlippage(target.value)}
        />
      </label>
      {fault === null ? null : (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {start.error === null ? null : <Refused error={start.error} />}
      <button type="submit" className="primary" disabled={start.isPending}>
        {start.isPending ? 'Starting …' : 'Start'}
      </button>
    </form>
  );
}
