import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { choicesOfStock } from '../shared/alerts/choices.ts';
import { draftAlert } from '../shared/alerts/draft.ts';
import { markLooked } from '../shared/alerts/use-unread.ts';
import {
  type Alert,
  type AlertFiring,
  type AlertReceiver,
  alertsQuery,
  deleteAlert,
  deleteReceiver,
  firingsQuery,
  keepReceiver,
  pauseAlert,
  receiversQuery,
  testReceiver,
} from '../shared/api/queries.ts';
import { wordsOf } from '../shared/instant.ts';
import { lastSymbol } from '../shared/last-symbol.ts';
import { useSettings } from '../shared/theme/settings.ts';
import { Select } from '../shared/ui/choices.tsx';
import { Num } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Missing, Refused } from '../shared/ui/states.tsx';
import { Table } from '../shared/ui/table.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { ReceiverForm } from './receiver-form.tsx';
import { subscribe } from './subscribe.ts';
import { useChange } from './use-change.ts';
import './alerts.css';

const NO_ALERTS =
  'No alerts yet. On the page of a stock the bell beside its price, a level or a side of the ledger makes one; so does a sentence here.';
const NO_FIRINGS = 'Nothing has fired yet. Rules are judged with each minute while a session runs.';
const NO_RECEIVERS =
  'Alerts are listed here alone. Add this browser, a mailbox or a webhook to be told elsewhere.';

const atWords = (at: string): string => wordsOf(Date.parse(at));

/** What a reader waits for, what fired, and where it goes. */
export function AlertsPage(): ReactNode {
  useTitle('Alerts');
  const alerts = useQuery(alertsQuery);
  const firings = useQuery(firingsQuery);
  const { looked } = useSettings();
  const newest = firings.data?.firings[0]?.at;
  useEffect(() => {
    if (newest !== undefined) markLooked(looked, '', newest);
  }, [newest, looked]);
  return (
    <div className="alerts-page">
      <h1 className="page-head">
        Alerts{' '}
        <button type="button" onClick={() => draftAlert(choicesOfStock(lastSymbol() ?? ''))}>
          New alert
        </button>
      </h1>
      <Panel label="Fired">
        <Answered asked={firings} rows={6}>
          {({ firings: fired }) =>
            fired.length === 0 ? <Missing reason={NO_FIRINGS} /> : <Fired firings={fired} />
          }
        </Answered>
      </Panel>
      <Panel label="Rules">
        <Answered asked={alerts} rows={6}>
          {({ alerts: rules }) =>
            rules.length === 0 ? <Missing reason={NO_ALERTS} /> : <Rules rules={rules} />
          }
        </Answered>
      </Panel>
      <Receivers />
    </div>
  );
}

