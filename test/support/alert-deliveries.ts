import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AlertDelivery, type DeliveryContext } from '../../src/alerts/delivery.ts';
import { firingId } from '../../src/alerts/judge.ts';
import { writeJudged } from '../../src/alerts/store.ts';
import type { Scope } from '../../src/base/scope.ts';
import type { Database } from '../../src/database/database.ts';

/** A rule that fires minute by minute, and its way to a webhook, as fault points interrupt it. */

/** Often enough for the tenth passage. */
export const FIRED = 11;
const DATE = '2024-03-05';
const RULE = '5b0d8f5e-6b0c-4c43-9a39-2f5f0a4b8a11';
/** A rule, and where its alerts go. */
export async function keepRule(database: Database): Promise<void> {
  await database.write(
    `insert into alert_rule (id, owner, kind, parameters, symbols, simulated, hours, repeat, delay_ms, since, created_at)
     values ($1::uuid, '', 'silent', '{"minutes":5}', array['ACME'], false, 'regular', 'each', 0, 'epoch', 'epoch')
     on conflict do nothing`,
    [RULE],
  );
  await database.write(
    `insert into alert_receiver (id, owner, channel, target, per_day, created_at)
     values ($1::uuid, '', 'webhook', '{}', 1000, 'epoch')
     on conflict do nothing`,
    [RULE],
  );
}

/** Has a rule fire minute by minute; each firing arrives, and under one id. */
export async function fireAndDeliver(
  context: DeliveryContext & { readonly database: Database; readonly scope: Scope },
  received: string,
  acknowledge: (query: string) => void,
): Promise<void> {
  const { database, scope } = context;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      appendFileSync(received, `${request.headers['webhook-id']}\n`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const target = JSON.stringify({ address, secret: 'whsec_c2VjcmV0IG9mIGEgdGVzdA==' });
  await database.write('update alert_receiver set target = $1::json', [target]);
  const delivering = scope.child('delivering');
  await new AlertDelivery(delivering, context, (error) => process.emitWarning(String(error))).begin();
  const ids = Array.from({ length: FIRED }, (_, index) =>
    firingId(RULE, 'ACME', DATE, Date.parse(`${DATE}T15:00:00Z`) + index * 60_000),
  );
  for (const [index, id] of ids.entries()) {
    const at = Date.parse(`${DATE}T15:00:00Z`) + index * 60_000;
    const firing = {
      id,
      rule: RULE,
      owner: '',
      symbol: 'ACME',
      tradeDate: DATE,
      at,
      price: 1,
      says: 'no bar for 5 minutes',
      sentence: 'ACME, when no bar comes for 5 minutes, each time',
    };
    const seen = { rule: RULE, symbol: 'ACME', at, tradeDate: DATE, state: index, today: index, ever: index };
    await writeJudged(database, { simulated: false, at, firings: [firing], seen: [seen] });
    acknowledge(`select from alert_firing where id = '${id}'`);
    await context.scope.idle();
    await database.heard(await database.announced());
    await context.scope.idle();
    acknowledge(`select from alert_outbox where firing = '${id}' and state = 'delivered'`);
  }
  await delivering.close();
  receiver.close();
  const arrived = new Set((await readFile(received, 'utf8')).split('\n').filter(Boolean));
  if (arrived.size !== ids.length || ids.some((id) => !arrived.has(id)))
    throw new Error(`${arrived.size} of ${ids.length} alerts arrived`);
}
