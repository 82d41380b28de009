import { useMutation } from '@tanstack/react-query';
import type { Credentials } from '@tigraph/client';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { enterCredentials, forgetCredentials, useGrant } from '../shared/api/client.ts';
import { Refused } from '../shared/ui/states.tsx';

type Scope = Credentials['scopes'][number];

/** What the pages read, and what a token without the scope leaves out. */
const SCOPES: Readonly<Record<Exclude<Scope, 'export:read' | 'internal:call'>, string>> = {
  'stock:read': 'stocks, charts, graph',
  'market:read': 'market and status',
  'options:read': 'options',
  'screener:read': 'screener',
  'chat:read': 'Ask',
  'backtest:run': 'backtest',
  'alerts:write': 'alerts',
  'market-data:realtime': 'data without delay',
};

/** Client, grant and secret, once: the token that they are exchanged for lives in memory and renews itself. */
export function TokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const grant = useGrant();
  useEffect(() => dialog.current!.showModal(), []);
  const enter = useMutation({
    mutationFn: enterCredentials,
    onSuccess: () => dialog.current?.close(),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => `${form.get(name) ?? ''}`.trim();
    enter.mutate({
      client_id: text('client_id'),
      client_secret: text('client_secret'),
      grant_id: text('grant_id'),
      agent_id: 'explorer',
      scopes: form.getAll('scopes') as Scope[],
    });
  };
  return (
    <dialog ref={dialog} className="token-dialog" aria-label="Token" onClose={onClose}>
      <h2>Token</h2>
      {grant === null ? (
        <p className="note">
          Without one you see data that is at least 15 minutes old. The operator makes a client and a grant
          with <code>npm run tigraph -- client create</code> and <code>grant create</code>.
        </p>
      ) : (
        <p>
          Grant <code>{grant}</code> is in use.{' '}
          <button
            type="button"
            onClick={() => {
              forgetCredentials();
              dialog.current?.close();
            }}
          >
            Forget it
          </button>
        </p>
      )}
      <form onSubmit={submit}>
        <label>
          Client
          <input name="client_id" required autoComplete="off" spellCheck={false} />
        </label>
        <label>
          Grant
          <input name="grant_id" required autoComplete="off" spellCheck={false} />
        </label>
        <label>
          Secret
          <input name="client_secret" type="password" required autoComplete="off" />
        </label>
        <fieldset>
          <legend>For</legend>
          {Object.entries(SCOPES).map(([scope, what]) => (
            <label key={scope}>
              <input type="checkbox" name="scopes" value={scope} defaultChecked />
              {what} <small>{scope}</small>
            </label>
          ))}
        </fieldset>
        {enter.error === null ? null : <Refused error={enter.error} />}
        <div className="buttons">
          <button type="submit" className="primary" disabled={enter.isPending}>
            {enter.isPending ? 'Asking …' : 'Use it'}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}
