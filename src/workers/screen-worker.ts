import { runScreen } from '../analysis/screening/run.ts';
import type { ScreenTable } from '../analysis/screening/screen.ts';
import { threadEntry } from './thread-answers.ts';
import type { ScreenOutcome, ScreenTask, TaskColumn } from './screen-tasks.ts';

/** Texts of the last columns, by name: a screen that looks at one again need not read it again. */
const dictionaries = new Map<number, readonly string[]>();
/** Of 85 columns that hold texts, those of two dates. */
const DICTIONARIES_MAX = 170;

/** Columns in, the places of the stocks that pass out. */
export const open =
  () =>
  ({ screen: asked, rows, only, columns }: ScreenTask): ScreenOutcome => {
    const table = only === null ? wholeTable(rows, columns) : partOf(wholeTable(rows, columns), only);
    const screened = runScreen(asked, table);
    const selected = asked.select.map((operand) => {
      const column =
        operand.kind === 'field' ? table.column(operand.path) : screened.computed.get(operand.name)!;
      return gathered(column, screened.rows);
    });
    const rowOf = (row: number): number => (only === null ? row : only[row]!);
    return {
      rows: only === null ? screened.rows : screened.rows.map(rowOf),
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
    if (column === undefined) throw new Error(`the screen looks at ${path}, which was not sent with it`);
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

/** Some rows of a table as a table of their own. */
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
  if (dictionary === null) throw new Error('a column without texts was asked for them');
  const { id, packed } = dictionary;
  const words = dictionaries.get(id) ?? (JSON.parse(Buffer.from(packed).toString()) as string[]);
  dictionaries.delete(id);
  dictionaries.set(id, words);
  if (dictionaries.size > DICTIONARIES_MAX) dictionaries.delete(dictionaries.keys().next().value!);
  return words;
}
