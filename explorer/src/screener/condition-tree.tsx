import { type ReactNode, useId } from 'react';
import type { ScreenField } from '../shared/api/queries.ts';
import type { Filter, Value } from './filter-text.ts';

/** A screen built by hand: groups of conditions, each a field, an operator and a value. */

interface Props {
  readonly filter: Filter | null;
  readonly fields: readonly ScreenField[];
  readonly onChange: (filter: Filter | null) => void;
}

const NEW: Filter = { field: 'technical.rsi_14', op: '<', value: 35 };

export function ConditionTree({ filter, fields, onChange }: Props): ReactNode {
  const list = useId();
  return (
    <div className="condition-tree">
      <datalist id={list}>
        {fields.map(({ path, description }) => (
          <option key={path} value={path}>
            {description}
          </option>
        ))}
      </datalist>
      {filter === null ? (
        <button type="button" onClick={() => onChange(NEW)}>
          + condition
        </button>
      ) : (
        <Part
          filter={filter}
          fields={fields}
          list={list}
          onChange={onChange}
          onRemove={() => onChange(null)}
        />
      )}
    </div>
  );
}

interface PartProps extends Props {
  readonly filter: Filter;
  readonly list: string;
  readonly onRemove: () => void;
}

function Part({ filter, fields, list, onChange, onRemove }: PartProps): ReactNode {
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter;
    const parts = isAll ? filter.all : filter.any;
    const group = (next: readonly Filter[]): Filter => (isAll ? { all: next } : { any: next });
    return (
      <div className="group">
        <p>
          <select
            aria-label="Group"
            value={isAll ? 'all' : 'any'}
            onChange={({ target }) => onChange(target.value === 'all' ? { all: parts } : { any: parts })}
          >
            <option value="all">all of</option>
            <option value="any">any of</option>
          </select>
          <button type="button" onClick={() => onChange(group([...parts, NEW]))}>
            + condition
          </button>
          <button type="button" onClick={() => onChange(group([...parts, { any: [NEW, NEW] }]))}>
            + group
          </button>
          <button type="button" className="icon" aria-label="Remove group" onClick={onRemove}>
            ✕
          </button>
        </p>
        {parts.map((part, at) => (
          <Part
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity of a condition
            key={at}
            filter={part}
            fields={fields}
            list={list}
            onChange={(next) =>
              onChange(group(parts.map((one, place) => (place === at ? (next as Filter) : one))))
            }
            onRemove={() => {
              const left = parts.filter((_, place) => place !== at);
              if (left.length === 0) onRemove();
              else onChange(left.length === 1 ? left[0]! : group(left));
            }}
          />
        ))}
      </div>
    );
  }
  if ('not' in filter) {
    return (
      <div className="group">
        <p>
          not{' '}
          <button type="button" onClick={() => onChange(filter.not)}>
            undo
          </button>
        </p>
        <Part
          filter={filter.not}
          fields={fields}
          list={list}
          onChange={(next) => onChange({ not: next as Filter })}
          onRemove={onRemove}
        />
      </div>
    );
  }
  return <Condition filter={filter} fields={fields} list={list} onChange={onChange} onRemove={onRemove} />;
}

type One = Extract<Filter, { field: string }>;

const valueText = ({ value, other }: One): string =>
  other === undefined ? (Array.isArray(value) ? value.join(', ') : `${value ?? ''}`) : `{${other}}`;

function readValue(text: string, op: string, isText: boolean): Partial<One> {
  const braced = /^\{(.+)\}$/.exec(text.trim());
  if (braced !== null) return { other: braced[1]! };
  const one = (word: string): Value => {
    const trimmed = word.trim();
    if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
    return isText || trimmed === '' || Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
  };
  return { value: /^(?:in|not_in|between)$/.test(op) ? text.split(',').map(one) : one(text) };
}

function Condition({
  filter,
  fields,
  list,
  onChange,
  onRemove,
}: PartProps & { readonly filter: One }): ReactNode {
  const known = fields.find(({ path }) => path === filter.field);
  const operators = known?.operators ?? [filter.op];
  const isNull = filter.op === 'is_null' || filter.op === 'not_null';
  const isText = known?.type === 'text' || known?.type === 'date' || known?.type === 'instant';
  return (
    <p className="condition">
      <input
        aria-label="Field"
        list={list}
        value={filter.field}
        data-tip={
          known === undefined
            ? 'No field has this name.'
            : `${known.description}\n${known.unit ?? known.type}`
        }
        aria-invalid={known === undefined}
        onChange={({ target }) => onChange({ ...filter, field: target.value })}
      />
      <select
        aria-label="Operator"
        value={filter.op}
        onChange={({ target }) =>
          onChange({
            field: filter.field,
            op: target.value,
            ...readValue(valueText(filter), target.value, isText),
          })
        }
      >
        {operators.map((op) => (
          <option key={op} value={op}>
            {op.replace('_', ' ')}
          </option>
        ))}
      </select>
      {isNull ? null : (
        <input
          aria-label="Value"
          value={valueText(filter)}
          onChange={({ target }) =>
            onChange({ field: filter.field, op: filter.op, ...readValue(target.value, filter.op, isText) })
          }
        />
      )}
      <button
        type="button"
        className="icon"
        aria-label="With another condition"
        onClick={() => onChange({ all: [filter, NEW] })}
      >
        +
      </button>
      <button type="button" className="icon" aria-label="Remove condition" onClick={onRemove}>
        ✕
      </button>
    </p>
  );
}
