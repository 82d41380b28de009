import type { FormEvent, ReactNode } from 'react';
import type { Watchlist } from '../shared/api/queries.ts';
import type { Watchlists } from './use-watchlists.ts';
import { readSymbols, symbolsText } from './watchlists.ts';

interface Props {
  /** Undefined for a new one. */
  readonly list: Watchlist | undefined;
  readonly symbol: string;
  readonly watchlists: Watchlists;
  readonly onClose: () => void;
}

/** A list as text, which is taken back; a new one with its name. */
export function ListForm({ list, symbol, watchlists: { lists, save, remove }, onClose }: Props): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = list?.name ?? `${form.get('name')}`.trim();
    save.mutate({ name, symbols: readSymbols(`${form.get('symbols') ?? ''}`) }, { onSuccess: onClose });
  };
  const isOwn = list === undefined || list.screen === null;
  return (
    <form className="list-form" aria-label={list?.name ?? 'New list'} onSubmit={submit}>
      {list === undefined ? (
        <input
          name="name"
          aria-label="Name of the list"
          placeholder="name"
          required
          maxLength={60}
          onInput={({ currentTarget: field }) => {
            const isTaken = lists.some(({ name }) => name === field.value.trim());
            field.setCustomValidity(isTaken ? 'There is a list of this name.' : '');
          }}
        />
      ) : null}
      {isOwn ? (
        <textarea
          name="symbols"
          aria-label="Symbols by comma or line"
          rows={10}
          spellCheck={false}
          defaultValue={symbolsText(list?.symbols ?? [symbol])}
        />
      ) : (
        <p className="note">This list fills itself by its screen.</p>
      )}
      <p className="row">
        {isOwn ? <button type="submit">Save</button> : null}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        {list === undefined ? null : (
          <button type="button" onClick={() => remove.mutate(list.name, { onSuccess: onClose })}>
            Delete
          </button>
        )}
      </p>
    </form>
  );
}
