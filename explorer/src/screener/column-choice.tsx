import type { ReactNode } from 'react';
import type { ScreenField } from '../shared/api/queries.ts';
import { Popover } from '../shared/ui/popover.tsx';
import { FieldInput } from './field-input.tsx';

interface Props {
  readonly columns: readonly string[];
  readonly fields: readonly ScreenField[];
  /** Undefined for the columns that a screen has by default. */
  readonly onChange: (columns: readonly string[] | undefined) => void;
}

/** The columns of a screen, and fields to add, found by what they mean. */
export function ColumnChoice({ columns, fields, onChange }: Props): ReactNode {
  return (
    <Popover className="menu" summary={`${columns.length} columns`}>
      <div className="menu-body">
        <p>
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
        </p>
        <FieldInput
          key={columns.join()}
          label="Add a column"
          placeholder="add a column"
          value=""
          fields={fields}
          onChange={(path) => {
            if (fields.some((field) => field.path === path) && !columns.includes(path))
              onChange([...columns, path]);
          }}
        />
        <button type="button" onClick={() => onChange(undefined)}>
          default columns
        </button>
      </div>
    </Popover>
  );
}
