import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { client } from '../shared/api/client.ts';
import {
  type Choices,
  type Import,
  type ImportChoice,
  importsQuery,
  loadedKey,
  type RefusedRows,
} from '../shared/api/queries.ts';
import { present } from '../shared/present.ts';
import { formatAmount, formatPrice } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { ScrollX } from '../shared/ui/scroll-x.tsx';
import { Refused } from '../shared/ui/states.tsx';

import { inLabels } from './reading-words.ts';

type Reading = Import['readings'][number];
type Call = () => Parameters<typeof dataOf<Import>>[0];

/** Parts of a reading in words; others keep their names. */
const PARTS: Readonly<Record<string, string>> = {
  kind: 'Holds',
  symbol: 'Symbol',
  interval: 'Bars of',
  stamps: 'Times are the',
  clock: 'Time zone',
  prices: 'Prices are',
  volumes: 'Volumes are',
  range: 'From',
  currency: 'Currency',
  lastRow: 'Last row is',
  layout: 'Written by',
  taken: 'Taken at',
  price: 'Underlying at',
  contracts: 'Contracts',
  greeks: 'Greeks',
  interest: 'Volume and open interest',
  facts: 'Facts',
  known: 'Known from',
  rows: 'Rows',
  left_out: 'Left out',
  absent: 'Without a value',
};

/** A file that the service holds: how it is read, its import, and what came of it. */
export function ImportCard({ held }: { readonly held: Import }): ReactNode {
  const queries = useQueryClient();
  const [choices, setChoices] = useState<Choices>({});
  const params = { path: { id: held.id } };
  const tell = useMutation({
    mutationFn: (call: Call) => dataOf(call()),
    onSuccess: (after) =>
      queries.setQueryData(importsQuery.queryKey, (before) => ({
        imports: (before?.imports ?? []).flatMap((one) =>
          one.id !== after.id ? one : hasEnded(one) ? [] : after,
        ),
      })),
  });
  const isOver = hasEnded(held);
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: [loadedKey] });
  }, [isOver, queries]);
  const choose = (part: Choices): void => {
    const next: Choices = present({ ...choices, ...part });
    setChoices(next);
    tell.mutate(() => client.POST('/api/internal/imports/{id}/reading', { params, body: next }));
  };
  const isReadable = held.files > held.files_refused;
  const isOpen = held.state === 'read';
  return (
    <Panel
      label={held.file}
      className="import-card"
      title={<bdi>{held.file}</bdi>}
      small={`${formatAmount(held.bytes)} bytes`}
    >
      {isOpen
        ? held.readings.map((reading) => (
            <FileReading
              key={reading.file}
              reading={reading}
              choices={held.choices}
              isAlone={held.readings.length === 1}
            />
          ))
        : null}
      {isOpen && held.choices.length > 0 ? (
        <ChoiceForm fields={held.choices} choices={choices} isOpen={!isReadable} onChoose={choose} />
      ) : null}
      {tell.error === null ? null : <Refused error={tell.error} />}
      <Progress held={held} />
      {held.report === null ? null : <Report report={held.report} />}
      {held.message === null ? null : <p role="status">{held.message}</p>}
      <p className="row">
        {isOpen && isReadable ? (
          <button
            type="button"
            disabled={tell.isPending}
            onClick={() => tell.mutate(() => client.POST('/api/internal/imports/{id}/start', { params }))}
          >
            Import
          </button>
        ) : null}
        <button
          type="button"
          onClick={() => tell.mutate(() => client.DELETE('/api/internal/imports/{id}', { params }))}
        >
          {isOver || (isOpen && !isReadable) ? 'Close' : 'Cancel'}
        </button>
        {isOpen && (!isReadable || held.files_refused > 0) ? <small>{refusedWords(held)}</small> : null}
      </p>
    </Panel>
  );
}

const refusedWords = ({ files, files_refused }: Import): string =>
  files === files_refused
    ? 'Nothing of it can be imported as it is.'
    : `${files - files_refused} of ${files} files can be imported; the others are left out.`;

const countOf = (count: number): string => count.toLocaleString('en-US');

/** How far a file is read or imported, and of many files how many are shown. */
function Progress({ held }: { readonly held: Import }): ReactNode {
  const { state, file, files, files_refused, readings, share_done, rows_read } = held;
  if (state === 'reading')
    return (
      <p className="row import-progress">
        <progress aria-label={`Reading ${file}`} />
        <span>Reading{files > 1 ? `, ${countOf(files)} files so far` : ' the file'}</span>
      </p>
    );
  if (state === 'importing')
    return (
      <p className="row import-progress">
        <progress max={1} value={share_done ?? 0} aria-label={`Importing ${file}`} />
        <span>
          {Math.floor((share_done ?? 0) * 100)} %, {formatAmount(rows_read)} rows read
        </span>
      </p>
    );
  if (state !== 'read' || files <= readings.length) return null;
  return (
    <p role="status">
      {countOf(files)} files, {countOf(files_refused)} of them refused; the first {countOf(readings.length)}{' '}
      are shown.
    </p>
  );
}

const hasEnded = ({ state }: Import): boolean =>
  state === 'imported' || state === 'cancelled' || state === 'failed';

interface FileReadingProps {
  readonly reading: Reading;
  readonly choices: readonly ImportChoice[];
  readonly isAlone: boolean;
}

