import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  INPUT_MEANINGS,
  MATCH_FROM,
  PLAYBOOK_INPUTS,
  PLAYBOOK_LINES,
  PLAYBOOKS,
  type Playbook,
  type PriceForm,
} from '../../../../src/analysis/playbooks/index.ts';

/** What docs/playbooks.md says, against the library: a word or a figure that drifts fails here. */

const page = readFileSync(new URL('../../../../docs/playbooks.md', import.meta.url), 'utf8');

/** Cells of the rows of the table that begins with this line. */
function rowsUnder(head: string, text = page): string[][] {
  const from = text.indexOf(`${head}\n`);
  expect(from, head).toBeGreaterThan(0);
  const rows = text.slice(from).split('\n').slice(2);
  return rows
    .slice(
      0,
      rows.findIndex((row) => !row.startsWith('|')),
    )
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const SECTIONS = page.slice(page.indexOf('\n### '), page.indexOf('\n## Figures')).split('\n### ').slice(1);

/** Each section with the playbooks that it is about: a long and its short, or the one without a side. */
const TOLD = SECTIONS.map((text): [string, Playbook[]] => {
  const [title, , keys] = text.split('\n');
  const named = [...keys!.split(' · ')[0]!.matchAll(/`(\w+)`/g)].map(([, key]) => key);
  return [title!, PLAYBOOKS.filter(({ strategy }) => named.includes(strategy))];
});

function sumOf(form: PriceForm): string {
  return (form ?? [])
    .map((term, at) => {
      const [weight, input] = typeof term === 'string' ? [1, term] : term;
      const sign = weight < 0 ? ' - ' : at === 0 ? '' : ' + ';
      return `${sign}${Math.abs(weight) === 1 ? '' : `${Math.abs(weight)} `}${input}`;
    })
    .join('');
}

describe('docs/playbooks.md', () => {
  it('has every playbook, in the order of the library', () => {
    expect(TOLD.flatMap(([, playbooks]) => playbooks)).toEqual(PLAYBOOKS);
    for (const [title, playbooks] of TOLD) expect(title).toBe(playbooks.map(({ name }) => name).join(' · '));
  });

  it.each(TOLD.map(([title, playbooks], at) => [title, playbooks, SECTIONS[at]!] as const))(
    'tells %s as it is',
    (_, [long, short], text) => {
      const kind = `· ${long!.timeframe} · day: ${long!.day_type} · `;
      expect(text).toContain(kind + (long!.signal === null ? 'no signal\n' : `signal \`${long!.signal}\`\n`));
      expect(text).toContain(`\n${long!.summary}\n`);
      expect(text).toContain(`\n${long!.risks}\n`);
      const head = short === undefined ? '| condition | holds when |' : '| condition | of the long |';
      const names = long!.conditions.map(({ name }, at) => {
        const other = short?.conditions[at]?.name ?? name;
        return other === name ? `\`${name}\`` : `\`${name}\` (\`${other}\`)`;
      });
      expect(rowsUnder(head, text)).toEqual(long!.conditions.map(({ meaning }, at) => [names[at], meaning]));
      const { trigger, stop, target } = long!.prices;
      const prices = `Trigger \`${sumOf(trigger)}\`, stop \`${sumOf(stop)}\`, target \`${sumOf(target)}\`.`;
      expect(text).toContain(trigger === null ? 'No prices: ' : prices);
    },
  );

  it('has every figure', () => {
    const rows = rowsUnder('| line | value | of |');
    expect(
      Object.fromEntries(rows.map(([name, value]) => [name!.replaceAll('`', ''), Number(value)])),
    ).toEqual(PLAYBOOK_LINES);
    const conditions = new Set(PLAYBOOKS.flatMap((playbook) => playbook.conditions.map(({ name }) => name)));
    for (const [name, , of] of rows) {
      const named = [...of!.matchAll(/`(\w+)`/g)].map(([, word]) => word!);
      expect(
        named.some((word) => conditions.has(word)),
        name,
      ).toBe(true);
    }
    expect(page).toContain(`at least ${MATCH_FROM} % of all do`);
  });

  it('has every input', () => {
    expect(rowsUnder('| input | unit | is |')).toEqual(
      PLAYBOOK_INPUTS.map((input) => [
        `\`${input}\``,
        INPUT_MEANINGS[input].unit,
        INPUT_MEANINGS[input].says,
      ]),
    );
  });
});
