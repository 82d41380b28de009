import { type AuditRow, readAudit } from '../api/access/audit-trail.ts';
import { dropKeys } from '../api/access/changes.ts';
import { type Client, createClient, listClients, readClient, revokeClient } from '../api/access/clients.ts';
import { DAY_MS } from '../base/dates.ts';
import { printable } from '../base/printable.ts';
import { realTimers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { withDatabase } from '../tape/open-database.ts';
import type { Define } from './command.ts';
import { instant, wrongCall } from './options.ts';

const NAME_MAX = 100;
const AUDIT_ROWS_MAX = 1_000;

interface Options {
  readonly json?: boolean;
}

export const define: Define = (command, call) => {
  command
    .command('create <name>')
    .description('makes a client and shows its secret, once')
    .option('--json', 'as JSON')
    .action((name: string, options: Options) => call((config) => create(name, options, config)));
  command
    .command('list')
    .description('lists all')
    .option('--json', 'as JSON')
    .action((options: Options) => call((config) => list(options, config)));
  command
    .command('revoke <id>')
    .description('ends a client with every grant and token of it')
    .action((id: string) => call((config) => revoke(id, config)));
  command
    .command('audit <id>')
    .description('shows what its agents asked')
    .option('--since <when>', 'date or instant of UTC (a day ago)', instant('begin'))
    .option('--json', 'as JSON')
    .action((id: string, options: AuditOptions) => call((config) => audit(id, options, config)));
  command
    .command('end-tokens')
    .description('drops the signing keys, and with them every token of every client')
    .action(() => call(endTokens));
};

async function create(name: string, { json }: Options, config: Config): Promise<number> {
  if (name.length > NAME_MAX || printable(name) !== name || name.trim() === '') {
    throw wrongCall(`A name has 1 to ${NAME_MAX} characters, all of them visible.`);
  }
  const { client, secret } = await withDatabase(config, (database) =>
    createClient(database, name, realTimers.now()),
  );
  if (json) console.log(JSON.stringify({ client_id: client.id, name, client_secret: secret }));
  else {
    console.log(`client  ${client.id}  ${name}`);
    console.log(`secret  ${secret}`);
    console.log('The secret is shown once and not stored; to replace a lost one, create another client.');
  }
  return 0;
}

async function list({ json }: Options, config: Config): Promise<number> {
  const clients = await withDatabase(config, listClients);
  if (json) {
    console.log(JSON.stringify(clients.map(asJson)));
    return 0;
  }
  for (const client of clients) console.log(lineOf(client));
  if (clients.length === 0)
    console.log('There is no client yet: npm run tigraph -- client create NAME makes one.');
  return 0;
}

const asJson = ({ id, name, createdAt, revokedAt }: Client) => ({
  client_id: id,
  name,
  created_at: createdAt,
  revoked_at: revokedAt,
});

const lineOf = ({ id, name, createdAt, revokedAt }: Client): string =>
  `${id}  ${createdAt.toISOString()}  ${printable(name)}${revokedAt === null ? '' : `  revoked ${revokedAt.toISOString()}`}`;

async function revoke(id: string, config: Config): Promise<number> {
  const client = await withDatabase(config, (database) => revokeClient(database, id, realTimers.now()));
  console.log(
    `${client.id} is revoked since ${client.revokedAt!.toISOString()}, with every grant and token of it.`,
  );
  return 0;
}

async function endTokens(config: Config): Promise<number> {
  await withDatabase(config, dropKeys);
  console.log('Every token has ended; agents get new ones, signed by a new key, with their secrets.');
  return 0;
}

interface AuditOptions extends Options {
  readonly since?: Date;
}

async function audit(
  id: string,
  { since = new Date(realTimers.now() - DAY_MS), json }: AuditOptions,
  config: Config,
): Promise<number> {
  const rows = await withDatabase(config, (database) => trailOf(database, id, since));
  const shown = rows.slice(0, AUDIT_ROWS_MAX);
  for (const row of shown) console.log(json ? JSON.stringify(auditJson(row)) : auditLine(row));
  if (rows.length > shown.length) {
    console.error(`These are the newest ${AUDIT_ROWS_MAX} rows; a later --since shows fewer.`);
  }
  if (rows.length === 0 && !json) console.log(`Nothing since ${since.toISOString()}.`);
  return 0;
}

async function trailOf(
  database: Parameters<typeof readAudit>[0],
  id: string,
  since: Date,
): Promise<AuditRow[]> {
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
