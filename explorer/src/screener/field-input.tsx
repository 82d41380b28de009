import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { ScreenField } from '../shared/api/queries.ts';
import { pathsOf, searchFields } from '../shared/screening/field-words.ts';

const SHOWN = 8;

interface Props {
  readonly label: string;
  readonly value: string;
  readonly fields: readonly ScreenField[];
  readonly placeholder?: string;
  readonly tip?: string;
  readonly isFaulty?: boolean;
  /** A path, or while none is meant the words as they are. */
  readonly onChange: (path: string) => void;
}

/** A field by its path, by the words of the trade, or by what it means: the list has the nearest. */
export function FieldInput({ label, value, fields, placeholder, tip, isFaulty, onChange }: Props): ReactNode {
  const list = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const found = draft === null ? [] : searchFields(draft, fields, SHOWN);
  const choose = (path: string): void => {
    setDraft(null);
    onChange(path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt(Math.min(Math.max(at + step, 0), found.length - 1));
    else if (event.key === 'Enter' && found[at] !== undefined) choose(found[at].path);
    else if (event.key === 'Escape') setDraft(null);
    else return;
    event.preventDefault();
  };
  const isOpen = found.length > 0;
  return (
    <span className="field-input">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen ? `${list}-${at}` : undefined}
        aria-invalid={isFaulty}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        data-tip={tip}
        value={draft ?? value}
        onChange={({ target }) => {
          setDraft(target.value);
          setAt(0);
          const paths = pathsOf(target.value, fields);
          if (paths.length === 1) onChange(paths[0]!);
        }}
        onBlur={() => {
          if (draft !== null && draft !== '' && pathsOf(draft, fields).length !== 1) onChange(draft);
          setDraft(null);
        }}
        onKeyDown={onKeyDown}
      />
      {isOpen ? (
        <div className="found" id={list} role="listbox" aria-label="Fields">
          {found.map(({ path, description, unit }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            <div
              key={path}
              id={`${list}-${index}`}
              className="found-field"
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // Before the input loses its focus, and with it the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(path)}
            >
              <b>{path}</b> <small>{unit ?? ''}</small>
              <span>{description}</span>
            </div>
          ))}
        </div>
      ) : null}
    </span>
  );
}
