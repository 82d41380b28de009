/** Rows as CSV (RFC 4180). A text that a spreadsheet would read as a formula gets an apostrophe before it. */
export function csvOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
): string {
  const lines = rows.map((row) => columns.map((name) => cell(row[name])).join());
  return `${[columns.join(), ...lines].join('\r\n')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
