import { parseArgs } from 'node:util';
import { type AuditRow, readAudit } from '../api/access/audit-trail.ts';
import { type Client, createClient, listClients, readClient, revokeClient } from '../api/access/clients.ts';
import { dropKeys } from '../api/access/signing-keys.ts';
import type { AppContext } from '../api/context/app-context.ts';
import { withDatabase } from '../app.ts';
import { DAY_MS } from '../base/dates.ts';
import { realTimers } from '../base/timers.ts';
import type { Run } from './command.ts';
import { actions, instantOption, onlyWord, printable, wrongCall } from './options.ts';

const NAME_MAX = 100;
/** Rows that `audit` prints. */
const AUDIT_ROWS_MAX = 1_000;

export const run = actions('client', { create, list, revoke, audit, 'end-tokens': endTokens });

async function create(...[words, config]: Parameters<Run>): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const name = nameOf(onlyWord(positionals, 'a name'));
  const { client, secret } = await withDatabase(config, (database) =>
    createClient(database, name, realTimers.now()),
  );
  if (values.json) console.log(JSON.stringify({ client_id: client.id, name, client_secret: secret }));
  else {
    console.log(`client  ${client.id}  ${name}`);
    console.log(`secret  ${secret}`);
    console.log('The secret is shown once and not stored; to replace a lost one, create another client.');
  }
  return 0;
}

function nameOf(name: string): string {
  if (name.length > NAME_MAX || printable(name) !== name || name.trim() === '') {
    throw wrongCall(`A name has 1 to ${NAME_MAX} characters, all of them visible.`);
  }
  return name;
}

async function list(...[words, config]: Parameters<Run>): Promise<number> {
  const { values } = parseArgs({ args: [...words], options: { json: { type: 'boolean' } } });
  const clients = await withDatabase(config, listClients);
  if (values.json) {
    console.log(JSON.stringify(clients.map(asJson)));
    return 0;
  }
  for (const client of clients) console.log(lineOf(client));
  if (clients.length === 0) console.log('There is no client yet: tigraph client create NAME makes one.');
  return 0;
}

const asJson = ({ id, name, createdAt, revokedAt }: Client) => ({
  client_id: id,
  name,
  created_at: createdAt.toISOString(),
  revoked_at: revokedAt?.toISOString() ?? null,
});

const lineOf = ({ id, name, createdAt, revokedAt }: Client): string =>
  `${id}  ${createdAt.toISOString()}  ${name}${revokedAt === null ? '' : `  revoked ${revokedAt.toISOString()}`}`;

async function revoke(...[words, config]: Parameters<Run>): Promise<number> {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const id = onlyWord(positionals, 'the identifier of a client');
  const client = await withDatabase(config, (database) => revokeClient(database, id, realTimers.now()));
  console.log(
    `${client.id} is revoked since ${client.revokedAt!.toISOString()}, with every grant and token of it.`,
  );
  return 0;
}

async function endTokens(...[words, config]: Parameters<Run>): Promise<number> {
  parseArgs({ args: [...words], options: {} });
  await withDatabase(config, dropKeys);
  console.log('Every token has ended; agents get new ones, signed by a new key, with their secrets.');
  return 0;
}

async function audit(...[words, config]: Parameters<Run>): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { since: { type: 'string' }, json: { type: 'boolean' } },
  });
  const id = onlyWord(positionals, 'the identifier of a client');
  const since =
    values.since === undefined
      ? new Date(realTimers.now() - DAY_MS)
      : instantOption('--since', values.since, 'begin');
  const rows = await withDatabase(config, (database) => trailOf(database, id, since));
  const shown = rows.slice(0, AUDIT_ROWS_MAX);
  for (const row of shown) console.log(values.json ? JSON.stringify(auditJson(row)) : auditLine(row));
  if (rows.length > shown.length) {
    console.error(`These are the newest ${AUDIT_ROWS_MAX} rows; a later --since shows fewer.`);
  }
  if (rows.length === 0 && !values.json) console.log(`Nothing since ${since.toISOString()}.`);
  return 0;
}

async function trailOf(database: AppContext['database'], id: string, since: Date): Promise<AuditRow[]> {
  await readClient(database, id);
  return readAudit(database, id, since, AUDIT_ROWS_MAX + 1);
}

const auditJson = (row: AuditRow) => ({
  first_at: row.firstAt.toISOString(),
  last_at: row.lastAt.toISOString(),
  agent_id: row.agentId,
  grant_id: row.grantId,
  operation: row.operation,
  symbol: row.symbol,
  status: row.status,
  calls: row.calls,
});

function auditLine({ firstAt, agentId, grantId, operation, symbol, status, calls }: AuditRow): string {
  const what = symbol === null ? operation : `${operation} ${symbol}`;
  const times = calls === 1 ? '' : `  ${calls} times`;
  return `${firstAt.toISOString()}  ${status}  ${what}  ${printable(agentId)}  ${grantId ?? 'no grant of it'}${times}`;
}
