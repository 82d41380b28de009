import { Option } from 'commander';
import { ALERT_KINDS, KIND_NAMES } from '../alerts/kinds/index.ts';
import { REPEATS, type Repeat } from '../alerts/rule.ts';
import { anonymousCaller } from '../api/access/viewer.ts';
import { deleteAlert, listAlerts, listFirings, previewOf, putAlert } from '../api/alerts/keep-alerts.ts';
import { testReceiver } from '../api/alerts/keep-receivers.ts';
import type { App } from '../app.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Config } from '../config.ts';
import { type Define, EXIT_FAILED } from './command.ts';
import { list, oneOf, wrongCall } from './options.ts';
import { withApp } from './with-app.ts';

const SYMBOLS_MAX = 100;

interface AddOptions {
  readonly repeat?: Repeat;
  readonly anyway?: boolean;
  readonly try?: boolean;
}

/** Alerts of callers without a token: those of this machine. */
export const define: Define = (command, call) => {
  const parameters = ALERT_KINDS.map(({ name, example }) => `${name} '${JSON.stringify(example)}'`);
  command
    .command('list')
    .description('lists the alerts and what they fired last')
    .action(() => call((config) => onApp(config, show)));
  command
    .command('add <symbols> <kind> <parameters>')
    .description(
      `makes an alert of a kind (${KIND_NAMES.join(', ')}) with parameters as JSON, such as ${parameters[0]}`,
    )
    .addOption(new Option('--repeat <often>', 'how often it fires for a stock').choices(REPEATS))
    .option('--anyway', 'keeps a rule that can never fire, or fires nearly each minute')
    .option('--try', 'says when it would have fired, and keeps nothing')
    .action((symbols: string, kind: string, text: string, options: AddOptions) =>
      call((config) => onApp(config, (app) => add(app, symbols, kind, text, options))),
    );
  command
    .command('delete <id>')
    .description('deletes an alert')
    .action((id: string) =>
      call((config) =>
        onApp(config, async (app) => {
          await deleteAlert(app.context, id, callerOf(app));
          console.log(`Alert ${id} is gone.`);
          return 0;
        }),
      ),
    );
  command
    .command('test <receiver>')
    .description('sends a receiver a test')
    .action((id: string) =>
      call((config) =>
        onApp(config, async (app) => {
          const { delivered, says } = await testReceiver(app.context, id, callerOf(app));
          console.log(says);
          return delivered ? 0 : EXIT_FAILED;
        }),
      ),
    );
};

const onApp = (config: Config, work: (app: App) => Promise<number>): Promise<number> => withApp(config, work);

const callerOf = ({ context: { delayMs } }: App) => anonymousCaller(delayMs);

async function show(app: App): Promise<number> {
  const alerts = await listAlerts(app.context, callerOf(app));
  for (const { id, sentence, state, fired } of alerts)
    console.log(`${id}  ${sentence} (${state}, fired ${fired}x)`);
  if (alerts.length === 0) console.log('No alerts.');
  const { firings } = await listFirings(app.context, { limit: '10' }, callerOf(app));
  for (const { at, symbol, says } of firings) console.log(`${at.toISOString()}  ${symbol}: ${says}`);
  return 0;
}

async function add(
  app: App,
  symbols: string,
  kind: string,
  text: string,
  { repeat, anyway = false, try: isTried = false }: AddOptions,
): Promise<number> {
  const rule = {
    kind: oneOf(KIND_NAMES)(kind),
    parameters: parametersIn(text),
    symbols: list(SYMBOLS_MAX, canonicalSymbol)(symbols),
    repeat,
  };
  if (isTried) {
    const { sentence, says, firings } = await previewOf(app.context, rule, callerOf(app));
    console.log(`${sentence}. ${says}`);
    for (const one of firings) console.log(`${one.at}  ${one.symbol}: ${one.says}`);
    return 0;
  }
  const { id, sentence } = await putAlert(app.context, null, { ...rule, anyway }, callerOf(app));
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
