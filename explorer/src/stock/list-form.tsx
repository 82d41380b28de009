import { type FormEvent, type ReactNode, useId } from 'react';
import type { Watchlist } from '../shared/api/queries.ts';
import { Refused } from '../shared/ui/states.tsx';
import type { Watchlists } from './use-watchlists.ts';
import { readSymbols, symbolsText } from './watchlists.ts';

interface Props {
  /** Undefined for a new one. */
  readonly list: Watchlist | undefined;
  readonly symbol: string;
  readonly watchlists: Watchlists;
  readonly onClose: () => void;
}

/** A list as text, which is taken back; a new one under its name. */
export function ListForm({ list, symbol, watchlists: { lists, save, remove }, onClose }: Props): ReactNode {
  const hint = useId();
  const error = save.error ?? remove.error;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string): string => `${new FormData(form).get(name) ?? ''}`;
    const name = list?.name ?? text('name').trim();
    const field = form.elements.namedItem('name');
    if (field instanceof HTMLInputElement && lists.some((one) => one.name === name)) {
      field.setCustomValidity('There is a list of this name.');
      field.reportValidity();
      return;
    }
    save.mutate({ name, symbols: readSymbols(text('symbols')) }, { onSuccess: onClose });
  };
  return (
    <form className="list-form" aria-label={list?.name ?? 'New list'} onSubmit={submit}>
      {list === undefined ? (
        <input
          name="name"
          aria-label="Name of the list"
          placeholder="name"
          required
          maxLength={60}
          // biome-ignore lint/a11y/noAutofocus: the form opens because its reader asked for it
          autoFocus
          onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
        />
      ) : null}
      {list === undefined || list.screen === null ? (
        <>
          <textarea
            name="symbols"
            aria-label="Symbols"
            aria-describedby={hint}
            rows={10}
            spellCheck={false}
            defaultValue={symbolsText(list?.symbols ?? [symbol])}
          />
          <p id={hint} className="note">
            Symbols by comma or line.
          </p>
        </>
      ) : (
        <p className="note">This list fills itself by its screen.</p>
      )}
      <p className="row">
        {list === undefined || list.screen === null ? (
          <button type="submit" disabled={save.isPending}>
            Save
          </button>
        ) : null}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        {list === undefined ? null : (
          <button
            type="button"
            disabled={remove.isPending}
            onClick={() => remove.mutate(list.name, { onSuccess: onClose })}
          >
            Delete
          </button>
        )}
      </p>
      {error === null ? null : <Refused error={error} />}
    </form>
  );
}
