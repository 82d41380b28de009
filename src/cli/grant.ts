import { parseArgs } from 'node:util';
import { createGrant, type Grant, type GrantTerms, listGrants, revokeGrant } from '../api/access/grants.ts';
import { isScope, REALTIME_SCOPE, SCOPES, type Scope } from '../api/access/scopes.ts';
import { withDatabase } from '../app.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { realTimers } from '../base/timers.ts';
import type { Run } from './command.ts';
import { actions, instantOption, listOption, onlyWord, printable, wrongCall } from './options.ts';

const SYMBOLS_MAX = 5_000;
const AGENTS_MAX = 100;
const AGENT_LENGTH_MAX = 128;
const CALLS_MAX = 1_000_000_000;

export const run = actions('grant', { create, list, revoke });

async function create(...[words, config]: Parameters<Run>): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      scopes: { type: 'string' },
      symbols: { type: 'string' },
      feed: { type: 'string' },
      'calls-per-minute': { type: 'string' },
      'calls-per-day': { type: 'string' },
      expires: { type: 'string' },
      agents: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const clientId = onlyWord(positionals, 'the identifier of a client');
  const terms = termsOf(values, realTimers.now());
  const grant = await withDatabase(config, (database) =>
    createGrant(database, clientId, terms, realTimers.now()),
  );
  console.log(values.json ? JSON.stringify(asJson(grant)) : lineOf(grant));
  return 0;
}

type TermOptions = Readonly<
  Partial<
    Record<
      'scopes' | 'symbols' | 'feed' | 'calls-per-minute' | 'calls-per-day' | 'expires' | 'agents',
      string | undefined
    >
  >
>;

function termsOf(options: TermOptions, now: number): GrantTerms {
  const scopes = scopesOf(options.scopes);
  return {
    scopes,
    feed: feedOf(options.feed, scopes),
    symbols: symbolsOf(options.symbols),
    agents: agentsOf(options.agents),
    callsPerMinute: callsOf('--calls-per-minute', options['calls-per-minute']),
    callsPerDay: callsOf('--calls-per-day', options['calls-per-day']),
    expiresAt: expiryOf(options.expires, now),
  };
}

function scopesOf(text: string | undefined): Scope[] {
  const words = listOption('--scopes', text);
  const known = SCOPES.join(', ');
  if (words === null) throw wrongCall(`--scopes is missing: some of ${known}.`);
  return words.map((word) => {
    if (!isScope(word)) throw wrongCall(`--scopes knows ${known}, but not ${word}.`);
    return word;
  });
}

/** The delayed feed unless the option names the real-time one. */
function feedOf(text: string | undefined, scopes: readonly Scope[]): GrantTerms['feed'] {
  if (text === undefined || text === 'delayed') return 'delayed';
  if (text !== 'realtime_sip') throw wrongCall(`--feed must be delayed or realtime_sip, not ${text}.`);
  if (!scopes.includes(REALTIME_SCOPE)) {
    throw wrongCall(`--feed realtime_sip takes the scope ${REALTIME_SCOPE} as well.`);
  }
  return text;
}

function symbolsOf(text: string | undefined): string[] | null {
  const symbols = listOption('--symbols', text)?.map(canonicalSymbol) ?? null;
  if (symbols === null) return null;
  const invalid = symbols.find((symbol) => !/^[A-Z0-9^][A-Z0-9.^=_-]{0,19}$/.test(symbol));
  if (invalid !== undefined) throw wrongCall(`--symbols: ${invalid} is no ticker symbol.`);
  return atMost('--symbols', symbols, SYMBOLS_MAX);
}

function agentsOf(text: string | undefined): string[] | null {
  const agents = listOption('--agents', text);
  if (agents === null) return null;
  const long = agents.find((agent) => agent.length > AGENT_LENGTH_MAX);
  if (long !== undefined) throw wrongCall(`--agents: a name has at most ${AGENT_LENGTH_MAX} characters.`);
  return atMost('--agents', agents, AGENTS_MAX);
}

function atMost(option: string, words: string[], max: number): string[] {
  if (words.length > max) throw wrongCall(`${option} lists at most ${max}.`);
  return words;
}

function callsOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const calls = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (calls < 1 || calls > CALLS_MAX)
    throw wrongCall(`${option} must be a whole number from 1 to ${CALLS_MAX}.`);
  return calls;
}

function expiryOf(text: string | undefined, now: number): Date | null {
  if (text === undefined) return null;
  const expiresAt = instantOption('--expires', text, 'end');
  if (expiresAt.getTime() <= now) throw wrongCall(`--expires ${text} has passed already.`);
  return expiresAt;
}

async function list(...[words, config]: Parameters<Run>): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const clientId = onlyWord(positionals, 'the identifier of a client');
  const grants = await withDatabase(config, (database) => listGrants(database, clientId));
  if (values.json) console.log(JSON.stringify(grants.map(asJson)));
  else for (const grant of grants) console.log(lineOf(grant));
  if (grants.length === 0 && !values.json) console.log('The client has no grant yet.');
  return 0;
}

async function revoke(...[words, config]: Parameters<Run>): Promise<number> {
  const { positionals } = parseArgs({ args: [...words], allowPositionals: true, options: {} });
  const id = onlyWord(positionals, 'the identifier of a grant');
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