function Fired({ firings }: { readonly firings: readonly AlertFiring[] }): ReactNode {
  return (
    <Table heads={['stock', 'when', 'price', 'what happened', 'told']}>
      {firings.map(({ id, symbol, at, price, says, sentence, deliveries }) => (
        <tr key={id}>
          <th scope="row">
            <Link to="/stocks/$symbol" params={{ symbol }} search={{ as_of: at }}>
              {symbol}
            </Link>
          </th>
          <td>{atWords(at)}</td>
          <td>
            <Num value={price} shape="price" missing="No trade yet then." />
          </td>
          <td className="words" data-tip={sentence}>
            {says}
          </td>
          <td className="words">
            {(deliveries ?? []).length === 0
              ? 'here'
              : deliveries!.map(({ receiver, channel, state, log }) => (
                  <span
                    key={receiver}
                    data-tip={log.map((one) => `${atWords(one.at)}: ${one.says}`).join('\n')}
                  >
                    {channel}{' '}
                    {state === 'delivered'
                      ? 'delivered'
                      : `${state}: ${log.at(-1)?.says ?? 'not due yet'}`}{' '}
                  </span>
                ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Rules({ rules }: { readonly rules: readonly Alert[] }): ReactNode {
  const pause = useChange(pauseAlert);
  const remove = useChange(deleteAlert);
  const error = pause.error ?? remove.error;
  return (
    <>
      {error === null ? null : <Refused error={error} />}
      <Table heads={['rule', 'state', 'fired', 'last', 'do']}>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <th scope="row" className="words">
              {rule.sentence}
              {rule.notes.length === 0 ? null : (
                <small data-tip={rule.notes.map(({ at, says }) => `${atWords(at)}: ${says}`).join('\n')}>
                  {' '}
                  {rule.notes.at(-1)!.says}
                </small>
              )}
            </th>
            <td>{rule.state}</td>
            <td>{rule.fired}x</td>
            <td>{rule.last_fired_at === null ? '–' : atWords(rule.last_fired_at)}</td>
            <td>
              <button type="button" disabled={pause.isPending} onClick={() => pause.mutate(rule)}>
                {rule.state === 'paused' ? 'Resume' : 'Pause'}
              </button>{' '}
              <button
                type="button"
                aria-label={`Delete: ${rule.sentence}`}
                onClick={() => remove.mutate(rule.id)}
              >
                Delete
              </button>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

const CHANNELS = { push: 'this browser', email: 'e-mail', webhook: 'webhook' } as const;
type Channel = keyof typeof CHANNELS;
const ADDRESSES: Readonly<Record<Channel, string | null>> = {
  push: null,
  email: 'me@example.com',
  webhook: 'https://example.com/alerts',
};

function Receivers(): ReactNode {
  const asked = useQuery(receiversQuery);
  return (
    <Panel label="Where they go">
      <Answered asked={asked} rows={2}>
        {({ receivers, push_key }) => (
          <>
            {receivers.length === 0 ? (
              <Missing reason={NO_RECEIVERS} />
            ) : (
              <ReceiverLines receivers={receivers} />
            )}
            <AddReceiver pushKey={push_key} />
          </>
        )}
      </Answered>
    </Panel>
  );
}

function AddReceiver({ pushKey }: { readonly pushKey: string }): ReactNode {
  const [channel, setChannel] = useState<Channel>('push');
  const [address, setAddress] = useState('');
  const add = useChange(async () =>
    keepReceiver(channel === 'push' ? await subscribe(pushKey) : { channel, address }),
  );
  const made = add.data as AlertReceiver | undefined;
  const example = ADDRESSES[channel];
  return (
    <>
      <form
        className="row alert-receiver"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(undefined);
        }}
      >
        <Select label="How" options={CHANNELS} value={channel} onChange={setChannel} />
        {example === null ? null : (
          <input
            aria-label="Address"
            placeholder={example}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
        <button type="submit" disabled={(example !== null && address === '') || add.isPending}>
          Add
        </button>
      </form>
      {add.error === null ? null : <Refused error={add.error} />}
      {made?.secret == null ? null : (
        <p className="note">
          Key of its signatures, shown this once: <code>{made.secret}</code>
        </p>
      )}
    </>
  );
}

/** An address as its owner knows it: of a browser the push service. */
const addressWords = ({ channel, address }: AlertReceiver): string =>
  channel === 'push' ? `browser (${new URL(address).host})` : `${CHANNELS[channel]} ${address}`;

function ReceiverLines({ receivers }: { readonly receivers: readonly AlertReceiver[] }): ReactNode {
  const test = useChange(testReceiver);
  const remove = useChange(deleteReceiver);
  const [open, setOpen] = useState<string | null>(null);
  const tested = test.data as { readonly says: string } | undefined;
  const error = test.error ?? remove.error;
  return (
    <>
      {error === null ? null : <Refused error={error} />}
      <Table heads={['address', 'state', 'a day', 'do']}>
        {receivers.map((receiver) => {
          const { id, disabled, quiet, per_day } = receiver;
          const address = addressWords(receiver);
          return (
            <Fragment key={id}>
              <tr>
                <th scope="row" className="words">
                  {address}
                </th>
                <td className="words">
                  {disabled ??
                    (quiet === null ? 'on' : `on, quiet ${quiet.from} to ${quiet.to} ${quiet.time_zone}`)}
                  {test.variables === id && tested !== undefined ? ` ${tested.says}` : ''}
                </td>
                <td>{per_day} at most</td>
                <td>
                  <button type="button" disabled={test.isPending} onClick={() => test.mutate(id)}>
                    Test
                  </button>{' '}
                  <button
                    type="button"
                    aria-label={`Hours and budget of ${address}`}
                    aria-expanded={open === id}
                    onClick={() => setOpen(open === id ? null : id)}
                  >
                    Hours
                  </button>{' '}
                  <button type="button" aria-label={`Delete ${address}`} onClick={() => remove.mutate(id)}>
                    Delete
                  </button>
                </td>
              </tr>
              {open === id ? (
                <tr>
                  <td colSpan={4}>
                    <ReceiverForm receiver={receiver} onDone={() => setOpen(null)} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </Table>
    </>
  );
}
