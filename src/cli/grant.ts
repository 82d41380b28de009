import { InvalidArgumentError, Option } from 'commander';
import { createGrant, type Grant, type GrantTerms, listGrants, revokeGrant } from '../api/access/clients.ts';
import { type AccessScope, REALTIME_SCOPE, SCOPES } from '../api/access/scopes.ts';
import { printable } from '../base/printable.ts';
import { canonicalSymbol, TICKER } from '../base/symbols.ts';
import { realTimers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { withDatabase } from '../tape/open-database.ts';
import type { Define } from './command.ts';
import { instant, list, oneOf, wholeNumber, wrongCall } from './options.ts';

const SYMBOLS_MAX = 5_000;
const AGENTS_MAX = 100;
const AGENT_LENGTH_MAX = 128;
const CALLS_MAX = 1_000_000_000;

interface CreateOptions {
  readonly scopes: readonly AccessScope[];
  readonly symbols?: readonly string[];
  readonly feed: GrantTerms['feed'];
  readonly callsPerMinute?: number;
  readonly callsPerDay?: number;
  readonly expires?: Date;
  readonly agents?: readonly string[];
  readonly json?: boolean;
}

interface ListOptions {
  readonly json?: boolean;
}

export const define: Define = (command, call) => {
  command
    .command('create <client>')
    .description('gives a client a grant')
    .requiredOption(
      '--scopes <list>',
      `what it may be used for: some of ${SCOPES.join(', ')}`,
      list(SCOPES.length, oneOf(SCOPES)),
    )
    .option('--symbols <list>', 'only these, e.g. SPY,IBM', list(SYMBOLS_MAX, symbol))
    .addOption(
      new Option('--feed <feed>', 'feed').choices(['delayed', 'realtime_sip', 'byok']).default('delayed'),
    )
    .option('--calls-per-minute <n>', 'most calls in a minute', wholeNumber(1, CALLS_MAX))
    .option('--calls-per-day <n>', 'most calls in a day', wholeNumber(1, CALLS_MAX))
    .option('--expires <when>', 'until the end of a day, or an instant, of UTC', instant('end'))
    .option('--agents <list>', 'only agents of these names', list(AGENTS_MAX, agent))
    .option('--json', 'as JSON')
    .action((client: string, options: CreateOptions) => call((config) => create(client, options, config)));
  command
    .command('list <client>')
    .description('lists the grants of a client')
    .option('--json', 'as JSON')
    .action((client: string, options: ListOptions) => call((config) => listAll(client, options, config)));
  command
    .command('revoke <id>')
    .description('ends a grant with every token of it')
    .action((id: string) => call((config) => revoke(id, config)));
};

function symbol(text: string): string {
  const read = canonicalSymbol(text);
  if (TICKER.test(read)) return read;
  throw new InvalidArgumentError(`${read} is no ticker symbol.`);
}

function agent(name: string): string {
  if (name.length <= AGENT_LENGTH_MAX) return name;
  throw new InvalidArgumentError(`A name has at most ${AGENT_LENGTH_MAX} characters.`);
}

async function create(clientId: string, options: CreateOptions, config: Config): Promise<number> {
  const { scopes, feed, expires, symbols, agents, callsPerMinute, callsPerDay } = options;
  if (feed !== 'delayed' && !scopes.includes(REALTIME_SCOPE)) {
    throw wrongCall(`--feed ${feed} takes the scope ${REALTIME_SCOPE} as well.`);
  }
  const now = realTimers.now();
  if (expires !== undefined && expires.getTime() <= now) {
    throw wrongCall(`--expires ${expires.toISOString()} has passed already.`);
  }
  const terms: GrantTerms = {
    scopes,
    feed,
    symbols: symbols ?? null,
    agents: agents ?? null,
    callsPerMinute: callsPerMinute ?? null,
    callsPerDay: callsPerDay ?? null,
    expiresAt: expires ?? null,
  };
  const grant = await withDatabase(config, (database) => createGrant(database, clientId, terms, now));
  console.log(options.json ? JSON.stringify(asJson(grant)) : lineOf(grant));
  return 0;
}

async function listAll(clientId: string, { json }: ListOptions, config: Config): Promise<number> {
  const grants = await withDatabase(config, (database) => listGrants(database, clientId));
  if (json) console.log(JSON.stringify(grants.map(asJson)));
  else for (const grant of grants) console.log(lineOf(grant));
  if (grants.length === 0 && !json) console.log('The client has no grant yet.');
  return 0;
}

async function revoke(id: string, config: Config): Promise<number> {
  const grant = await withDatabase(config, (database) => revokeGrant(database, id, realTimers.now()));
  console.log(`${grant.id} is revoked since ${grant.revokedAt!.toISOString()}, with every token of it.`);
  return 0;
}

const asJson = (grant: Grant) => ({
  grant_id: grant.id,
  client_id: grant.clientId,
  scopes: grant.scopes,
  feed: grant.feed,
  symbols: grant.symbols,
  agents: grant.agents,
  calls_per_minute: grant.callsPerMinute,
  calls_per_day: grant.callsPerDay,
  expires_at: grant.expiresAt?.toISOString() ?? null,
  created_at: grant.createdAt.toISOString(),
  revoked_at: grant.revokedAt?.toISOString() ?? null,
});

function lineOf(grant: Grant): string {
  const parts = [
    `grant  ${grant.id}`,
    grant.feed,
    grant.scopes.join(','),
    grant.symbols === null ? 'all symbols' : briefly('symbols', grant.symbols),
    grant.agents === null ? 'any agent' : briefly('agents', grant.agents),
    ...(grant.callsPerMinute === null ? [] : [`${grant.callsPerMinute} calls a minute`]),
    ...(grant.callsPerDay === null ? [] : [`${grant.callsPerDay} calls a day`]),
    ...(grant.expiresAt === null ? [] : [`until ${grant.expiresAt.toISOString()}`]),
    ...(grant.revokedAt === null ? [] : [`revoked ${grant.revokedAt.toISOString()}`]),
  ];
  return parts.join('  ');
}

const NAMES_SHOWN = 5;

function briefly(noun: string, names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map(printable).join(',');
  return `${noun} ${shown}${names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''}`;
}
