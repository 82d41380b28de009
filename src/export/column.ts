import type { ScalarField } from '../derive/scalar-fields.ts';

export const EXPORT_FORMATS = ['parquet', 'arrow', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A column of exported files; its values have the type of a scalar field. */
export interface ExportColumn extends Pick<ScalarField, 'path' | 'type' | 'unit' | 'description' | 'words'> {
  readonly name: string;
  /** In every row. */
  readonly isKnown?: true;
}

/** What a file is begun with. */
export interface FileHead {
  readonly format: ExportFormat;
  readonly columns: readonly ExportColumn[];
  /** Of the schema; the lines of a CSV file have no place for it. */
  readonly metadata: Readonly<Record<string, string>>;
}

interface ArrowRows {
  /** A stream of the Arrow IPC format, its columns by the paths of these. */
  readonly arrow: Uint8Array;
}

interface JsonRows {
  /** JSON text with a list of records. */
  readonly json: string;
  /** Where the list is, by names from the top; a null on the way is an empty list. */
  readonly at: readonly string[];
}

/** Rows that follow one another, and columns in which each has the same value. */
export type RowSource = (ArrowRows | JsonRows) & {
  readonly same?: Readonly<Record<string, string>>;
};

/** Rows that are written together. */
export interface RowBatch {
  readonly sources: readonly RowSource[];
  /** Whether rows are put into the order of trade dates and symbols; else they stay in that of their sources. */
  readonly isSorted: boolean;
}
