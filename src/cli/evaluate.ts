import { canonicalSymbol } from '../base/symbols.ts';
import type { Config } from '../config.ts';
import { type EvaluationRequest, evaluateScore } from '../records/evaluate-score.ts';
import { scoreField } from '../records/score-field.ts';
import { type Define, EXIT_FAILED } from './command.ts';
import { printedReport } from './evaluate-text.ts';
import { checkRange, date, list, wholeNumber } from './options.ts';
import { checkWritable, writeResult } from './output-file.ts';
import { count } from './print.ts';
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
  scoreField(score);
  checkWritable(json);
  return interruptible('evaluate', (signal) =>
    withApp(config, async ({ context }) => {
      signal.throwIfAborted();
      const report = await withProgress(`evaluate ${score}`, ({ update }) =>
        evaluateScore(context, request, signal, ({ done, planned: total }) =>
          update({ done, total, detail: `${count(done)} of ${count(total)} stock-days` }),
        ),
      );
      console.log(printedReport(report));
      writeResult(json, `${JSON.stringify(report, null, 2)}\n`);
      return report.failed > 0 ? EXIT_FAILED : 0;
    }),
  );
}
