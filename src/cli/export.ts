import { join } from 'node:path';
import { anonymousCaller, viewerAt } from '../api/access/viewer.ts';
import { MARKET_NAMES, type MarketName } from '../api/context/symbol-markets.ts';
import { EXPORT_KINDS } from '../api/export/kinds.ts';
import { describePlan, type ExportRequest, planExport } from '../api/export/plan-export.ts';
import { writePart } from '../api/export/write-part.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { EXPORT_FORMATS } from '../export/column.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import type { Define } from './command.ts';
import { openExportFolder } from './export-folder.ts';
import { checkRange, date, instant, list, oneOf } from './options.ts';
import { count, secondsSince } from './print.ts';
import { withProgress } from './progress.ts';
import { interruptible } from './stop-signal.ts';
import { withApp } from './with-app.ts';

interface Options extends Omit<ExportRequest, 'kind'> {
  readonly asOf?: Date;
  readonly out: string;
}

const KINDS = EXPORT_KINDS.map(({ name }) => name);
const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '1d', '1w'] as const;

export const define: Define = (command, call) => {
  command
    .argument('<kind>', KINDS.join(', '), oneOf(KINDS))
    .option('--from <date>', 'first session', date)
    .option('--to <date>', 'last session, included', date)
    .option('--symbols <list>', 'only these, e.g. SPY,IBM', list(100_000, canonicalSymbol))
    .option('--market <market>', MARKET_NAMES.join(' or '), oneOf<MarketName>(MARKET_NAMES))
    .option('--fields <list>', 'only these columns, e.g. last_price,technical.rsi_14', list(1_000))
    .option('--format <format>', EXPORT_FORMATS.join(', '), oneOf(EXPORT_FORMATS), 'parquet')
    .option('--interval <interval>', `of bars: ${INTERVALS.join(', ')}`, oneOf(INTERVALS))
    .option('--session <hours>', 'of intraday bars: regular or all', oneOf(['regular', 'all'] as const))
    .option('--adjusted', 'bars in the shares of the newest date')
    .option('--as-of <instant>', 'nothing counts that became known later', instant('end'))
    .requiredOption('--out <folder>', 'where the folder of the export is made')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run tigraph -- export facts --from 2025-01-02 --fields last_price,net_confluence --out columns\n  npm run tigraph -- export bars --from 2025-06-02 --to 2025-06-30 --symbols SPY --out columns',
    )
    .action((kind: string, options: Options) =>
      call((config) => exportColumns({ kind, ...options }, config)),
    );
};

/** Writes files one after the other; an export that was interrupted goes on where it was, as of the same instant. */
async function exportColumns(
  { asOf, out, from, to, ...question }: Options & Pick<ExportRequest, 'kind'>,
  config: Config,
): Promise<number> {
  checkRange(from, to);
  const { kind, interval = '1m' } = question;
  const folder = await openExportFolder(join(out, kind === 'bars' ? `bars_${interval}` : kind), question);
  const work = (signal: AbortSignal) =>
    withApp(config, ({ context }) =>
      atLowerPriority(context, async () => {
        const started = stopwatch();
        const then = asOf?.toISOString() ?? folder.resumedAt ?? undefined;
        if (asOf === undefined && then !== undefined) console.log(`export: goes on with that of ${then}`);
        const caller = viewerAt(anonymousCaller(context.delayMs), then, context.clock.now());
        const plan = await planExport(context, { ...question, from, to }, caller, signal);
        const { parts, ...head } = describePlan(plan);
        const total =
          plan.tapes.length * plan.parts.reduce((sum, { tradeDates }) => sum + tradeDates.length, 0);
        await folder.begin(head.as_of);
        let [done, written, rows] = [0, 0, 0];
        const manifest = await withProgress(`export ${kind}`, async ({ update }) => {
          for (const [at, part] of plan.parts.entries()) {
            const onRead = (stockDays: number): void => {
              done = Math.min(total, done + stockDays);
              update({ done, total, detail: `${count(done)} of ${count(total)} stock-days` });
            };
            if (await folder.isDone(parts[at]!)) {
              onRead(plan.tapes.length * part.tradeDates.length);
              continue;
            }
            const { path, from, to } = parts[at]!;
            const file = { path, from, to, as_of: new Date(part.asOf).toISOString() };
            const onEnd = (all: number): void => {
              rows = all;
            };
            const bytes = writePart(context, plan, part, signal, { onEnd, onRead });
            written += Number(await folder.write(file, head.as_of, bytes, () => rows));
          }
          return folder.end(head);
        });
        const { files } = manifest;
        const all = files.reduce((sum, file) => sum + file.rows, 0);
        console.log(
          `export: ${count(written)} of ${count(files.length)} files written, ${count(all)} rows, ${secondsSince(started)}`,
        );
        return 0;
      }),
    );
  return interruptible(
    'export',
    work,
    'the files that are whole stay, and the same command writes the others',
  );
}
