import { type ReactNode, useId, useState } from 'react';
import type { ScreenField } from '../shared/api/queries.ts';

interface Props {
  readonly columns: readonly string[];
  readonly fields: readonly ScreenField[];
  /** Names of computed expressions, which are columns too. */
  readonly computed: readonly string[];
  /** Undefined for the columns that a screen has by default. */
  readonly onChange: (columns: readonly string[] | undefined) => void;
}

/** The columns of a screen, and fields to add, found by words of their path or description. */
export function ColumnChoice({ columns, fields, computed, onChange }: Props): ReactNode {
  const list = useId();
  const [text, setText] = useState('');
  const known = (path: string): boolean =>
    computed.includes(path) || fields.some((field) => field.path === path);
  const add = (path: string): void => {
    const isNew = known(path) && !columns.includes(path);
    setText(isNew ? '' : path);
    if (isNew) onChange([...columns, path]);
  };
  return (
    <details className="column-choice">
      <summary>{columns.length} columns</summary>
      {columns.map((path) => (
        <button
          key={path}
          type="button"
          className="chip"
          aria-label={`Remove ${path}`}
          data-tip={fields.find((field) => field.path === path)?.description ?? path}
          onClick={() => onChange(columns.filter((one) => one !== path))}
        >
          {path} ✕
        </button>
      ))}
      <input
        aria-label="Add a column"
        placeholder="add a column"
        list={list}
        value={text}
        onChange={({ target }) => add(target.value)}
      />
      <datalist id={list}>
        {computed.map((name) => (
          <option key={name} value={name} />
        ))}
        {fields.map(({ path, description }) => (
          <option key={path} value={path}>
            {description}
          </option>
        ))}
      </datalist>
      <button type="button" onClick={() => onChange(undefined)}>
        default columns
      </button>
    </details>
  );
}
