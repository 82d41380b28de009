import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDate } from '../base/calendar.ts';
import { CodedError, ValidationRefusal } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { type OptimizationText, optimize } from '../api/backtest/optimize.ts';
import {
  COMMISSION_MAX,
  MULTIPLIERS_MAX,
  type OptimizationRequest,
  REQUEST_DEFAULTS,
  SLIPPAGE_MAX,
  SYMBOLS_MAX,
  TOP_N_MAX,
  type OptimizationBody,
  MULTIPLIER_MAX,
  SIGNAL_TYPES,
  type SignalType,
} from '../api/backtest/schema.ts';
import { planOptimization } from '../api/backtest/plan-optimization.ts';
import { drawHeatMap } from './backtest-svg.ts';
import { printedRun } from './backtest-text.ts';
import type { Run } from './command.ts';
import { checkWritable } from './evaluate.ts';
import { count } from './import-feed.ts';
import { showProgress } from './progress.ts';
import { wholeNumber } from './simulate.ts';
import { withApp } from './with-app.ts';

/** What a shell expects of a program that an interrupt has ended. */
const EXIT_INTERRUPTED = 130;
const PROGRESS_PARTS = 1_000;

export const run: Run = async (words, config) => {
  const { request: written, files } = parseCall(words);
  for (const file of Object.values(files)) if (file !== undefined) checkWritable(file);
  return withApp(config, async ({ context }) => {
    const interrupt = new AbortController();
    const onInterrupt = (): void => interrupt.abort(new Error('interrupted'));
    process.once('SIGINT', onInterrupt);
    process.once('SIGTERM', onInterrupt);
    const progress = showProgress('backtest');
    const folder = join(context.backtester.directory, `cli-${randomUUID()}`);
    try {
      // Whoever has the machine sees what is on it.
      const plan = await planOptimization(context, written, 0).catch(inWordsOfTheCommandLine);
      mkdirSync(folder, { recursive: true });
      const { length: symbols } = plan.tapes;
      const detail = `${count(symbols)} ${symbols === 1 ? 'symbol' : 'symbols'}, ${count(plan.sessions.length)} sessions`;
      const text = await optimize(context.backtester, { ...plan, folder }, interrupt.signal, (percent) =>
        progress.update(Math.round((percent / 100) * PROGRESS_PARTS), PROGRESS_PARTS, detail),
      ).finally(() => progress.end());
      console.log(printedRun(plan.request, JSON.parse(text.results), JSON.parse(text.analysis)));
      write(files, plan.request, text);
      return 0;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      console.error('backtest: stopped; nothing was written.');
      return EXIT_INTERRUPTED;
    } finally {
      rmSync(folder, { recursive: true, force: true });
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onInterrupt);
    }
  });
};

/** A refusal names fields of a body; whoever typed a line has none. */
function inWordsOfTheCommandLine(error: unknown): never {
  if (!(error instanceof ValidationRefusal)) throw error;
  const sentences = error.faults.map(({ loc, msg, input }) =>
    loc[1] === 'symbols' && loc.length === 3 ? `${String(input)}: ${msg}` : msg,
  );
  throw wrongCall(`${sentences.join('; ')}.`);
}

interface Files {
  readonly json: string | undefined;
  readonly svg: string | undefined;
}

function parseCall(words: readonly string[]): { request: OptimizationBody; files: Files } {
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
    start_date: dateOption('--from', values.from),
    end_date: dateOption('--to', values.to),
    signal_types: wordList('--signals', values.signals, SIGNAL_TYPES.length).map(signalType),
    stop_atr_range: multipliers('--stops', values.stops, REQUEST_DEFAULTS.stop_atr_range),
    target_atr_range: multipliers('--targets', values.targets, REQUEST_DEFAULTS.target_atr_range),
    top_n: wholeNumber('--top', values.top, 1, TOP_N_MAX),
    commission_per_share: figure('--commission', values.commission, COMMISSION_MAX),
    slippage_bps: figure('--slippage', values.slippage, SLIPPAGE_MAX),
  };
  return { request, files: { json: values.json, svg: values.svg } };
}

const wrongCall = (sentence: string): CodedError => new CodedError('validation_failed', sentence);

function wordList(option: string, text: string | undefined, most: number): string[] {
  const words = (text ?? '').split(',').flatMap((word) => word.trim() || []);
  if (words.length === 0) throw wrongCall(`${option} is missing: words with commas between them.`);
  if (words.length > most) throw wrongCall(`${option} takes at most ${most}.`);
  return words;
}

function dateOption(option: string, text: string | undefined): string {
  if (text === undefined) throw wrongCall(`${option} is missing: a trade date such as 2024-10-10.`);
  const date = parseDate(text);
  if (date === null) throw wrongCall(`${option} ${text} is not a date such as 2024-10-10.`);
  return date;
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

function figure(option: string, text: string, most: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= most) return value;
  throw wrongCall(`${option} ${text} is not a number from 0 to ${most}.`);
}

/** The file has the names of the wire. */
function write({ json, svg }: Files, request: OptimizationRequest, text: OptimizationText): void {
  if (json !== undefined) {
    const whole = `{"request":${JSON.stringify(request)},"results":${text.results},"analysis":${text.analysis},"grid":${text.grid}}\n`;
    writeFileSync(json, whole);
  }
  if (svg !== undefined) writeFileSync(svg, drawHeatMap(request, JSON.parse(text.grid)));
  for (const file of [json, svg]) if (file !== undefined) console.log(`written: ${file}`);
}
