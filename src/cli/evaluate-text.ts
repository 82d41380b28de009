import { type EvaluationReport, type MeanReport, NEW_SCORE_T } from '../records/evaluation-report.ts';
import { count, number, percent, table } from './print.ts';

/** The report for a terminal: plain text, aligned, every number with what it was counted over. */
export function printedReport(report: EvaluationReport): string {
  return [...heading(report), '', ...figures(report), '', ...decileTable(report), '', ...notes(report)].join(
    '\n',
  );
}

function heading(report: EvaluationReport): string[] {
  const { score, horizon, dates, from, to, every, symbols, top } = report;
  const each = every === 1 ? 'every session' : `every ${every} sessions`;
  const limited = top === null ? '' : `, at each date the ${count(top)} most traded`;
  return [
    `${score} against the return of the next ${horizon} sessions`,
    `${count(symbols)} symbols${limited}, ${count(dates)} dates from ${from} to ${to}, ${each}`,
    ...(report.simulated ? ['The data is SIMULATED: it is no evidence about any market.'] : []),
  ];
}

function figures(report: EvaluationReport): string[] {
  const ic = report.information_coefficient;
  const hits = report.hit_rate;
  const hitName = hits.kind === 'sign' ? 'hit rate (sign)' : 'hit rate (top over median)';
  const rows = [
    [
      'coverage',
      percent(report.coverage, 1),
      `${count(report.scored)} of ${count(report.stock_dates)} stock-dates have a score`,
    ],
    [
      'information coefficient',
      number(ic.mean, 4),
      `${spreadOf(ic, (value) => number(value, 4))}, sd ${number(ic.deviation, 4)}, positive on ${percent(ic.positive_share, 0)}`,
    ],
    [
      'decile 10 minus 1',
      percent(report.spread.mean, 3),
      spreadOf(report.spread, (value) => percent(value, 3)),
    ],
    [
      hitName,
      percent(hits.mean, 1),
      `${spreadOf(hits, (value) => percent(value, 1))}; t against 50 %; ${percent(hits.risen, 1)} of returns are above 0`,
    ],
    [
      'turnover of decile 10',
      percent(report.turnover.mean, 1),
      `from one evaluated date to the next, ${dated(report.turnover)}`,
    ],
    [
      'autocorrelation',
      number(report.autocorrelation.mean, 3),
      `of ranks, from one evaluated date to the next, ${dated(report.autocorrelation)}`,
    ],
  ];
  return table(rows, (column) => column !== 1);
}

function evidenceOf({
  t,
  is_evidence: isEvidence,
  dates,
}: EvaluationReport['information_coefficient']): string {
  if (isEvidence === null)
    return `No t on ${count(dates)} ${dates === 1 ? 'date' : 'dates'}: no evidence of a new score.`;
  return isEvidence
    ? `t ${number(t, 2)}: a new score takes ${NEW_SCORE_T} (Harvey, Liu, Zhu 2016), if this is the only one that you tried.`
    : `t ${number(t, 2)}, below ${NEW_SCORE_T}: no evidence of a new score (Harvey, Liu, Zhu 2016).`;
}

const spreadOf = (of: MeanReport, form: (value: number | null) => string): string =>
  `t ${number(of.t, 2)}, 95 % ${form(of.low)} to ${form(of.high)}, ${dated(of)}`;

const dated = ({ dates }: MeanReport): string => `${count(dates)} ${dates === 1 ? 'date' : 'dates'}`;

function decileTable({ deciles }: EvaluationReport): string[] {
  const rows = deciles.map((row) => [
    `${row.decile}`,
    percent(row.mean, 3),
    percent(row.low, 3),
    percent(row.high, 3),
    count(row.count),
    count(row.dates),
  ]);
  return table([['decile', 'mean return', '95 % from', 'to', 'stock-dates', 'dates'], ...rows]);
}

function notes(report: EvaluationReport): string[] {
  const {
    cosines,
    information_coefficient: ic,
    without_return: missing,
    failed,
    first_failure: failure,
  } = report;
  return [
    ...(report.no_figures_reason === null ? [] : [`No figures: ${report.no_figures_reason}`]),
    'Scores as of the close, returns from that close; prices adjusted for splits, without dividends and costs.',
    evidenceOf(ic),
    `Means of the dates' own figures; errors as in records, by ${cosines} cosines.`,
    ...(missing === 0
      ? []
      : [`${count(missing)} stock-dates have no close at the end of the horizon and are left out.`]),
    ...(failed === 0
      ? []
      : [`${count(failed)} derivations failed; the first: ${failure?.split('\n', 1)[0]}`]),
  ];
}
