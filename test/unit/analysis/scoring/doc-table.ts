import { expect } from 'vitest';

/** Rows of the table of a page that has these columns, by the word in backticks of the first. */
export function tableOf(page: string, ...columns: string[]): Record<string, string[]> {
  const head = `| ${columns.join(' | ')} |\n`;
  const from = page.indexOf(head);
  expect(from, head).toBeGreaterThan(0);
  const rows = page.slice(from + head.length).split('\n');
  const end = rows.findIndex((line) => !line.startsWith('|'));
  const cells = rows.slice(1, end).map((line) => line.split('|').slice(1, -1));
  return Object.fromEntries(
    cells.map(([name, ...rest]) => [name!.replaceAll('`', '').trim(), rest.map((cell) => cell.trim())]),
  );
}
