import { type ReactNode, useState } from 'react';
import type { ScreenField } from '../shared/api/queries.ts';
import { Select } from '../shared/ui/choices.tsx';
import { FieldInput } from './field-input.tsx';
import { type Filter, FilterFault, writeFilter } from '../shared/screening/filter.ts';
import { readFilter } from '../shared/screening/filter-text.ts';

/** A screen built by hand: groups of conditions, each a field, an operator and a value. */

interface Props {
  readonly filter: Filter | null;
  readonly fields: readonly ScreenField[];
  readonly onChange: (filter: Filter | null) => void;
}

const OF_NUMBERS = ['<', '<=', '=', '!=', '>=', '>'];
const NEW: Filter = { field: 'technical.rsi_14', op: '<', value: 35 };

export function ConditionTree({ filter, fields, onChange }: Props): ReactNode {
  return (
    <div className="condition-tree">
      {filter === null ? (
        <button type="button" onClick={() => onChange(NEW)}>
          + condition
        </button>
      ) : (
        <Part filter={filter} fields={fields} onChange={onChange} onRemove={() => onChange(null)} />
      )}
    </div>
  );
}

interface PartProps extends Props {
  readonly filter: Filter;
  readonly onRemove: () => void;
}

function Part({ filter, fields, onChange, onRemove }: PartProps): ReactNode {
  if ('all' in filter || 'any' in filter) {
    const isAll = 'all' in filter;
    const parts = isAll ? filter.all : filter.any;
    const group = (next: readonly Filter[]): Filter => (isAll ? { all: next } : { any: next });
    return (
      <div className="group">
        <p>
          <Select
            label="Group"
            options={{ all: 'all of', any: 'any of' }}
            value={isAll ? 'all' : 'any'}
            onChange={(kind) => onChange(kind === 'all' ? { all: parts } : { any: parts })}
          />
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
          onChange={(next) => onChange({ not: next as Filter })}
          onRemove={onRemove}
        />
      </div>
    );
  }
  return <Condition filter={filter} fields={fields} onChange={onChange} onRemove={onRemove} />;
}

type One = Extract<Filter, { field: string }>;

const valueText = ({ value, other }: One): string =>
  other ?? (Array.isArray(value) ? value.join(', ') : `${value ?? ''}`);

/** A condition with the value as it was typed: read as in a text, or kept as it is while it is none. */
function withValue({ field, op }: One, typed: string, fields: readonly ScreenField[]): One {
  const parts = typed.split(',').map((part) => part.trim());
  const value =
    op === 'between' ? parts.slice(0, 2).join(' and ') : /in$/.test(op) ? `(${parts.join(', ')})` : typed;
  try {
    const read = readFilter(`${field} ${op.replace('_', ' ')} ${value}`, fields);
    if (read !== null && 'field' in read) return { ...read, field, op };
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error;
  }
  return { field, op, value: /in$|between/.test(op) ? parts : typed };
}

/** What is wrong with one condition; null for nothing. */
function faultOf(filter: One, fields: readonly ScreenField[]): FilterFault | null {
  if (fields.length === 0) return null;
  try {
    readFilter(writeFilter(filter), fields);
    return null;
  } catch (error) {
    if (error instanceof FilterFault) return error;
    throw error;
  }
}

function Condition({ filter, fields, onChange, onRemove }: PartProps & { readonly filter: One }): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const known = fields.find(({ path }) => path === filter.field);
  const operators = known?.operators ?? (filter.field.startsWith('computed.') ? OF_NUMBERS : [filter.op]);
  const isNull = filter.op === 'is_null' || filter.op === 'not_null';
  const fault = faultOf(filter, fields);
  return (
    <div className="condition">
      <FieldInput
        label="Field"
        value={filter.field}
        fields={fields}
        tip={known === undefined ? filter.field : `${known.description}\n${known.unit ?? known.type}`}
        isFaulty={fault?.at === 0}
        onChange={(field) => {
          const chosen = fields.find(({ path }) => path === field);
          // A word has no order: what it is to be is chosen anew.
          if (chosen?.operators.includes(filter.op) === false) onChange({ field, op: '=', value: '' });
          else onChange({ ...filter, field });
        }}
      />
      <Select
        label="Operator"
        options={Object.fromEntries(operators.map((op) => [op, op.replace('_', ' ')]))}
        value={filter.op}
        onChange={(op) => {
          const next = { field: filter.field, op };
          onChange(/null$/.test(op) ? next : withValue(next, valueText(filter), fields));
        }}
      />
      {isNull ? null : (
        <input
          aria-label="Value"
          size={Math.max((typed ?? valueText(filter)).length, 6)}
          value={typed ?? valueText(filter)}
          aria-invalid={fault !== null && fault.at > 0}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(withValue(filter, target.value, fields));
          }}
          onBlur={() => setTyped(null)}
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
      {fault === null ? null : (
        <span className="down" role="alert">
          {fault.message}.{' '}
          {fault.instead.map((instead) => (
            <button
              key={instead}
              type="button"
              className="chip"
              onClick={() =>
                onChange(fault.at === 0 ? { ...filter, field: instead } : withValue(filter, instead, fields))
              }
            >
              {instead}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}
