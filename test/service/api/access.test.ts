import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Access, openAccess } from '../../../src/api/access/access.ts';
import { dropKeys } from '../../../src/api/access/changes.ts';
import {
  createClient,
  createGrant,
  type GrantTerms,
  listClients,
  listGrants,
  revokeClient,
  revokeGrant,
} from '../../../src/api/access/clients.ts';
import { requireSymbols } from '../../../src/api/access/viewer.ts';
import { exchangeToken } from '../../../src/api/token/exchange-token.ts';
import { Scope } from '../../../src/base/scope.ts';
import type { Database } from '../../../src/database/database.ts';
import { readMigrations } from '../../../src/database/migrate.ts';
import { type Credentials, type HandClock, handClock, newCredentials, WIDE } from '../../support/access.ts';
import { freshStore } from '../../support/app.ts';
import { allHeard } from '../../support/database.ts';

/** Clients, grants, keys and tokens on the store, without HTTP. */

const DELAY_MS = 900_000;
const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-02T12:00:00Z');
/** An exchange of no particular address that nobody watches. */
const asker = { address: '192.0.2.1', onClient: () => {} };
let clock: HandClock;
let access: Access;

const openHere = (on: Database = database): Promise<Access> =>
  openAccess({ database: on, clock, delayMs: DELAY_MS, scope: new Scope('access') });

beforeEach(async () => {
  clock = handClock(START);
  await database.query('delete from access_key');
  access = await openHere();
  const opened = access;
  onTestFinished(() => opened.close());
});

const grantOf = (terms: Partial<GrantTerms> = {}): Promise<Credentials> =>
  newCredentials(database, terms, clock.now());

const exchange = (credentials: Credentials, more: { ttl?: number; scopes?: GrantTerms['scopes'] } = {}) =>
  exchangeToken(
    access,
    {
      ...credentials,
      agent_id: 'agent',
      scopes: [...(more.scopes ?? ['stock:read'])],
      ttl_seconds: more.ttl ?? 60,
    },
    asker,
  );

/** A token; that its grant, client and key are new has been heard, so nobody forgets it for that reason. */
async function tokenOf(...asked: Parameters<typeof exchange>): Promise<string> {
  const { access_token } = await exchange(...asked);
  await allHeard(database);
  return access_token;
}

const verdict = (token: string, at: Access = access): Promise<string> =>
  at.tokens.callerOf(token).then(
    ({ source }) => source,
    (error: { code: string }) => error.code,
  );

const partsOf = (token: string): [header: Record<string, unknown>, payload: Record<string, unknown>] =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as never;

const store = await freshStore();
const database = await store.open();

