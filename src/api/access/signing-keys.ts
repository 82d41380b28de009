import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Static } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/dates.ts';
import { at } from '../../base/fault-points.ts';
import { Type } from '../../base/type.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { announceAccessChange } from './changes.ts';

export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.String(),
          crv: Type.String(),
          x: Type.String({ description: 'The public key.' }),
          kid: Type.String({ description: 'Its name; the header of a token says which one signed it.' }),
          alg: Type.String(),
          use: Type.String(),
        },
        { title: 'JsonWebKey' },
      ),
    ),
  },
  { title: 'JsonWebKeySet', description: 'Public keys that tokens of this installation verify with.' },
);

export type KeySet = Static<typeof KeySet>;

export const ALGORITHM = 'EdDSA';
const TOKEN_LIFE_MAX_S = 900;

/** A key signs for this long. */
const SIGNS_MS = 30 * DAY_MS;
/** And verifies until its last token has expired, plus an hour for clock skew. */
const VERIFIES_MS = SIGNS_MS + TOKEN_LIFE_MAX_S * 1_000 + 3_600_000;
/** An unknown key id has the keys read again, at most this often: anybody can make one up. */
const REREAD_EVERY_MS = 1_000;
/** Advisory lock; the same in every version of the program. */
const ROTATION_LOCK = 7_461_726_171;

interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  /** Null once the key no longer signs. */
  readonly privateJwk: JWK | null;
  readonly createdAt: Date;
}

export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

type KeyRing = Awaited<ReturnType<typeof readRing>>;

/** The Ed25519 keys of this installation: one that signs, and those that verify. */
export class SigningKeys {
  readonly #database: Database;
  readonly #clock: Clock;
  #ring: Promise<KeyRing> | null = null;
  #rotation: Promise<void> | null = null;
  /** When an unknown key id last had the keys read again, epoch milliseconds. */
  #rereadAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The key that signs now; makes one if there is none young enough. */
  async signing(): Promise<SigningKey> {
    for (;;) {
      const { signing } = await this.#read();
      if (signing && this.#clock.now() < signing.until) return signing;
      this.#rotation ??= rotate(this.#database, this.#clock.now()).finally(() => {
        this.#rotation = null;
        this.forget();
      });
      await this.#rotation;
    }
  }

  async verifying(kid: string): Promise<CryptoKey | null> {
    let ring = await this.#read();
    if (!ring.verifying.has(kid)) {
      // Another process may have made it, and this one not heard of it yet.
      if (this.#clock.now() - this.#rereadAt >= REREAD_EVERY_MS) {
        this.#rereadAt = this.#clock.now();
        this.forget();
      }
      ring = await this.#read();
    }
    const known = ring.verifying.get(kid);
    return known === undefined || this.#clock.now() >= known.until ? null : known.key;
  }

  /** Public keys that verify, as JSON Web Keys (RFC 8037). */
  async publicKeys(): Promise<KeySet['keys']> {
    const { verifying } = await this.#read();
    const now = this.#clock.now();
    return [...verifying]
      .filter(([, { until }]) => now < until)
      .map(([kid, { publicJwk }]) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        x: publicJwk.x!,
        kid,
        alg: ALGORITHM,
        use: 'sig',
      }));
  }

  forget(): void {
    this.#ring = null;
  }

  #read(): Promise<KeyRing> {
    if (this.#ring !== null) return this.#ring;
    const ring = readRing(this.#database);
    this.#ring = ring;
    ring.catch(() => {
      if (this.#ring === ring) this.#ring = null;
    });
    return ring;
  }
}

/** The stored keys, imported. */
async function readRing(database: Database) {
  const stored = await readKeys(database);
  const verifying = stored.map(async ({ kid, publicJwk, createdAt }) => {
    const until = createdAt.getTime() + VERIFIES_MS;
    return [kid, { key: await importKey(publicJwk), publicJwk, until }] as const;
  });
  const { kid, privateJwk, createdAt } = stored.at(-1) ?? {};
  const signing = privateJwk && {
    kid: kid!,
    key: await importKey(privateJwk),
    until: createdAt!.getTime() + SIGNS_MS,
  };
  return { signing, verifying: new Map(await Promise.all(verifying)) };
}

/** Makes a key unless another process has just made one. */
async function rotate(database: Database, now: number): Promise<void> {
  const fresh = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const made = {
    kid: randomUUID(),
    publicJwk: await exportJWK(fresh.publicKey),
    privateJwk: await exportJWK(fresh.privateKey),
    createdAt: new Date(now),
  };
  await database.transaction(async (transaction) => {
    await transaction.write('select pg_advisory_xact_lock($1)', [ROTATION_LOCK]);
    const newest = (await readKeys(transaction)).at(-1);
    const isYoung =
      newest !== undefined && newest.privateJwk !== null && now - newest.createdAt.getTime() < SIGNS_MS;
    if (!isYoung) await replaceKeys(transaction, made);
  });
  at('signing-key.rotated');
}

const importKey = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, ALGORITHM)) as CryptoKey;

const readKeys = (database: Queryable): Promise<StoredKey[]> =>
  database.query<StoredKey>(
    `select kid, public_jwk as "publicJwk", private_jwk as "privateJwk", created_at as "createdAt"
     from access_key order by created_at, kid`,
  );

/** Inserts the new key, erases older private keys, and deletes keys that no longer verify. */
async function replaceKeys(transaction: Queryable, made: StoredKey): Promise<void> {
  await transaction.write('update access_key set private_jwk = null where private_jwk is not null');
  await transaction.write('delete from access_key where created_at <= $1', [
    new Date(made.createdAt.getTime() - VERIFIES_MS),
  ]);
  await transaction.write(
    'insert into access_key (kid, public_jwk, private_jwk, created_at) values ($1, $2, $3, $4)',
    [made.kid, JSON.stringify(made.publicJwk), JSON.stringify(made.privateJwk), made.createdAt],
  );
  await announceAccessChange(transaction);
}
