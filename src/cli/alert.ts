import { Option } from 'commander';
import { ALERT_KINDS, KIND_NAMES } from '../alerts/kinds/index.ts';
import { REPEATS, type Repeat } from '../alerts/rule.ts';
import { anonymousCaller, type Caller } from '../api/access/viewer.ts';
import { deleteAlert, listAlerts, listFirings, previewOf, putAlert } from '../api/alerts/keep-alerts.ts';
import { testReceiver } from '../api/alerts/keep-receivers.ts';
import { SYMBOLS_MAX } from '../api/alerts/schema.ts';
import type { App } from '../app.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { type Define, EXIT_FAILED } from './command.ts';
import { list, oneOf, wrongCall } from './options.ts';
import { withApp } from './with-app.ts';

interface AddOptions {
  readonly repeat?: Repeat;
  readonly anyway?: boolean;
  readonly try?: boolean;
}

/** Alerts of callers without a token: those of this machine. */
export const define: Define = (command, call) => {
  const parameters = ALERT_KINDS.map(({ name, example }) => `${name} '${JSON.stringify(example)}'`);
  const ask = (work: (context: App['context'], caller: Caller) => Promise<number>) =>
    call((config) => withApp(config, ({ context }) => work(context, anonymousCaller(context.delayMs))));
  command
    .command('list')
    .description('lists the alerts and what they fired last')
    .action(() => ask(show));
  command
    .command('add <symbols> <kind> <parameters>')
    .description(
      `makes an alert of a kind (${KIND_NAMES.join(', ')}) with parameters as JSON, such as ${parameters[0]}`,
    )
    .addOption(new Option('--repeat <often>', 'how often it fires for a stock').choices(REPEATS))
    .option('--anyway', 'keeps a rule that can never fire, or fires nearly each minute')
    .option('--try', 'says when it would have fired, and keeps nothing')
    .action((symbols: string, kind: string, text: string, options: AddOptions) =>
      ask((context, caller) => add(context, caller, { symbols, kind, text, ...options })),
    );
  command
    .command('delete <id>')
    .description('deletes an alert')
    .action((id: string) =>
      ask(async (context, caller) => {
        await deleteAlert(context, id, caller);
        console.log(`Alert ${id} is gone.`);
        return 0;
      }),
    );
  command
    .command('test <receiver>')
    .description('sends a receiver a test')
    .action((id: string) =>
      ask(async (context, caller) => {
        const { delivered, says } = await testReceiver(context, id, caller);
        console.log(says);
        return delivered ? 0 : EXIT_FAILED;
      }),
    );
};

async function show(context: App['context'], caller: Caller): Promise<number> {
  const alerts = await listAlerts(context, caller);
  for (const { id, sentence, state, fired } of alerts)
    console.log(`${id}  ${sentence} (${state}, fired ${fired}x)`);
  if (alerts.length === 0) console.log('No alerts.');
  const { firings } = await listFirings(context, { limit: '10' }, caller);
  for (const { at, symbol, says } of firings) console.log(`${at.toISOString()}  ${symbol}: ${says}`);
  return 0;
}

interface Added extends AddOptions {
  readonly symbols: string;
  readonly kind: string;
  /** Parameters as JSON. */
  readonly text: string;
}

async function add(context: App['context'], caller: Caller, added: Added): Promise<number> {
  const { repeat, anyway = false } = added;
  const rule = {
    kind: oneOf(KIND_NAMES)(added.kind),
    parameters: parametersIn(added.text),
    symbols: list(SYMBOLS_MAX, canonicalSymbol)(added.symbols),
    repeat,
  };
  if (added.try === true) {
    const { sentence, says, firings } = await previewOf(context, rule, caller);
    console.log(`${sentence}. ${says}`);
    for (const one of firings) console.log(`${one.at}  ${one.symbol}: ${one.says}`);
    return 0;
  }
  const { id, sentence } = await putAlert(context, null, { ...rule, anyway }, caller);
  console.log(`${id}  ${sentence}`);
  return 0;
}

function parametersIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw wrongCall(`The parameters are no JSON: ${text}`);
  }
}
