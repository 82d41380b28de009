import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { client } from '../shared/api/client.ts';
import { demoQuery, type Import, importsQuery } from '../shared/api/queries.ts';
import { DemoOffer } from '../shared/demo-offer.tsx';
import { formatAmount } from '../shared/ui/number.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { Answered, Refused } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { ImportCard } from './import-card.tsx';
import { Loaded } from './loaded.tsx';
import { sendFile } from './upload.ts';
import './data.css';

/** A file on its way to the service. */
interface Sending {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly sent: number;
  readonly id: string | null;
  readonly error: Error | null;
  readonly leaving: AbortController;
}

/** Files that a person brings, and what is loaded. */
export function DataPage(): ReactNode {
  const asked = useQuery(importsQuery);
  // What is below the offer would jump when it comes.
  const isDemoKnown = !useQuery(demoQuery).isPending;
  const queries = useQueryClient();
  /** Files that this page has sent. */
  const [brought, setBrought] = useState<ReadonlySet<string>>(new Set());
  const { sending, send, drop } = useSending((held) => {
    setBrought((before) => new Set([...before, held.id]));
    queries.setQueryData(importsQuery.queryKey, (before) => ({
      imports: [held, ...(before?.imports ?? []).filter(({ id }) => id !== held.id)],
    }));
  });
  useTitle('Data');
  const onWay = new Set(sending.map(({ id }) => id));
  return (
    <div className="data-page">
      <h1 className="page-head">Data</h1>
      <Answered asked={asked} rows={6}>
        {({ imports }) => (
          <>
            <DropZone onFiles={(files) => files.forEach(send)} />
            {isDemoKnown ? (
              <>
                <DemoOffer />
                {sending.map((one) => (
                  <SendingCard key={one.key} sending={one} onDrop={() => drop(one)} />
                ))}
                {imports
                  .filter(({ id, state, rows_read, readings }) => {
                    const isGivenUp = state === 'cancelled' && rows_read === 0;
                    // What could not be read is said once, to the page that brought it.
                    const isRefused = state === 'read' && readings.every(({ refused }) => refused !== null);
                    if (isRefused && !brought.has(id)) return false;
                    return !onWay.has(id) && !isGivenUp && state !== 'uploading';
                  })
                  .map((one) => (
                    <ImportCard key={one.id} held={one} />
                  ))}
                <Loaded />
              </>
            ) : null}
          </>
        )}
      </Answered>
    </div>
  );
}

/** Files that are sent, each until it is there. */
function useSending(onHeld: (held: Import) => void) {
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const change = (key: string, part: Partial<Sending>): void =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const remove = (key: string): void => setSending((all) => all.filter((one) => one.key !== key));
  return {
    sending,
    send(file: File): void {
      const key = crypto.randomUUID();
      const leaving = new AbortController();
      const begun = { key, name: file.name, bytes: file.size, sent: 0, id: null, error: null, leaving };
      setSending((all) => [begun, ...all]);
      sendFile(file, ({ id, received }) => change(key, { id, sent: received }), leaving.signal).then(
        (held) => {
          onHeld(held);
          remove(key);
        },
        (error: Error) => (leaving.signal.aborted ? remove(key) : change(key, { error })),
      );
    },
    /** Gives a file up. */
    drop({ key, id, leaving }: Sending): void {
      leaving.abort();
      remove(key);
      if (id !== null) void client.DELETE('/api/internal/imports/{id}', { params: { path: { id } } });
    },
  };
}

function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keys
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <p>
        Drop a file of a broker, a chart or a library here, or{' '}
        <button type="button" onClick={() => input.current!.click()}>
          choose files
        </button>
      </p>
      <p className="way">
        Bars, option chains, news and company figures; tables, JSON, gzip and zip. You see how it is read
        before anything is written.
      </p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </div>
  );
}

interface SendingCardProps {
  readonly sending: Sending;
  readonly onDrop: () => void;
}

function SendingCard({ sending, onDrop }: SendingCardProps): ReactNode {
  const { name, bytes, sent, error } = sending;
  return (
    <Panel
      label={name}
      className="import-card"
      title={<bdi>{name}</bdi>}
      small={`${formatAmount(bytes)} bytes`}
    >
      {error === null ? (
        <p className="row import-progress">
          <progress max={Math.max(bytes, 1)} value={sent} aria-label={`Sending ${name}`} />
          <span>
            {formatAmount(sent)} of {formatAmount(bytes)} bytes sent
          </span>
        </p>
      ) : (
        <Refused error={error} />
      )}
      <button type="button" onClick={onDrop}>
        {error === null ? 'Cancel' : 'Close'}
      </button>
    </Panel>
  );
}
