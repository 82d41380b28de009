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
import { Answered, type Asked, Missing, Refused } from '../shared/ui/states.tsx';
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

type Notes = Alert['notes'];

const notesTip = (notes: Notes): string => notes.map(({ at, says }) => `${atWords(at)}: ${says}`).join('\n');

/** What a reader waits for, what fired, and where it goes. */
export function AlertsPage(): ReactNode {
  useTitle('Alerts');
  const alerts = useQuery(alertsQuery);
  const firings = useQuery(firingsQuery);
  const receivers = useQuery(receiversQuery);
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
      <Answered asked={together(alerts, firings, receivers)} rows={12}>
        {([{ alerts: rules }, { firings: fired }, where]) => (
          <>
            <Panel label="Fired">
              {fired.length === 0 ? <Missing reason={NO_FIRINGS} /> : <Fired firings={fired} />}
            </Panel>
            <Panel label="Rules">
              {rules.length === 0 ? <Missing reason={NO_ALERTS} /> : <Rules rules={rules} />}
            </Panel>
            <Panel label="Where they go">
              {where.receivers.length === 0 ? (
                <Missing reason={NO_RECEIVERS} />
              ) : (
                <Receivers receivers={where.receivers} />
              )}
              <AddReceiver pushKey={where.push_key} />
            </Panel>
          </>
        )}
      </Answered>
    </div>
  );
}

/** Answers that are shown once all of them are here, so that none pushes another away. */
function together<One, Two, Three>(
  one: Asked<One>,
  two: Asked<Two>,
  three: Asked<Three>,
): Asked<readonly [One, Two, Three]> {
  const all = [one, two, three];
  const isWhole = all.every(({ data }) => data !== undefined);
  return {
    data: isWhole ? [one.data!, two.data!, three.data!] : undefined,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(all.map(({ refetch }) => refetch())),
  };
}

interface LineProps {
  readonly note: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Something of a list: what it is, how it stands, and what can be done with it. */
const Line = ({ note, actions, children }: LineProps): ReactNode => (
  <li>
    <span>{children}</span>
    <small>{note}</small>
    <span className="row">{actions}</span>
  </li>
);

function Fired({ firings }: { readonly firings: readonly AlertFiring[] }): ReactNode {
  return (
    <ul className="alert-lines">
      {firings.map(({ id, symbol, at, price, says, sentence, deliveries }) => (
        <Line
          key={id}
          note={
            <>
              {atWords(at)} · <Num value={price} shape="price" missing="No trade yet then." />
              {(deliveries ?? []).map(({ receiver, channel, state, log }) => (
                <span key={receiver} data-tip={notesTip(log)}>
                  {' · '}
                  {channel}{' '}
                  {state === 'delivered' ? 'delivered' : `${state}: ${log.at(-1)?.says ?? 'not due yet'}`}
                </span>
              ))}
            </>
          }
        >
          <Link to="/stocks/$symbol" params={{ symbol }} search={{ as_of: at }}>
            {symbol}
          </Link>{' '}
          <span data-tip={sentence}>{says}</span>
        </Line>
      ))}
    </ul>
  );
}

function Rules({ rules }: { readonly rules: readonly Alert[] }): ReactNode {
  const pause = useChange(pauseAlert);
  const remove = useChange(deleteAlert);
  const error = pause.error ?? remove.error;
  return (
    <>
      {error === null ? null : <Refused error={error} />}
      <ul className="alert-lines">
        {rules.map((rule) => (
          <Line
            key={rule.id}
            note={
              <>
                {rule.state}
                {rule.last_fired_at === null
                  ? ', has not fired'
                  : `, fired ${rule.fired}x, last ${atWords(rule.last_fired_at)}`}
                {rule.notes.length === 0 ? null : (
                  <span data-tip={notesTip(rule.notes)}> · {rule.notes.at(-1)!.says}</span>
                )}
              </>
            }
            actions={
              <>
                <button
                  type="button"
                  aria-label={`${rule.state === 'paused' ? 'Resume' : 'Pause'}: ${rule.sentence}`}
                  disabled={pause.isPending}
                  onClick={() => pause.mutate(rule)}
                >
                  {rule.state === 'paused' ? 'Resume' : 'Pause'}
                </button>
                <button
                  type="button"
                  aria-label={`Delete: ${rule.sentence}`}
                  onClick={() => remove.mutate(rule.id)}
                >
                  Delete
                </button>
              </>
            }
          >
            {rule.sentence}
          </Line>
        ))}
      </ul>
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

function Receivers({ receivers }: { readonly receivers: readonly AlertReceiver[] }): ReactNode {
  const test = useChange(testReceiver);
  const remove = useChange(deleteReceiver);
  const [open, setOpen] = useState<string | null>(null);
  const tested = test.data as { readonly says: string } | undefined;
  const error = test.error ?? remove.error;
  return (
    <>
      {error === null ? null : <Refused error={error} />}
      <ul className="alert-lines">
        {receivers.map((receiver) => {
          const { id, disabled, quiet, per_day } = receiver;
          const address = addressWords(receiver);
          const hours = quiet === null ? '' : `, quiet ${quiet.from} to ${quiet.to} ${quiet.time_zone}`;
          return (
            <Fragment key={id}>
              <Line
                note={
                  <>
                    {disabled ?? `on${hours}, at most ${per_day} a day`}
                    {test.variables === id && tested !== undefined ? ` · ${tested.says}` : ''}
                  </>
                }
                actions={
                  <>
                    <button
                      type="button"
                      aria-label={`Test ${address}`}
                      disabled={test.isPending}
                      onClick={() => test.mutate(id)}
                    >
                      Test
                    </button>
                    <button
                      type="button"
                      aria-label={`Hours and budget of ${address}`}
                      aria-expanded={open === id}
                      onClick={() => setOpen(open === id ? null : id)}
                    >
                      Hours
                    </button>
                    <button type="button" aria-label={`Delete ${address}`} onClick={() => remove.mutate(id)}>
                      Delete
                    </button>
                  </>
                }
              >
                {address}
              </Line>
              {open === id ? (
                <li>
                  <ReceiverForm receiver={receiver} onDone={() => setOpen(null)} />
                </li>
              ) : null}
            </Fragment>
          );
        })}
      </ul>
    </>
  );
}
