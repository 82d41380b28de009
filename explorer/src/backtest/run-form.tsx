import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react';
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

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly onText: (text: string) => void;
}

const Field = ({ label, onText, ...input }: FieldProps): ReactNode => (
  <label>
    {label}
    <input {...input} onChange={({ target }) => onText(target.value)} />
  </label>
);

interface FormProps {
  readonly minutes: Minutes;
  readonly onStarted: (id: string) => void;
}

function Form({ minutes, onStarted }: FormProps): ReactNode {
  const list = useId();
  const [symbols, setSymbols] = useDraft('backtest.symbols', firstSymbols(minutes).join(', '));
  const [from, setFrom] = useDraft('backtest.from', minutes.from);
  const [to, setTo] = useDraft('backtest.to', minutes.to);
  const [signals, setSignals] = useDraft('backtest.signals', SIGNAL_TYPES.join());
  const [stops, setStops] = useDraft('backtest.stops', '0.5, 1, 1.5, 2');
  const [targets, setTargets] = useDraft('backtest.targets', '1, 1.5, 2, 3, 4');
  const [commission, setCommission] = useDraft('backtest.commission', '0');
  const [slippage, setSlippage] = useDraft('backtest.slippage', '0');
  const [spread, setSpread] = useDraft('backtest.spread', '');
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
      half_spread: spread !== '',
    });
  };
  return (
    <form className="panel run-form" aria-label="New run" onSubmit={submit}>
      <h2>New run</h2>
      <Field label="Symbols" placeholder="AAPL, MSFT" list={list} value={symbols} onText={setSymbols} />
      <datalist id={list}>
        {minutes.symbols.map((symbol) => (
          <option key={symbol} value={symbol} />
        ))}
      </datalist>
      <p className="note">
        Minute bars: {minutes.symbols.length}
        {minutes.hasMore ? ' or more' : ''} symbols, {minutes.from} to {minutes.to}.
      </p>
      <Field label="First date" type="date" required value={from} max={minutes.to} onText={setFrom} />
      <Field label="Last date" type="date" required value={to} min={minutes.from} onText={setTo} />
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
      <Field label="Stops, ATR" value={stops} onText={setStops} />
      <Field label="Targets, ATR" value={targets} onText={setTargets} />
      <Field
        label="Commission, $ a share"
        type="number"
        min="0"
        step="0.001"
        value={commission}
        onText={setCommission}
      />
      <Field
        label="Slippage, basis points"
        type="number"
        min="0"
        step="0.1"
        value={slippage}
        onText={setSlippage}
      />
      <fieldset>
        <label>
          <input
            type="checkbox"
            checked={spread !== ''}
            onChange={({ target }) => setSpread(target.checked ? 'half' : '')}
          />
          Half the quoted spread at each fill; needs quotes
        </label>
      </fieldset>
      {fault === null ? null : (
        <p className="down" role="alert">
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