describe('clients and grants', () => {
  it('are kept without the secret', async () => {
    const { client, secret } = await createClient(database, 'a desk', START);
    const [row] = await database.query<Record<string, unknown>>('select * from access_client where id = $1', [
      client.id,
    ]);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(row)).not.toContain(secret.slice(4));
    expect(row).toMatchObject({ name: 'a desk', secret_hash: expect.stringMatching(/^\$argon2id\$/) });
    expect(await listClients(database)).toContainEqual(client);
  });

  it('give back the terms that they were made with', async () => {
    const { client } = await createClient(database, 'terms', START);
    const terms: GrantTerms = {
      scopes: ['stock:read', 'chat:read'],
      feed: 'delayed',
      symbols: ['SPY', 'BRK.B'],
      agents: ['chart, the agent', 'other'],
      callsPerMinute: 10,
      callsPerDay: 100,
      expiresAt: new Date(START + 1),
    };
    const grant = await createGrant(database, client.id, terms, START);
    expect(grant).toMatchObject(terms);
    expect(await listGrants(database, client.id)).toEqual([grant]);
  });

  it('are revoked once: a second time changes nothing', async () => {
    const { client_id, grant_id } = await grantOf();
    const first = await revokeGrant(database, grant_id, START + 1);
    const again = await revokeGrant(database, grant_id, START + 2);
    expect([first.revokedAt, again.revokedAt]).toEqual([new Date(START + 1), new Date(START + 1)]);
    await revokeClient(database, client_id, START + 3);
    expect((await revokeClient(database, client_id, START + 4)).revokedAt).toEqual(new Date(START + 3));
    await expect(createGrant(database, client_id, WIDE, START)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each(['client_00000000000000000000', 'nobody', "'; drop table access_client; --", '', 'zero \0'])(
    'of the identifier %j are unknown',
    async (id) => {
      await expect(revokeClient(database, id, START)).rejects.toMatchObject({ code: 'unknown_client' });
      await expect(listGrants(database, id)).rejects.toMatchObject({ code: 'unknown_client' });
      await expect(revokeGrant(database, id, START)).rejects.toMatchObject({ code: 'unknown_grant' });
    },
  );
});

describe('a token', () => {
  it('says who, under which grant, for what and for how long, signed with Ed25519', async () => {
    const credentials = await grantOf();
    const [header, payload] = partsOf(
      await tokenOf(credentials, { ttl: 300, scopes: ['stock:read', 'chat:read'] }),
    );
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    const iat = START / 1_000;
    expect(payload).toEqual({
      iss: 'tigraph',
      aud: 'tigraph',
      sub: credentials.client_id,
      grant_id: credentials.grant_id,
      agent_id: 'agent',
      scope: 'stock:read chat:read',
      iat,
      nbf: iat - 5,
      exp: iat + 300,
      jti: expect.any(String),
    });
    expect(partsOf(await tokenOf(credentials))[1].jti).not.toBe(payload.jti);
  });

  it('holds until its second and not beyond, remembered or not', async () => {
    const token = await tokenOf(await grantOf(), { ttl: 30 });
    expect(await verdict(token)).toBe('delayed');
    clock.instant = START + 29_999;
    expect([await verdict(token), access.tokens.peek(token)?.source]).toEqual(['delayed', 'delayed']);
    clock.instant = START + 30_000;
    expect([access.tokens.peek(token), await verdict(token)]).toEqual([null, 'invalid_token']);
  });

  it('never outlives its grant', async () => {
    const credentials = await grantOf({ expiresAt: new Date(START + 45_500) });
    const { expires_in, expires_at, access_token } = await exchange(credentials, { ttl: 60 });
    expect([expires_in, expires_at]).toEqual([45, '2026-03-02T12:00:45.000Z']);
    clock.instant = START + 44_999;
    expect(await verdict(access_token)).toBe('delayed');
    clock.instant = START + 45_000;
    expect(await verdict(access_token)).toBe('invalid_token');
    await expect(exchange(credentials)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  it.each<[GrantTerms['feed'], GrantTerms['scopes'], string, number]>([
    ['realtime_sip', ['stock:read', 'market-data:realtime'], 'realtime_sip', 0],
    ['realtime_sip', ['stock:read'], 'delayed', DELAY_MS],
    ['byok', ['stock:read', 'market-data:realtime'], 'byok', 0],
    ['byok', ['stock:read'], 'delayed', DELAY_MS],
    ['delayed', ['stock:read', 'market-data:realtime'], 'delayed', DELAY_MS],
    ['delayed', ['stock:read'], 'delayed', DELAY_MS],
  ])('under a grant of the %s feed with the scopes %j sees %s', async (feed, scopes, source, delayMs) => {
    const token = await tokenOf(await grantOf({ feed }), { scopes });
    expect(await access.tokens.callerOf(token)).toMatchObject({ source, delayMs });
  });

  it('has the symbols of its grant', async () => {
    const caller = await access.tokens.callerOf(await tokenOf(await grantOf({ symbols: ['SPY', 'IBM'] })));
    expect(() => requireSymbols(caller, ['SPY', 'IBM'])).not.toThrow();
    expect(() => requireSymbols(caller, ['SPY', 'QQQ'])).toThrow('QQQ');
    const other = await access.tokens.callerOf(await tokenOf(await grantOf({ symbols: ['BRK-B', 'SPX'] })));
    expect(other.symbols).toEqual(new Set(['BRK.B', '^SPX']));
    const wide = await access.tokens.callerOf(await tokenOf(await grantOf()));
    expect(() => requireSymbols(wide, ['QQQ'])).not.toThrow();
  });

  it('is verified once for a burst of calls, and checked again after half a minute', async () => {
    const token = await tokenOf(await grantOf(), { ttl: 900 });
    const burst = await Promise.all([access.tokens.callerOf(token), access.tokens.callerOf(token)]);
    expect(burst[0]).toBe(burst[1]);
    expect(access.tokens.size).toBe(1);
    clock.instant = START + 29_999;
    expect(access.tokens.peek(token)).not.toBeNull();
    clock.instant = START + 30_000;
    expect(access.tokens.peek(token)).toBeNull();
    expect(await verdict(token)).toBe('delayed');
  });
});

describe('a token is refused', () => {
  /** A token with something different about it, signed by the true key. */
  async function signed(header: Record<string, unknown>, payload: Record<string, unknown>): Promise<string> {
    const [good, claims] = partsOf(await tokenOf(await grantOf()));
    const { key } = await access.keys.signing();
    const all = Object.fromEntries(
      Object.entries({ ...claims, ...payload }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(all).setProtectedHeader({ ...good, ...header } as { alg: string }).sign(key);
  }

  it('never when nothing is different', async () => {
    expect(await verdict(await signed({}, {}))).toBe('delayed');
  });

  const now = START / 1_000;
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['of another issuer', {}, { iss: 'elsewhere' }],
    ['for another audience', {}, { aud: 'elsewhere' }],
    ['of another kind', { typ: 'JWT' }, {}],
    ['of no kind', { typ: undefined }, {}],
    ['that is not good yet', {}, { nbf: now + 1 }],
    ['that is over', {}, { exp: now }],
    ['without an end', {}, { exp: undefined }],
    ['without a beginning', {}, { nbf: undefined }],
    ['without a subject', {}, { sub: undefined }],
    ['without a grant', {}, { grant_id: undefined }],
    ['without scopes', {}, { scope: undefined }],
    ['of a client that is none', {}, { sub: 'client_00000000000000000000' }],
    ["of another client's grant", {}, { grant_id: 'grant_00000000000000000000' }],
    ['whose key nobody knows', { kid: 'another' }, {}],
    ['that names no key', { kid: undefined }, {}],
    ['that names a key by address', { kid: undefined, jku: 'https://example.org/keys' }, {}],
  ])('%s', async (_, header, payload) => {
    expect(await verdict(await signed(header, payload))).toBe('invalid_token');
  });

  it('that is good in this second although not in the one before', async () => {
    const token = await signed({}, { nbf: now });
    expect(await verdict(token)).toBe('delayed');
    clock.instant = START - 1;
    access.tokens.forget();
    expect(await verdict(token)).toBe('invalid_token');
  });

  it('signed by another key that takes the name of ours', async () => {
    const [header, payload] = partsOf(await tokenOf(await grantOf()));
    const { privateKey } = await generateKeyPair('EdDSA');
    const forged = await new SignJWT(payload).setProtectedHeader(header as { alg: string }).sign(privateKey);
    expect(await verdict(forged)).toBe('invalid_token');
  });

  it('of another algorithm: none, a shared secret made of the public key, an elliptic curve', async () => {
    const [header, payload] = partsOf(await tokenOf(await grantOf()));
    const [published] = await access.keys.publicKeys();
    const ec = await generateKeyPair('ES256');
    const forgeries = [
      new UnsecuredJWT(payload).encode(),
      `${[{ ...header, alg: 'none' }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`,
      await new SignJWT(payload)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(Buffer.from(published!.x, 'base64url')),
      await new SignJWT(payload)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(Buffer.from(JSON.stringify(published))),
      await new SignJWT(payload).setProtectedHeader({ ...header, alg: 'ES256' }).sign(ec.privateKey),
    ];
    expect(await Promise.all(forgeries.map((token) => verdict(token)))).toEqual(
      forgeries.map(() => 'invalid_token'),
    );
  });

  it('with any one character changed', async () => {
    const token = await tokenOf(await grantOf());
    const verdicts = new Set<string>();
    // The last character of each part carries bits that encoders leave out; every other one counts.
    const ends = new Set([token.indexOf('.') - 1, token.lastIndexOf('.') - 1, token.length - 1]);
    for (let at = 0; at < token.length; at++) {
      if (ends.has(at)) continue;
      const other = token[at] === 'A' ? 'B' : 'A';
      verdicts.add(await verdict(token.slice(0, at) + other + token.slice(at + 1)));
    }
    expect([...verdicts]).toEqual(['invalid_token']);
  });

  it.each(['', 'x', 'a.b.c', '..', `${'a'.repeat(9_000)}.b.c`, 'null', '{}'])(
    'when it is %j',
    async (token) => {
      expect(await verdict(token)).toBe('invalid_token');
    },
  );
});

describe('revocation', () => {
  it.each(['client', 'grant'] as const)('of a %s ends its tokens, in every process', async (what) => {
    const elsewhere = await openHere(await store.open());
    onTestFinished(() => elsewhere.close());
    const credentials = await grantOf();
    const token = await tokenOf(credentials, { ttl: 900 });
    await allHeard(elsewhere.database);
    expect([await verdict(token), await verdict(token, elsewhere)]).toEqual(['delayed', 'delayed']);
    expect(elsewhere.tokens.peek(token)).not.toBeNull();
    if (what === 'client') await revokeClient(database, credentials.client_id, clock.now());
    else await revokeGrant(database, credentials.grant_id, clock.now());
    await allHeard(elsewhere.database);
    await allHeard(database);
    expect([access.tokens.peek(token), elsewhere.tokens.peek(token)]).toEqual([null, null]);
    expect([await verdict(token), await verdict(token, elsewhere)]).toEqual([
      'invalid_token',
      'invalid_token',
    ]);
    await expect(exchange(credentials)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  it('of one grant leaves the others of its client alone', async () => {
    const credentials = await grantOf();
    const other = await createGrant(database, credentials.client_id, WIDE, START);
    const token = await tokenOf({ ...credentials, grant_id: other.id });
    await revokeGrant(database, credentials.grant_id, START);
    access.tokens.forget();
    expect(await verdict(token)).toBe('delayed');
  });
});

describe('signing keys', () => {
  const kids = async (): Promise<string[]> => (await access.keys.publicKeys()).map(({ kid }) => kid);
  const LONG = { expiresAt: null } as const;

  it('are made with the first token and outlive the process', async () => {
    expect(await kids()).toEqual([]);
    const token = await tokenOf(await grantOf(LONG));
    expect(await kids()).toEqual([partsOf(token)[0].kid]);
    const restarted = await openHere(await store.open());
    onTestFinished(() => restarted.close());
    expect(await verdict(token, restarted)).toBe('delayed');
    expect((await restarted.keys.signing()).kid).toBe(partsOf(token)[0].kid);
  });

  it('publish nothing of the private half', async () => {
    await tokenOf(await grantOf());
    for (const key of await access.keys.publicKeys()) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    }
  });

  it('sign for thirty days; the old one verifies until its last token is over, and is erased', async () => {
    const credentials = await grantOf(LONG);
    const old = partsOf(await tokenOf(credentials))[0].kid;
    clock.instant = START + 30 * DAY_MS - 1;
    const last = await tokenOf(credentials, { ttl: 900 });
    expect(partsOf(last)[0].kid).toBe(old);
    clock.instant = START + 30 * DAY_MS;
    const young = partsOf(await tokenOf(credentials))[0].kid;
    expect(young).not.toBe(old);
    expect(await verdict(last)).toBe('delayed');
    expect(await kids()).toEqual([old, young]);
    const halves = await database.query(
      'select kid, private_jwk is null as erased from access_key order by created_at',
    );
    expect(halves).toEqual([
      { kid: old, erased: true },
      { kid: young, erased: false },
    ]);
    const verifiesMs = 30 * DAY_MS + 900_000 + 3_600_000;
    clock.instant = START + verifiesMs - 1;
    expect(await kids()).toEqual([old, young]);
    clock.instant = START + verifiesMs;
    expect(await kids()).toEqual([young]);
    expect(await access.keys.verifying(String(old))).toBeNull();
    clock.instant = START + 60 * DAY_MS;
    await tokenOf(credentials);
    expect(await kids()).not.toContain(old);
    expect(await database.query('select from access_key where kid = $1', [old])).toEqual([]);
  });

  it('end every token when they are dropped, and the next exchange makes another', async () => {
    const credentials = await grantOf(LONG);
    const token = await tokenOf(credentials);
    expect(await verdict(token)).toBe('delayed');
    await dropKeys(database);
    await allHeard(database);
    expect(await verdict(token)).toBe('invalid_token');
    expect(await verdict(await tokenOf(credentials))).toBe('delayed');
    expect(await kids()).not.toContain(partsOf(token)[0].kid);
  });

  it('of another process are found as soon as a token names them, heard of or not, once a second', async () => {
    const deaf = await openHere({ ...(await store.open()), listen: async () => () => {} });
    onTestFinished(() => deaf.close());
    expect(await deaf.keys.publicKeys()).toEqual([]);
    expect(await verdict(await tokenOf(await grantOf()), deaf)).toBe('delayed');
    await dropKeys(database);
    access.keys.forget();
    const next = await tokenOf(await grantOf());
    expect(await verdict(next, deaf)).toBe('invalid_token');
    clock.instant = START + 1_000;
    expect(await verdict(next, deaf)).toBe('delayed');
  });

  it('are one, however many processes begin at once', async () => {
    const several = await Promise.all([1, 2, 3].map(async () => openHere(await store.open())));
    onTestFinished(async () => void (await Promise.all(several.map((each) => each.close()))));
    const made = await Promise.all([...several, access, access].map(({ keys }) => keys.signing()));
    expect(new Set(made.map(({ kid }) => kid)).size).toBe(1);
  });
});

describe('grants from when two scopes opened internal addresses', () => {
  it.each([
    [
      ['stock:read', 'diffusion:compute', 'internal:call'],
      ['stock:read', 'internal:call'],
    ],
    [['diffusion:compute', 'stock:read'], ['stock:read']],
    [['internal:call'], []],
    [
      ['chat:read', 'stock:read'],
      ['chat:read', 'stock:read'],
    ],
  ])('give what they gave: %j', async (before, after) => {
    const { client_id, grant_id } = await grantOf();
    await database.query('update access_grant set scopes = $2 where id = $1', [grant_id, before]);
    const { sql } = readMigrations().find(({ name }) => name.includes('scopes'))!;
    await database.query(sql);
    const [grant] = await listGrants(database, client_id);
    expect(grant!.scopes).toEqual(after);
  });
});
