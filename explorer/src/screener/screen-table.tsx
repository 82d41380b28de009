import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { ScreenField } from '../shared/api/queries.ts';
import { ABSENT } from '../shared/sentences.ts';
import { SessionLine } from '../shared/session-line.tsx';
import { type Session, useCloses } from './closes.ts';
import { DayRange } from './day-range.tsx';
import { shownOf, titleOf } from './shown-value.ts';

export type Row = Readonly<Record<string, string | number | boolean | null>>;

const ROW_PX = 28;
const ROWS_AHEAD = 200;
const features = tableFeatures({ columnSizingFeature, columnResizingFeature });

interface Props {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly columns: readonly string[];
  readonly fields: ReadonlyMap<string, ScreenField>;
  readonly sort: { readonly field: string; readonly order: 'asc' | 'desc' };
  readonly selected: string | undefined;
  /** Of which the pictures of the rows are; null for none. */
  readonly session: Session | null;
  readonly onSort: (path: string) => void;
  readonly onSelect: (symbol: string) => void;
  readonly onEnd: () => void;
}

/** Ten thousand rows of which those in view are drawn. Arrows move the choice; an edge of a heading widens its column. */
export function ScreenTable({
  rows,
  total,
  columns,
  fields,
  sort,
  selected,
  session,
  onSort,
  onSelect,
  onEnd,
}: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const hasPictures = session !== null;
  const table = useTable({
    features,
    data: rows,
    columns: useMemo(
      () =>
        ['symbol', ...(hasPictures ? PICTURES : []), ...columns].map((path) => ({
          id: path,
          accessorFn: (row: Row) => row[path] ?? null,
          size: sizeOf(path, fields),
          minSize: 56,
        })),
      [columns, fields, hasPictures],
    ),
    getRowId: ({ symbol }: Row) => `${symbol}`,
    columnResizeMode: 'onChange',
  });
  const drawn = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: drawn.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const symbols = useMemo(() => rows.map(({ symbol }) => `${symbol}`), [rows]);
  const closesOf = useCloses(symbols, items[0]?.index ?? 0, last, session);
  useEffect(() => {
    if (rows.length < total && last > rows.length - ROWS_AHEAD) onEnd();
  }, [last, rows.length, total, onEnd]);
  const headers = table.getHeaderGroups()[0]!.headers;
  const template = {
    gridTemplateColumns: headers
      .map((header) => `minmax(${header.getSize()}px, ${header.getSize()}fr)`)
      .join(' '),
  };
  const move = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ symbol }) => symbol === selected);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSelect(`${next.symbol}`);
    virtual.scrollToIndex(rows.indexOf(next));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move through the table within
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keys
    <div ref={box} className="screen-table" tabIndex={0} onKeyDown={move}>
      <table aria-label="Stocks that pass" aria-rowcount={total + 1}>
        <thead>
          <tr className="screen-head" style={template}>
            {headers.map((header) => {
              const path = header.id;
              if (isPicture(path)) return <th key={path}>{path}</th>;
              const field = fields.get(path);
              const isSorted = sort.field === path;
              return (
                <th
                  key={path}
                  aria-sort={isSorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : 'none'}
                  className={isText(field) ? 'text' : undefined}
                >
                  <button
                    type="button"
                    data-tip={
                      field === undefined
                        ? path
                        : `${field.description}\n${field.unit ?? field.type}\n${path}`
                    }
                    onClick={() => onSort(path)}
                  >
                    {titleOf(path)} <small>{markOf(path, field)}</small>
                    {isSorted ? (sort.order === 'asc' ? ' ▴' : ' ▾') : ''}
                  </button>
                  {/* biome-ignore lint/a11y/noStaticElementInteractions: widths are for the pointer; no content depends on them */}
                  <span
                    className="resizer"
                    onMouseDown={header.getResizeHandler()}
                    onTouchStart={header.getResizeHandler()}
                    onDoubleClick={() => header.column.resetSize()}
                  />
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody className="screen-rows" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = drawn[index]!;
            return (
              <tr
                key={row.id}
                className="screen-row"
                aria-rowindex={index + 2}
                aria-current={row.id === selected || undefined}
                style={{ ...template, transform: `translateY(${start}px)` }}
                onClick={() => onSelect(row.id)}
              >
                {row.getAllCells().map(({ column }) =>
                  column.id === 'symbol' ? (
                    <th key="symbol" scope="row">
                      {row.id}
                    </th>
                  ) : column.id === 'session' ? (
                    <td key="session">
                      <SessionLine closes={closesOf(row.id)} row={row.original} />
                    </td>
                  ) : column.id === 'day' ? (
                    <DayRange key="day" row={row.original} />
                  ) : (
                    <Cell
                      key={column.id}
                      path={column.id}
                      value={row.original[column.id] ?? null}
                      field={fields.get(column.id)}
                    />
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The columns of pictures, which are no fields. */
const PICTURES = ['session', 'day'];
const PICTURE_PX = 80;
const isPicture = (path: string): boolean => PICTURES.includes(path);

const isText = (field: ScreenField | undefined): boolean => field?.type === 'text';

const MARKS: Readonly<Record<string, string>> = { USD: '$', percent: '%', points: '', ratio: '' };

/** The unit as a heading shows it. */
const markOf = (path: string, field: ScreenField | undefined): string => {
  const unit = field?.unit ?? (/_pct$/.test(path) ? 'percent' : /_atr$/.test(path) ? 'ATR' : '');
  return MARKS[unit] ?? unit;
};

const LETTER_PX = 7.5;
const NUMBER_PX = 84;

/** Wide enough for the longest word of its heading, which breaks between words. */
const widthOf = (path: string): number =>
  Math.max(
    NUMBER_PX,
    ...titleOf(path)
      .split(' ')
      .map((word) => word.length * LETTER_PX + 20),
  );

function sizeOf(path: string, fields: ReadonlyMap<string, ScreenField>): number {
  if (path === 'symbol') return 76;
  if (isPicture(path)) return PICTURE_PX;
  return isText(fields.get(path)) ? 170 : widthOf(path);
}

interface CellProps {
  readonly path: string;
  readonly value: Row[string];
  readonly field: ScreenField | undefined;
}

function Cell({ path, value, field }: CellProps): ReactNode {
  if (value === null) {
    return (
      <td className={isText(field) ? 'text missing-number' : 'missing-number'} data-tip={ABSENT.field}>
        –
      </td>
    );
  }
  if (typeof value !== 'number') {
    return (
      <td className={isText(field) ? 'text' : undefined}>
        <bdi>{`${value}`}</bdi>
      </td>
    );
  }
  const isDirected = /(?:return|change|net|gap|surprise|growth)/.test(path);
  const tone = !isDirected || value === 0 ? undefined : value > 0 ? 'up' : 'down';
  return (
    <td className={tone} data-tip={`${value} ${field?.unit ?? ''}`}>
      {shownOf(value, field)}
    </td>
  );
}
