import { optimizeOnce } from '../api/backtest/optimize-once.ts';
import {
  COMMISSION_MAX,
  MULTIPLIER_MAX,
  MULTIPLIERS_MAX,
  REQUEST_DEFAULTS,
  SIGNAL_TYPES,
  type SignalType,
  SLIPPAGE_MAX,
  SYMBOLS_MAX,
  TOP_N_MAX,
} from '../api/backtest/schema.ts';
import { ValidationRefusal } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Config } from '../config.ts';
import { printedRun } from './backtest-text.ts';
import type { Define } from './command.ts';
import { date, figure, list, oneOf, wholeNumber, wrongCall } from './options.ts';
import { checkWritable, writeResult } from './output-file.ts';
import { count } from './print.ts';
import { withProgress } from './progress.ts';
import { interruptible } from './stop-signal.ts';
import { withApp } from './with-app.ts';

const PROGRESS_STEPS = 1_000;

interface Options {
  readonly symbols: string[];
  readonly from: string;
  readonly to: string;
  readonly signals: SignalType[];
  readonly stops: number[];
  readonly targets: number[];
  readonly top: number;
  readonly commission: number;
  readonly slippage: number;
  readonly halfSpread: boolean;
  readonly json?: string;
}

const multipliers = list(MULTIPLIERS_MAX, figure(0, MULTIPLIER_MAX, false));

export const define: Define = (command, call) => {
  command
    .requiredOption('--symbols <list>', 'e.g. SPY,IBM', list(SYMBOLS_MAX, canonicalSymbol))
    .requiredOption('--from <date>', 'first session', date)
    .requiredOption('--to <date>', 'last session', date)
    .requiredOption(
      '--signals <list>',
      `entries to try: some of ${SIGNAL_TYPES.join(', ')}`,
      list(SIGNAL_TYPES.length, oneOf(SIGNAL_TYPES)),
    )
    .option('--stops <list>', 'multiples of the daily ATR', multipliers, [...REQUEST_DEFAULTS.stop_atr_range])
    .option('--targets <list>', 'likewise', multipliers, [...REQUEST_DEFAULTS.target_atr_range])
    .option('--top <n>', 'best results', wholeNumber(1, TOP_N_MAX), REQUEST_DEFAULTS.top_n)
    .option('--commission <dollars>', 'a share, each way', figure(0, COMMISSION_MAX), 0)
    .option('--slippage <bp>', 'basis points a fill', figure(0, SLIPPAGE_MAX), 0)
    .option('--half-spread', 'half the quoted spread a fill', false)
    .option('--json <file>', 'writes the answer')
    .action((options: Options) => call((config) => backtest(options, config)));
};

async function backtest({ json, ...options }: Options, config: Config): Promise<number> {
  checkWritable(json);
  const body = {
    symbols: options.symbols,
    start_date: options.from,
    end_date: options.to,
    signal_types: options.signals,
    stop_atr_range: options.stops,
    target_atr_range: options.targets,
    top_n: options.top,
    commission_per_share: options.commission,
    slippage_bps: options.slippage,
    half_spread: options.halfSpread,
  };
  return interruptible('backtest', (signal) =>
    withApp(config, async ({ context }) => {
      signal.throwIfAborted();
      const { request, text } = await withProgress('backtest', ({ update }) =>
        optimizeOnce(context, body, signal, ({ symbols, sessions, percent }) =>
          update({
            done: Math.round((percent / 100) * PROGRESS_STEPS),
            total: PROGRESS_STEPS,
            detail: `${count(symbols)} ${symbols === 1 ? 'symbol' : 'symbols'}, ${count(sessions)} sessions`,
          }),
        ),
      ).catch(inWordsOfTheCommandLine);
      console.log(printedRun(request, JSON.parse(text.results), JSON.parse(text.analysis)));
      writeResult(
        json,
        `{"request":${JSON.stringify(request)},"results":${text.results},"analysis":${text.analysis},"grid":${text.grid}}\n`,
      );
      return 0;
    }),
  );
}

/** A refusal names fields of a request body, which a command line lacks. */
function inWordsOfTheCommandLine(error: unknown): never {
  if (!(error instanceof ValidationRefusal)) throw error;
  const sentences = error.faults.map(({ loc, msg, input }) =>
    loc[1] === 'symbols' && loc.length === 3 ? `${String(input)}: ${msg}` : msg,
  );
  throw wrongCall(`${sentences.join('; ')}.`);
}
