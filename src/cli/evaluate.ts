import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDate } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import {
  type EvaluationReport,
  type EvaluationRequest,
  evaluateScore,
} from '../api/evaluation/evaluate-score.ts';
import { scoreField } from '../api/evaluation/score-field.ts';
import { EXIT_FAILED, type Run } from './command.ts';
import { drawReport } from './evaluate-svg.ts';
import { printedReport } from './evaluate-text.ts';
import { count } from './import-feed.ts';
import { showProgress } from './progress.ts';
import { wholeNumber } from './simulate.ts';
import { withApp } from './with-app.ts';

/** What a shell expects of a program that an interrupt has ended. */
const EXIT_INTERRUPTED = 130;

export const run: Run = async (words, config) => {
  const { request, files } = parseCall(words);
  // Both are asked before the work, which may take minutes.
  scoreField(request.score);
  for (const file of Object.values(files)) if (file !== undefined) checkWritable(file);
  return withApp(config, async ({ context }) => {
    const interrupt = new AbortController();
    const onInterrupt = (): void => interrupt.abort(new Error('interrupted'));
    process.once('SIGINT', onInterrupt);
    process.once('SIGTERM', onInterrupt);
    const progress = showProgress(`evaluate ${request.score}`);
    try {
      const report = await evaluateScore(context, request, interrupt.signal, ({ done, planned }) =>
        progress.update(done, planned, `${count(done)} of ${count(planned)} stock-days`),
      ).finally(() => progress.end());
      console.log(printedReport(report));
      write(files, report);
      return report.failed > 0 ? EXIT_FAILED : 0;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      console.error('evaluate: stopped; nothing was written.');
      return EXIT_INTERRUPTED;
    } finally {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onInterrupt);
    }
  });
};

interface Files {
  readonly json: string | undefined;
  readonly svg: string | undefined;
}

function parseCall(words: readonly string[]): { request: EvaluationRequest; files: Files } {
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

const wrongCall = (sentence: string): CodedError => new CodedError('validation_failed', sentence);

function dateOption(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const date = parseDate(text);
  if (date === null) throw wrongCall(`${option} ${text} is not a date such as 2013-10-10.`);
  return date;
}

function symbolList(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const symbols = text.split(',').flatMap((symbol) => canonicalSymbol(symbol) || []);
  if (symbols.length === 0) throw wrongCall('--symbols names none.');
  return symbols;
}

/** A file that cannot be written is worth knowing before the work rather than after it. */
export function checkWritable(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw wrongCall(`There is no folder ${folder} for ${file}.`);
  if (existsSync(file) && statSync(file).isDirectory()) throw wrongCall(`${file} is a folder.`);
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK);
  } catch (cause) {
    throw new CodedError('validation_failed', `${file} may not be written by this user.`, { cause });
  }
}

function write({ json, svg }: Files, report: EvaluationReport): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  if (svg !== undefined) writeFileSync(svg, drawReport(report));
  for (const file of [json, svg]) if (file !== undefined) console.log(`written: ${file}`);
}
