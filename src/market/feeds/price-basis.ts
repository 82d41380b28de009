import { DAY_MS, dateOf } from '../../base/dates.ts';
import type { TextFile } from './archive.ts';
import type { CsvOptions, PriceBasis } from './csv-options.ts';
import { announcedSplit } from './fields.ts';
import { type Finding, type NoReading, open, type SampleRow } from './findings.ts';
import { basisBeside, type Known } from './known-bars.ts';
import type { TableHead } from './table-head.ts';

/** Rows further apart lie in two pieces of a file. */
const NEIGHBOUR_MS = 8 * DAY_MS;
/** Splits nearer to 1 are lost in the moves of a night. */
const PLAIN_SPLIT = Math.log(1.2);

/** What `SPY_full_1min_adjsplit.txt` says of its prices; null of most names. */
function basisInName(name: string): PriceBasis | null {
  const [, word] = /(?:^|[_ -])(adjsplitdiv|adjsplit|unadj|unadjusted)(?=[_ .-]|$)/i.exec(name) ?? [];
  if (word === undefined) return null;
  if (/^un/i.test(word)) return 'traded';
  return /div$/i.test(word) ? 'adjusted' : 'split-adjusted';
}

export function pricesFinding(
  { name }: TextFile,
  series: readonly (readonly SampleRow[])[],
  { names, series: columns }: TableHead,
  known: readonly Known[],
  { prices }: CsvOptions,
): Finding<PriceBasis> | NoReading {
  if (prices !== undefined) return { value: prices, evidence: '--prices', sure: 'stated' };
  const beside = known.flatMap(
    (one, at) =>
      basisBeside(
        series[at]!.map(({ day, close }) => ({ time: day, close })),
        one,
      ) ?? [],
  );
  for (const found of beside) {
    if (!('contradicts' in found)) continue;
    const { time, close, known: price } = found.contradicts;
    return open(
      `on ${dateOf(time)} the file has a close of ${close} and the tape ${price}: --prices, or --symbol, decides`,
    );
  }
  const saysSo = names.find((name) => /^close.*adjusted for splits/i.test(name));
  if (saysSo !== undefined) return { value: 'split-adjusted', evidence: `column ${saysSo}`, sure: 'stated' };
  const seen = new Set<PriceBasis>();
  let example = '';
  let unclearSplit = '';
  const hasSplits = columns.some(({ columnIndex }) => columnIndex.split >= 0);
  for (const [place, rows] of series.entries()) {
    const splits = hasSplits ? [] : (known[place]?.splits ?? []);
    for (const [at, row] of rows.entries()) {
      const isNeighbour = at > 0 && row.day - rows[at - 1]!.day < NEIGHBOUR_MS;
      const split = hasSplits ? row.split : (splits.find(({ exDate }) => exDate === row.day)?.value ?? 0);
      if (!(split > 0) || split === 1 || !isNeighbour) continue;
      const ratio = Math.log(announcedSplit(split));
      const move = Math.log(rows[at - 1]!.close / row.open);
      const on = `the split of ${split} on ${dateOf(row.day)}`;
      const near = Math.abs(ratio) / 3;
      const basis =
        Math.abs(move - ratio) < near ? 'traded' : Math.abs(move) < near ? 'split-adjusted' : null;
      if (Math.abs(ratio) < PLAIN_SPLIT || basis === null) unclearSplit = on;
      else {
        seen.add(basis);
        example = `${on}: the price ${basis === 'traded' ? 'moves by it' : 'does not move by it'}`;
      }
    }
  }
  if (seen.size > 1) return open('some splits move the price and some do not: --prices decides');
  const [basis] = seen;
  const named = basisInName(name);
  if (named !== null) {
    const isBorneOut = basis === undefined || (basis === 'traded') === (named === 'traded');
    if (!isBorneOut) return open(`${example}, which the name ${name} contradicts: --prices decides`);
    return { value: named, evidence: `the name ${name}`, sure: 'stated' };
  }
  if (basis !== undefined) return { value: basis, evidence: example, sure: 'seen' };
  const bases = new Set(beside.flatMap((found) => ('basis' in found ? [found.basis] : [])));
  if (bases.size > 1)
    return open('some symbols are as traded and some adjusted, beside the tape: --prices decides');
  const [besideTape] = bases;
  if (besideTape !== undefined) {
    const days = beside.reduce((sum, found) => ('days' in found ? sum + found.days : sum), 0);
    return { value: besideTape, evidence: `${days} days that the tape has too`, sure: 'seen' };
  }
  if (unclearSplit !== '')
    return open(`${unclearSplit} does not show whether prices are adjusted for it: --prices decides`);
  return { value: 'traded', evidence: 'no split in the file', sure: 'assumed' };
}
