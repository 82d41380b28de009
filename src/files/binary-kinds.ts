/** What a file begins with that is no text, and what to save instead. */
const KINDS: readonly (readonly [magic: string, kind: string, instead: string])[] = [
  ['BZh', 'packed by bzip2', 'unpack it, or pack it as .gz or .zip'],
  ['\xfd7zXZ\0', 'packed by xz', 'unpack it, or pack it as .gz or .zip'],
  ['7z\xbc\xaf\x27\x1c', 'a 7-Zip archive', 'unpack it, or pack it as .zip'],
  ['Rar!', 'a RAR archive', 'unpack it, or pack it as .zip'],
  ['\x28\xb5\x2f\xfd', 'packed by zstd', 'unpack it, or pack it as .gz or .zip'],
  ['\x04\x22\x4d\x18', 'packed by lz4', 'unpack it, or pack it as .gz or .zip'],
  ['ARROW1', 'Arrow or Feather', 'save it as Parquet or CSV'],
  ['FEA1', 'Feather', 'save it as Parquet or CSV'],
  // Beside other files it is read; within an archive it cannot be reached at any place.
  ['PAR1', 'Parquet within an archive', 'unpack the archive, Parquet is packed in itself'],
  ['PARE', 'encrypted Parquet', 'save it without encryption'],
  ['\x89HDF', 'HDF5', 'save its table as Parquet or CSV'],
  ['\xd0\xcf\x11\xe0', 'an old workbook (.xls)', 'save it as .xlsx or CSV'],
  ['SQLite format 3', 'an SQLite database', 'save its table as Parquet or CSV'],
  ['\x93NUMPY', 'a NumPy array', 'save it as Parquet or CSV with names of columns'],
  ['Obj\x01', 'Avro', 'save it as Parquet or CSV'],
  ['ORC', 'ORC', 'save it as Parquet or CSV'],
  ['%PDF', 'a PDF', 'save its table as CSV'],
];
/** A DuckDB database has its mark behind a checksum. */
const DUCKDB = /^.{8}DUCK/s;
/** Protocols 2 to 5 of Python's pickle. */
const isPickle = ([first, protocol]: Uint8Array): boolean =>
  first === 0x80 && protocol !== undefined && protocol >= 2 && protocol <= 5;
/** No byte of a text in ASCII. */
const isBinary = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32) || byte > 126;

/** What kind of binary file begins so, and what to save instead, as a sentence; null of any other. */
export function binaryKind(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  if (DUCKDB.test(beginning)) return 'the file is a DuckDB database: save its table as Parquet or CSV';
  if (isPickle(bytes)) return 'the file is a pickle of Python: save its table as Parquet or CSV';
  // A text may begin with letters such as ORC: a binary file has bytes that no text has.
  const isText = !bytes.subarray(0, 32).some(isBinary);
  const found = KINDS.find(([magic]) => beginning.startsWith(magic));
  if (found === undefined || (isText && !/^(?:%PDF|SQLite)/.test(beginning))) return null;
  return `the file is ${found[1]}: ${found[2]}`;
}
