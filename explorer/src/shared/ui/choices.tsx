import type { ReactNode } from 'react';

interface Props<Value extends string> {
  readonly label: string;
  /** Values, each with the words for it. */
  readonly options: readonly Value[] | Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

const entriesOf = <Value extends string>(options: Props<Value>['options']): [Value, string][] =>
  Array.isArray(options)
    ? options.map((value) => [value, value])
    : (Object.entries(options) as [Value, string][]);

/** One of a few values as a list that opens. */
export function Select<Value extends string>({ label, options, value, onChange }: Props<Value>): ReactNode {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {entriesOf(options).map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** One of a few values as buttons side by side. */
export function Segments<Value extends string>({ label, options, value, onChange }: Props<Value>): ReactNode {
  return (
    <div role="radiogroup" aria-label={label} className="segments">
      {entriesOf(options).map(([one, words]) => (
        // biome-ignore lint/a11y/useSemanticElements: segments of one control
        <button
          key={one}
          type="button"
          role="radio"
          aria-checked={one === value}
          onClick={() => onChange(one)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
