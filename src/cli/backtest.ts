import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planOptimization } from '../api/backtest/plan-optimization.ts';
import {
  COMMISSION_MAX,
  MULTIPLIER_MAX,
  MULTIPLIERS_MAX,
  type OptimizationBody,
  REQUEST_DEFAULTS,
  SIGNAL_TYPES,
  type SignalType,
  SLIPPAGE_MAX,
  SYMBOLS_MAX,
  TOP_N_MAX,
} from '../api/backtest/schema.ts';
import { optimize } from '../backtests/optimize.ts';
import { ValidationRefusal } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { drawHeatMap } from './backtest-svg.ts';
import { printedRun } from './backtest-text.ts';
import type { Run } from './command.ts';
import { requiredDate, wholeNumber, wrongCall } from './options.ts';
import { checkWritable, type OutputFiles, writeFiles } from './output-files.ts';
import { count } from './print.ts';
import { showProgress } from './progress.ts';
import { interruptible } from './stop-signal.ts';
import { withApp } from './with-app.ts';

const PROGRESS_STEPS = 1_000;

export const run: Run = async (words, config) => {
  const { request, files } = parseCall(words);
  checkWritable(files);
  return interruptible('backtest', (signal) =>
    withApp(config, async ({ context }) => {
      signal.throwIfAborted();
      const progress = showProgress('backtest');
      const folder = join(context.backtester.directory, `cli-${randomUUID()}`);
      try {
        // The command line sees data without delay.
        const plan = await planOptimization(context, request, 0).catch(inWordsOfTheCommandLine);
        mkdirSync(folder, { recursive: true });
        const { length: symbols } = plan.tapes;
        const detail = `${count(symbols)} ${symbols === 1 ? 'symbol' : 'symbols'}, ${count(plan.sessions.length)} sessions`;
        const text = await optimize(context.backtester, { ...plan, folder }, signal, (percent) =>
          progress.update(Math.round((percent / 100) * PROGRESS_STEPS), PROGRESS_STEPS, detail),
        ).finally(() => progress.end());
        console.log(printedRun(plan.request, JSON.parse(text.results), JSON.parse(text.analysis)));
        writeFiles(files, {
          json: () =>
            `{"request":${JSON.stringify(plan.request)},"results":${text.results},"analysis":${text.analysis},"grid":${text.grid}}\n`,
          svg: () => drawHeatMap(plan.request, JSON.parse(text.grid)),
        });
        return 0;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
  );
};

/** A refusal names fields of a request body, which a command line lacks. */
function inWordsOfTheCommandLine(error: unknown): never {
  if (!(error instanceof ValidationRefusal)) throw error;
  const sentences = error.faults.map(({ loc, msg, input }) =>
    loc[1] === 'symbols' && loc.length === 3 ? `${String(input)}: ${msg}` : msg,
  );
  throw wrongCall(`${sentences.join('; ')}.`);
}

function parseCall(words: readonly string[]): { request: OptimizationBody; files: OutputFiles } {
  const { values } = parseArgs({
    args: [...words],
    options: {
      symbols: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      signals: { type: 'string' },
      stops: { type: 'string' },
      targets: { type: 'string' },
      top: { type: 'string', default: `${REQUEST_DEFAULTS.top_n}` },
      commission: { type: 'string', default: `${REQUEST_DEFAULTS.commission_per_share}` },
      slippage: { type: 'string', default: `${REQUEST_DEFAULTS.slippage_bps}` },
      json: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const request = {
    symbols: wordList('--symbols', values.symbols, SYMBOLS_MAX).map(canonicalSymbol),
    start_date: requiredDate('--from', values.from),
    end_date: requiredDate('--to', values.to),
    signal_types: wordList('--signals', values.signals, SIGNAL_TYPES.length).map(signalType),
    stop_atr_range: multipliers('--stops', values.stops, REQUEST_DEFAULTS.stop_atr_range),
    target_atr_range: multipliers('--targets', values.targets, REQUEST_DEFAULTS.target_atr_range),
    top_n: wholeNumber('--top', values.top, 1, TOP_N_MAX),
    commission_per_share: figure('--commission', values.commission, COMMISSION_MAX),
    slippage_bps: figure('--slippage', values.slippage, SLIPPAGE_MAX),
  };
  return { request, files: { json: values.json, svg: values.svg } };
}

function wordList(option: string, text: string | undefined, max: number): string[] {
  const words = (text ?? '').split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0) throw wrongCall(`${option} is missing: words with commas between them.`);
  if (words.length > max) throw wrongCall(`${option} takes at most ${max}.`);
  return words;
}

function signalType(word: string): SignalType {
  const type = SIGNAL_TYPES.find((one) => one === word);
  if (type === undefined) {
    throw wrongCall(`--signals knows no ${word}; it knows ${SIGNAL_TYPES.join(', ')}.`);
  }
  return type;
}

function multipliers(option: string, text: string | undefined, byDefault: readonly number[]): number[] {
  if (text === undefined) return [...byDefault];
  return wordList(option, text, MULTIPLIERS_MAX).map((word) => {
    const value = Number(word);
    if (value > 0 && value <= MULTIPLIER_MAX) return value;
    throw wrongCall(`${option} ${word} is not a number above 0 and at most ${MULTIPLIER_MAX}.`);
  });
}

function figure(option: string, text: string, max: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= max) return value;
  throw wrongCall(`${option} ${text} is not a number from 0 to ${max}.`);
}
