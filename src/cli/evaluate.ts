import { parseArgs } from 'node:util';
import { type EvaluationRequest, evaluateScore } from '../api/evaluation/evaluate-score.ts';
import { scoreField } from '../api/evaluation/score-field.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { EXIT_FAILED, type Run } from './command.ts';
import { drawReport } from './evaluate-svg.ts';
import { printedReport } from './evaluate-text.ts';
import { dateOption, wholeNumber, wrongCall } from './options.ts';
import { checkWritable, type OutputFiles, writeFiles } from './output-files.ts';
import { count } from './print.ts';
import { showProgress } from './progress.ts';
import { interruptible } from './stop-signal.ts';
import { withApp } from './with-app.ts';

export const run: Run = async (words, config) => {
  const { request, files } = parseCall(words);
  // Before the work, which may take minutes.
  scoreField(request.score);
  checkWritable(files);
  return interruptible('evaluate', (signal) =>
    withApp(config, async ({ context }) => {
      signal.throwIfAborted();
      const progress = showProgress(`evaluate ${request.score}`);
      const report = await evaluateScore(context, request, signal, ({ done, planned }) =>
        progress.update(done, planned, `${count(done)} of ${count(planned)} stock-days`),
      ).finally(() => progress.end());
      console.log(printedReport(report));
      writeFiles(files, {
        json: () => `${JSON.stringify(report, null, 2)}\n`,
        svg: () => drawReport(report),
      });
      return report.failed > 0 ? EXIT_FAILED : 0;
    }),
  );
};

function parseCall(words: readonly string[]): { request: EvaluationRequest; files: OutputFiles } {
  const { values } = parseArgs({
    args: [...words],
    options: {
      score: { type: 'string' },
      horizon: { type: 'string', default: '5' },
      from: { type: 'string' },
      to: { type: 'string' },
      every: { type: 'string', default: '1' },
      symbols: { type: 'string' },
      top: { type: 'string' },
      json: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const { score, json, svg } = values;
  if (score === undefined) throw wrongCall('--score is missing: the dotted path of a number in the answer.');
  const from = dateOption('--from', values.from);
  const to = dateOption('--to', values.to);
  if (from !== undefined && to !== undefined && from > to) {
    throw wrongCall(`--from ${from} lies after --to ${to}.`);
  }
  const request = {
    score,
    horizon: wholeNumber('--horizon', values.horizon, 1, 260),
    every: wholeNumber('--every', values.every, 1, 260),
    from,
    to,
    symbols: symbolList(values.symbols),
    top: values.top === undefined ? undefined : wholeNumber('--top', values.top, 1, 100_000),
  };
  return { request, files: { json, svg } };
}

function symbolList(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const symbols = text.split(',').flatMap((symbol) => canonicalSymbol(symbol) || []);
  if (symbols.length === 0) throw wrongCall('--symbols names none.');
  return symbols;
}
