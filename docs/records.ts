/**
 * Writes the records of the recorded data into `docs/records.md`, between its marks, as they are:
 *
 *   npm run tigraph -- record print --json > records.json && npm run docs:records -- records.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RecordsAnswer } from '../src/api/records/list-records.ts';

const DOCUMENT = new URL('records.md', import.meta.url);
const [BEGIN, END] = ['<!-- recorded -->', '<!-- /recorded -->'];
const TITLES = {
  level: 'Levels',
  pattern: 'Patterns',
  playbook: 'Playbooks within a session',
  swing_playbook: 'Playbooks over nights',
  score: 'Scores',
  divergence: 'Divergences from peers',
  expiration: 'Recommended expirations',
} as const;

const text = readFileSync(process.argv[2]!, 'utf8');
const { records, best, as_of }: RecordsAnswer = JSON.parse(text.slice(text.indexOf('{')));

const whole = (share: number | null): string => (share === null ? '' : `${Math.round(100 * share)}`);
const points = (share: number | null): string => {
  const value = Math.round(100 * (share ?? 0));
  return `${value > 0 ? '+' : ''}${value === 0 ? 0 : value}`;
};

function row(record: RecordsAnswer['records'][number]): string {
  const { n, dates, rate, low, high, chance, edge_low, edge_high, undecided, gap, verdict } = record;
  const share = rate === null ? 'too few' : `${whole(rate)} % (${whole(low)} to ${whole(high)})`;
  const edge = edge_low === null ? '' : `${points(edge_low)} to ${points(edge_high)}`;
  const cells = [
    record.key.replaceAll('_', ' '),
    `${record.true.toLocaleString('en-US')} of ${n.toLocaleString('en-US')}`,
    dates.toLocaleString('en-US'),
    share,
    chance === null ? '' : `${whole(chance)} %`,
    edge,
    (undecided + gap).toLocaleString('en-US'),
    rate === null ? '' : verdict.replaceAll('_', ' '),
  ];
  return `| ${cells.join(' | ')} |`;
}

const tables = Object.entries(TITLES).flatMap(([kind, title]) => {
  const own = records.filter((record) => record.kind === kind);
  const tested = Math.max(0, ...own.map((record) => record.tested));
  return [
    `### ${title}`,
    '',
    [
      `${tested} of ${own.length} tested together.`,
      ...best.filter((each) => each.kind === kind).map(({ says }) => says),
    ].join(' '),
    '',
    '| key | came true | dates | rate, 95 % interval | chance | edge, points | undecided | verdict |',
    '|---|---|---|---|---|---|---|---|',
    ...own.map(row),
    '',
  ];
});
const document = readFileSync(DOCUMENT, 'utf8');
const head = document.slice(0, document.indexOf(BEGIN) + BEGIN.length);
const tail = document.slice(document.indexOf(END));
writeFileSync(DOCUMENT, `${head}\n\nAs of ${as_of.slice(0, 10)}.\n\n${tables.join('\n')}\n${tail}`);
