import { anonymousCaller } from '../api/access/viewer.ts';
import { listRecords } from '../api/records/list-records.ts';
import { CLAIM_KINDS, type ClaimKind } from '../api/records/schema.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import { bringRecordsUpToDate, type RecordOptions } from '../pipeline/record-pass.ts';
import type { Define } from './command.ts';
import { defineEvaluate } from './evaluate.ts';
import { checkRange, date, list, oneOf } from './options.ts';
import { count, secondsSince } from './print.ts';
import { withProgress } from './progress.ts';
import { interruptible } from './stop-signal.ts';
import { withApp, withPipeline } from './with-app.ts';

interface BuildOptions {
  readonly from?: string;
  readonly to?: string;
  readonly kinds?: readonly ClaimKind[];
}

interface PrintOptions {
  readonly kind?: ClaimKind;
  readonly symbol?: string;
  readonly json?: boolean;
}

const kinds = list(CLAIM_KINDS.length, oneOf(CLAIM_KINDS));

export const define: Define = (command, call) => {
  command
    .command('build')
    .summary('counts what became of the claims of past sessions; again, it writes what differs')
    .option('--from <date>', 'first session', date)
    .option('--to <date>', 'last session', date)
    .option('--kinds <list>', `some of ${CLAIM_KINDS.join(', ')}`, kinds)
    .action((options: BuildOptions) => call((config) => build(options, config)));
  command
    .command('extend')
    .summary('counts what new data touched, as a running service does by itself')
    .action(() => call((config) => record({}, config)));
  command
    .command('print')
    .summary('prints the records')
    .option('--kind <kind>', `one of ${CLAIM_KINDS.join(', ')}`, oneOf(CLAIM_KINDS))
    .option('--symbol <symbol>', 'of one stock', canonicalSymbol)
    .option('--json', 'prints the answer of the API')
    .action((options: PrintOptions) => call((config) => print(options, config)));
  defineEvaluate(
    command
      .command('evaluate')
      .summary('measures how well any score has ordered stocks by their returns after it'),
    call,
  );
};

async function build({ from, to, kinds }: BuildOptions, config: Config): Promise<number> {
  checkRange(from, to);
  return record({ range: { from, to }, kinds }, config);
}

async function record(options: Pick<RecordOptions, 'range' | 'kinds'>, config: Config): Promise<number> {
  return interruptible(
    'record',
    (signal) =>
      withPipeline(config, ({ context }) =>
        atLowerPriority(context, async () => {
          const started = stopwatch();
          const { dates, events, written } = await withProgress('record', ({ update }) =>
            bringRecordsUpToDate(context, { ...options, signal }, ({ kind, done, planned: total }) =>
              update({
                done,
                total,
                detail: `${kind}s, ${count(done)} of ${count(total)} sessions of all kinds`,
              }),
            ),
          );
          console.log(
            `record: ${count(dates)} sessions, ${count(events)} claims, ${count(written)} symbol-days written, ${secondsSince(started)}`,
          );
          return 0;
        }),
      ),
    'what was counted so far is kept, and the same command counts the rest',
  );
}

async function print({ json, ...request }: PrintOptions, config: Config): Promise<number> {
  return withApp(config, async ({ context }) => {
    const answer = await listRecords(context, request, anonymousCaller(context.delayMs));
    if (json === true) console.log(JSON.stringify(answer, null, 2));
    else
      for (const kind of CLAIM_KINDS)
        for (const { says } of [...answer.records, ...answer.best].filter((own) => own.kind === kind))
          console.log(says);
    return 0;
  });
}
