/** A line of a table. */
export type Row = readonly string[];

/** Prints a table of Markdown, as docs/scale.md has it; the first row is its head. */
export function printTable(title: string, [head, ...rows]: readonly Row[]): void {
  console.log(`\n${title}\n`);
  for (const row of [head!, head!.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}
