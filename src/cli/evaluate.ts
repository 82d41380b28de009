import { canonicalSymbol } from '../base/symbols.ts';
import type { Config } from '../config.ts';
import { type EvaluationRequest, evaluateScore } from '../records/evaluate-score.ts';
import { type EvaluationReport, type MeanReport, NEW_SCORE_T } from '../records/evaluation.ts';
import { scoreReader } from '../records/score-field.ts';
import { type Define, EXIT_FAILED } from './command.ts';
import { checkRange, date, list, wholeNumber } from './options.ts';
import { checkWritable, writeResult } from './output-file.ts';
import { count, number, percent, table } from './print.ts';
import { withProgress } from './progress.ts';
import { interruptible } from './stop-signal.ts';
import { withApp } from './with-app.ts';

interface Options extends EvaluationRequest {
  readonly json?: string;
}

export const defineEvaluate: Define = (command, call) => {
  command
    .requiredOption('--score <path>', 'dotted path of a number in the answer, e.g. bullish_confluence')
    .option('--horizon <sessions>', 'sessions of the return after it', wholeNumber(1, 260), 5)
    .option('--from <date>', 'first date', date)
    .option('--to <date>', 'last date', date)
    .option('--every <n>', 'every so many sessions', wholeNumber(1, 260), 1)
    .option('--symbols <list>', 'only these, e.g. SPY,IBM', list(100_000, canonicalSymbol))
    .option('--top <n>', 'of each date only the most traded', wholeNumber(1, 100_000))
    .option('--json <file>', 'writes the report')
    .action((options: Options) => call((config) => evaluate(options, config)));
};

async function evaluate({ json, ...request }: Options, config: Config): Promise<number> {
  const { score, from, to } = request;
  checkRange(from, to);
  // Before the work, which may take minutes.
  scoreReader(score);
  checkWritable(json);
  return interruptible('evaluate', (signal) =>
    withApp(config, async ({ context }) => {
      signal.throwIfAborted();
      const report = await withProgress(`evaluate ${score}`, ({ update }) =>
        evaluateScore(context, request, signal, (done, total) =>
          update({ done, total, detail: `${count(done)} of ${count(total)} stock-days` }),
        ),
      );
      console.log(printedReport(report));
      writeResult(json, `${JSON.stringify(report, null, 2)}\n`);
      return report.failed > 0 ? EXIT_FAILED : 0;
    }),
  );
}

/** The report for a terminal: plain text, aligned, every number with what it was counted over. */
export function printedReport(report: EvaluationReport): string {
  const { score, horizon, from, to, every, symbols, top } = report;
  const { without_return: missing, failed, first_failure: failure, no_figures_reason: reason } = report;
  const limited = top === null ? '' : `, at each date the ${count(top)} most traded`;
  const each = every === 1 ? 'every session' : `every ${every} sessions`;
  return [
    `${score} against the return of the next ${horizon} sessions`,
    `${count(symbols)} symbols${limited}, ${count(report.dates)} dates from ${from} to ${to}, ${each}`,
    ...(report.simulated ? ['The data is SIMULATED: it is no evidence about any market.'] : []),
    '',
    ...figures(report),
    '',
    ...decileTable(report),
    '',
    ...(reason === null ? [] : [`No figures: ${reason}`]),
    'Scores as of the close, returns from that close; prices adjusted for splits, without dividends and costs.',
    evidenceOf(report.information_coefficient),
    `Means of the dates' own figures; errors as in records, by ${report.cosines} cosines.`,
    ...(missing === 0
      ? []
      : [`${count(missing)} stock-dates have no close at the end of the horizon and are left out.`]),
    ...(failed === 0
      ? []
      : [`${count(failed)} derivations failed; the first: ${failure?.split('\n', 1)[0]}`]),
  ].join('\n');
}

function figures(report: EvaluationReport): string[] {
  const { information_coefficient: ic, hit_rate: hits, spread, turnover, autocorrelation } = report;
  const share = (decimals: number) => (value: number | null) => percent(value, decimals);
  const plain = (decimals: number) => (value: number | null) => number(value, decimals);
  const row = (name: string, of: MeanReport, form: (value: number | null) => string, more = '') => [
    name,
    form(of.mean),
    `t ${number(of.t, 2)}, 95 % ${form(of.low)} to ${form(of.high)}, ${dated(of)}${more}`,
  ];
  const scored = `${count(report.scored)} of ${count(report.stock_dates)} stock-dates have a score`;
  const signs = `, sd ${number(ic.deviation, 4)}, positive on ${percent(ic.positive_share, 0)}`;
  const hitName = hits.kind === 'sign' ? 'hit rate (sign)' : 'hit rate (top over median)';
  const risen = `; t against 50 %; ${percent(hits.risen, 1)} of returns are above 0`;
  const between = 'from one evaluated date to the next';
  const rows = [
    ['coverage', percent(report.coverage, 1), scored],
    row('information coefficient', ic, plain(4), signs),
    row('decile 10 minus 1', spread, share(3)),
    row(hitName, hits, share(1), risen),
    ['turnover of decile 10', percent(turnover.mean, 1), `${between}, ${dated(turnover)}`],
    ['autocorrelation', number(autocorrelation.mean, 3), `of ranks, ${between}, ${dated(autocorrelation)}`],
  ];
  return table(rows, (column) => column !== 1);
}

const dated = ({ dates }: Pick<MeanReport, 'dates'>): string =>
  `${count(dates)} ${dates === 1 ? 'date' : 'dates'}`;

function decileTable({ deciles }: EvaluationReport): string[] {
  const rows = deciles.map(({ decile, mean, low, high, count: stocks, dates }) => [
    `${decile}`,
    ...[mean, low, high].map((value) => percent(value, 3)),
    ...[stocks, dates].map(count),
  ]);
  return table([['decile', 'mean return', '95 % from', 'to', 'stock-dates', 'dates'], ...rows]);
}

function evidenceOf({
  t,
  is_evidence: isEvidence,
  ...of
}: EvaluationReport['information_coefficient']): string {
  if (isEvidence === null) return `No t on ${dated(of)}: no evidence of a new score.`;
  return isEvidence
    ? `t ${number(t, 2)}: a new score takes ${NEW_SCORE_T} (Harvey, Liu, Zhu 2016), if this is the only one that you tried.`
    : `t ${number(t, 2)}, below ${NEW_SCORE_T}: no evidence of a new score (Harvey, Liu, Zhu 2016).`;
}
