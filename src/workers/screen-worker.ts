import { runScreen } from '../analysis/screening/run.ts';
import type { NearMiss, Screen, Screened, ScreenTable } from '../analysis/screening/screen.ts';
import { threadEntry } from './thread.ts';

/** A column in memory that threads share. */
interface TaskColumn {
  readonly values: Float64Array;
  /** JSON list of the texts, UTF-8, with a key for the thread's cache; null for a column of numbers. */
  readonly dictionary: { readonly id: number; readonly packed: Uint8Array } | null;
}

export interface ScreenTask {
  readonly screen: Screen;
  readonly rows: number;
  /** Rows to read, ascending; null for all. */
  readonly only: Uint32Array | null;
  /** By path; `symbol` is always among them. */
  readonly columns: ReadonlyMap<string, TaskColumn>;
}

/** The result of a screen, as row indexes of its task's table. */
export interface ScreenOutcome extends Pick<Screened, 'unknown'> {
  /** Rows that pass, in the requested order. */
  readonly rows: Uint32Array;
  /** One column for each selected value, parallel to `rows`. */
  readonly selected: readonly Float64Array[];
  readonly nearMisses: readonly OutcomeMiss[];
}

export interface OutcomeMiss extends NearMiss {
  /** The computed numbers of the row by name. */
  readonly computed: ReadonlyMap<string, number>;
}

/** Parsed texts of recent columns by dictionary id, the last used last. */
const dictionaries = new Map<number, readonly string[]>();
/** The 85 text columns of two dates. */
const DICTIONARIES_MAX = 170;

export const open =
  () =>
  ({ screen, rows, only, columns }: ScreenTask): ScreenOutcome => {
    const table = only === null ? wholeTable(rows, columns) : partOf(wholeTable(rows, columns), only);
    const screened = runScreen(screen, table);
    const selected = screen.select.map((operand) => {
      const column =
        operand.kind === 'field' ? table.column(operand.path) : screened.computed.get(operand.name)!;
      return gathered(column, screened.rows);
    });
    const rowOf = (row: number): number => (only === null ? row : only[row]!);
    return {
      rows: only === null ? screened.rows : screened.rows.map(rowOf),
      unknown: screened.unknown,
      selected,
      nearMisses: screened.nearMisses.map((miss) => ({
        ...miss,
        row: rowOf(miss.row),
        computed: new Map(Array.from(screened.computed, ([name, values]) => [name, values[miss.row]!])),
      })),
    };
  };

export default threadEntry(open);

function wholeTable(rows: number, columns: ReadonlyMap<string, TaskColumn>): ScreenTable {
  const columnAt = (path: string): TaskColumn => {
    const column = columns.get(path);
    if (column === undefined) throw new Error(`the screen reads ${path}, which was not sent with it`);
    return column;
  };
  return {
    rows,
    get symbols() {
      return wordsOf(columnAt('symbol'));
    },
    column: (path) => columnAt(path).values,
    dictionary: (path) => wordsOf(columnAt(path)),
  };
}

function partOf(table: ScreenTable, only: Uint32Array): ScreenTable {
  const columns = new Map<string, Float64Array>();
  return {
    rows: only.length,
    get symbols() {
      return Array.from(only, (row) => table.symbols[row]!);
    },
    column: (path) => columns.getOrInsertComputed(path, () => gathered(table.column(path), only)),
    dictionary: table.dictionary,
  };
}

function gathered(column: Float64Array, rows: Uint32Array): Float64Array {
  const values = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) values[at] = column[rows[at]!]!;
  return values;
}

function wordsOf({ dictionary }: TaskColumn): readonly string[] {
  if (dictionary === null) throw new Error('a column of numbers has no texts');
  const { id, packed } = dictionary;
  const words = dictionaries.get(id) ?? (JSON.parse(Buffer.from(packed).toString()) as string[]);
  dictionaries.delete(id);
  dictionaries.set(id, words);
  if (dictionaries.size > DICTIONARIES_MAX) dictionaries.delete(dictionaries.keys().next().value!);
  return words;
}
