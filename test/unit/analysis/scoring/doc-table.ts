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

/** Entries of the list of a page behind this line, by the word in backticks that each begins with. */
export function listOf(page: string, title: string): Record<string, string> {
  const from = page.indexOf(`${title}\n\n`);
  expect(from, title).toBeGreaterThan(0);
  const [list] = page.slice(from + title.length + 2).split('\n\n', 1);
  return Object.fromEntries(
    Array.from(list!.matchAll(/^- `(\w+)`: (.*)$/gm), ([, name, text]) => [name!, text!] as const),
  );
}
