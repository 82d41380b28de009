import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import {
  type AlertPreview,
  addAlert,
  alertKindsQuery,
  alertsQuery,
  fieldsQuery,
  previewQuery,
} from '../api/queries.ts';
import { dayOf, noonOf, wordsOf } from '../instant.ts';
import { Select } from '../ui/choices.tsx';
import { Refused, Skeleton } from '../ui/states.tsx';
import { useKeys } from '../use-keys.ts';
import type { TypedAlert } from './alert-text.ts';
import {
  type Condition,
  type Draft,
  draftAlert,
  markAlert,
  REPEATS,
  ruleOf,
  useAlertDraft,
} from './draft.ts';
import './alerts.css';

/** The form of an alert, over whatever page it was asked for on. */
export function AlertForm(): ReactNode {
  const draft = useAlertDraft();
  return draft === null ? null : <Form key={`${draft.symbol} ${draft.choices[0]?.words}`} draft={draft} />;
}

/** One sentence with two choices, what it would have fired below, or the sentence typed. */
function Form({ draft: { symbol: named, choices } }: { readonly draft: Draft }): ReactNode {
  const [symbol, setSymbol] = useState(named);
  const [chosen, choose] = useState('0');
  const [repeat, setRepeat] = useState<keyof typeof REPEATS>('daily');
  const [typed, setTyped] = useState<TypedAlert | null>(null);
  const close = (): void => draftAlert(null);
  useKeys({ Escape: close });
  const condition: Condition | undefined = typed ?? choices[Number(chosen)];
  const of = typed?.symbol ?? symbol;
  const rule = condition === undefined || of === '' ? null : ruleOf(of, condition, repeat);
  const preview = useQuery(previewQuery(rule));
  const { data } = preview;
  useEffect(() => {
    markAlert(data?.firings.map(({ at }) => at) ?? []);
  }, [data]);
  const queries = useQueryClient();
  const keep = useMutation({
    mutationFn: addAlert,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: alertsQuery.queryKey });
      close();
    },
  });
  const isOdd = data?.verdict === 'never' || data?.verdict === 'often';
  return (
    <section className="alert-form" role="dialog" aria-label="Alert">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (rule !== null) keep.mutate(isOdd ? { ...rule, anyway: true } : rule);
        }}
      >
        <p className="alert-sentence">
          {named === '' && typed === null ? <StockInput onName={setSymbol} /> : <b>{of}</b>}, when
          {typed === null ? ' it ' : ' '}
          {typed === null ? (
            <Select
              label="What it waits for"
              options={Object.fromEntries(choices.map(({ words }, at) => [`${at}`, words]))}
              value={chosen}
              onChange={choose}
            />
          ) : (
            <span>{data?.sentence.replace(/^[^,]*, when /, '').replace(/,[^,]*$/, '') ?? '…'}</span>
          )}{' '}
          <Select label="How often" options={REPEATS} value={repeat} onChange={setRepeat} />
        </p>
        <Fired preview={data} error={preview.error} isLate={preview.isFetching && data === undefined} />
        <div className="row">
          <button type="submit" disabled={rule === null || keep.isPending || data === undefined}>
            {isOdd ? 'Keep it anyway' : 'Keep alert'}
          </button>
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
        {keep.error === null ? null : <Refused error={keep.error} />}
      </form>
      <Typed symbol={symbol} onRead={setTyped} />
    </section>
  );
}

/** The stock of an alert that was not made beside one. */
const StockInput = ({ onName }: { readonly onName: (symbol: string) => void }): ReactNode => (
  <input
    aria-label="Stock"
    placeholder="stock"
    size={8}
    onBlur={({ target }) => onName(target.value.trim().toUpperCase())}
    onKeyDown={(event) => {
      if (event.key !== 'Enter') return;
      // The rule is shown before it is kept.
      event.preventDefault();
      event.currentTarget.blur();
    }}
  />
);

interface FiredProps {
  readonly preview: AlertPreview | undefined;
  readonly error: Error | null;
  readonly isLate: boolean;
}

/** The sessions that were judged as marks, each as high as it fired often. */
function Fired({ preview, error, isLate }: FiredProps): ReactNode {
  if (error !== null) return <Refused error={error} />;
  if (preview === undefined) return isLate ? <Skeleton height={48} /> : <div style={{ height: 48 }} />;
  const { firings, says, verdict, symbols, stocks } = preview;
  const days = new Map<string, AlertPreview['firings']>();
  for (const one of firings) days.set(one.trade_date, [...(days.get(one.trade_date) ?? []), one]);
  const most = Math.max(1, ...Array.from(days.values(), ({ length }) => length));
  return (
    <div className="alert-fired" data-verdict={verdict}>
      <p>
        {says}
        {stocks > symbols.length ? ` ${symbols.length} of ${stocks} stocks were judged.` : ''}
      </p>
      {days.size === 0 ? null : (
        <ul aria-label="Sessions in which it would have fired">
          {[...days].toReversed().map(([date, own]) => (
            <li
              key={date}
              data-tip={`${dayOf(noonOf(date))}: ${own.length}x\n${own
                .slice(0, 8)
                .map(({ at, says: what }) => `${wordsOf(Date.parse(at))} ${what}`)
                .join('\n')}`}
              style={{ height: `${Math.max(4, (24 * own.length) / most)}px` }}
            >
              <span className="visually-hidden">
                {dayOf(noonOf(date))}: {own.length}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface TypedProps {
  readonly symbol: string;
  readonly onRead: (alert: TypedAlert | null) => void;
}

/** The rule as a sentence that is typed. */
function Typed({ symbol, onRead }: TypedProps): ReactNode {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const fields = useQuery(fieldsQuery);
  const kinds = useQuery(alertKindsQuery);
  const read = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFault(null);
    if (text.trim() === '') return onRead(null);
    const { readAlert } = await import('./alert-text.ts');
    try {
      onRead(readAlert(text, kinds.data?.kinds ?? [], (fields.data?.fields ?? []) as never));
    } catch (error) {
      onRead(null);
      setFault((error as Error).message);
    }
  };
  return (
    <form className="alert-typed" onSubmit={(event) => void read(event)}>
      <input
        aria-label="Or as a sentence"
        placeholder={`or type: ${symbol || 'NVDA'} crosses VWAP`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit">Read</button>
      {fault === null ? null : (
        <p className="way" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