function FileReading({ reading, choices, isAlone }: FileReadingProps): ReactNode {
  const { file, findings, first, refused } = reading;
  return (
    <div className="reading">
      {isAlone ? null : (
        <h3>
          <bdi>{file}</bdi>
        </h3>
      )}
      {refused === null ? null : (
        <p className="refused" role="alert">
          Not read: {refused.question === null ? '' : `${refused.question} `}
          {inLabels(refused.message, choices)}
        </p>
      )}
      {first.length === 0 ? null : <FirstBars bars={first} />}
      {findings.length === 0 ? null : (
        <ScrollX>
          <table>
            <caption className="visually-hidden">How {file} is read</caption>
            <tbody>
              {findings.map(({ part, value, evidence, sure }) => (
                <tr key={part} data-sure={sure}>
                  <th scope="row">{PARTS[part] ?? part}</th>
                  <td>
                    <b>
                      <bdi>{value}</bdi>
                    </b>
                  </td>
                  <td>
                    {sure === 'assumed' ? 'assumed: ' : ''}
                    {inLabels(evidence, choices)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </div>
  );
}

/** The first bars as they will be read. */
function FirstBars({ bars }: { readonly bars: Reading['first'] }): ReactNode {
  const isOfDays = bars.every(({ at }) => isDate(at));
  return (
    <ScrollX>
      <table className="first-bars">
        <caption>The first bars as they will be read</caption>
        <thead>
          <tr>
            {['Symbol', isOfDays ? 'Date' : 'Start, ET', 'Open', 'High', 'Low', 'Close', 'Volume'].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ symbol, at, open, high, low, close, volume }) => (
            <tr key={`${symbol} ${at}`}>
              <th scope="row">{symbol}</th>
              <td>{isDate(at) ? at : `${dateIn(at)} ${wallClock(at)}`}</td>
              {[open, high, low, close].map((price, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have their places
                <td key={column}>{formatPrice(price)}</td>
              ))}
              <td>{volume === null ? 'not stated' : volume.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

const isDate = (at: string): boolean => /^\d{4}-\d\d-\d\d$/.test(at);
const NEW_YORK = { timeZone: 'America/New_York' } as const;
const CLOCK = new Intl.DateTimeFormat('en-GB', { ...NEW_YORK, hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-CA', NEW_YORK);
const wallClock = (at: string): string => CLOCK.format(Date.parse(at));
const dateIn = (at: string): string => DATE.format(Date.parse(at));

/** Those of markets first, then every one. */
const ZONES = [
  ...new Set([
    'America/New_York',
    'UTC',
    'America/Chicago',
    'America/Los_Angeles',
    'Europe/London',
    ...Intl.supportedValuesOf('timeZone'),
  ]),
];
interface ChoiceFormProps {
  readonly fields: readonly ImportChoice[];
  readonly choices: Choices;
  /** Where the file is not read as it is. */
  readonly isOpen: boolean;
  readonly onChoose: (part: Choices) => void;
}

/** What the file leaves open, or says wrong. */
function ChoiceForm({ fields, choices, isOpen, onChoose }: ChoiceFormProps): ReactNode {
  const id = useId();
  return (
    <details className="choices" open={isOpen}>
      <summary>Read it otherwise</summary>
      <div>
        {fields.map(({ name, label, help, form, values, placeholder }) => (
          <label key={name} htmlFor={`${id}-${name}`} data-tip={help}>
            {label}
            {form === 'word' ? (
              <select
                id={`${id}-${name}`}
                value={choices[name] ?? ''}
                onChange={({ target }) => onChoose({ [name]: target.value })}
              >
                <option value="">as it is read</option>
                {values.map((word) => (
                  <option key={word}>{word}</option>
                ))}
              </select>
            ) : (
              <input
                id={`${id}-${name}`}
                type={form === 'date' ? 'date' : 'text'}
                list={form === 'zone' ? `${id}-zones` : undefined}
                defaultValue={choices[name] ?? ''}
                placeholder={form === 'zone' ? 'as it is read; type to search' : (placeholder ?? undefined)}
                onBlur={({ target }) => {
                  if (target.value !== (choices[name] ?? '')) onChoose({ [name]: target.value });
                }}
                onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
              />
            )}
          </label>
        ))}
        <datalist id={`${id}-zones`}>
          {ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
    </details>
  );
}

function Report({ report }: { readonly report: NonNullable<Import['report']> }): ReactNode {
  const { rows_kept, rows_known, facts_kept, daily_bars_summed, symbols, refused } = report;
  const counted = (count: number, word: string): string =>
    `${countOf(count)} ${word}${count === 1 ? '' : 's'}`;
  const parts = [
    `${counted(rows_kept, 'row')} kept${rows_known > 0 ? `, ${countOf(rows_known)} of them known before` : ''}`,
    ...(facts_kept > 0 ? [`${counted(facts_kept, 'fact')} kept`] : []),
    ...(daily_bars_summed > 0 ? [`${counted(daily_bars_summed, 'daily bar')} summed from minutes`] : []),
  ];
  return (
    <>
      <p role="status">{parts.join(', ')}.</p>
      {symbols.length === 0 ? null : (
        <p className="row">
          {symbols.slice(0, 40).map(({ symbol, rows }) => (
            <Link key={symbol} to="/stocks/$symbol" params={{ symbol }} data-tip={counted(rows, 'row')}>
              {symbol}
            </Link>
          ))}
          {symbols.length > 40 ? <small>and {symbols.length - 40} more</small> : null}
        </p>
      )}
      <RefusedList refused={refused} />
    </>
  );
}

/** What was not taken, with the place of the first. */
export function RefusedList({ refused }: { readonly refused: readonly RefusedRows[] }): ReactNode {
  if (refused.length === 0) return null;
  return (
    <ul className="refused-rows" aria-label="Refused">
      {refused.map(({ reason, meaning, rows, where, first }) => (
        <li key={reason}>
          {countOf(rows)} refused: {meaning}.{' '}
          <small>
            First at <bdi>{where}</bdi>: <code>{first}</code>
          </small>
        </li>
      ))}
    </ul>
  );
}
