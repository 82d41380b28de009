import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Clock } from '../../base/clock.ts';
import type { Database, Queryable } from '../../base/database.ts';
import { announceAccessChange } from './changes.ts';

export const ALGORITHM = 'EdDSA';
export const TOKEN_LIFE_MAX_S = 900;

const DAY_MS = 86_400_000;
/** A key signs for this long. */
const SIGNS_MS = 30 * DAY_MS;
/** And verifies until the last token that it can have signed is over, with an hour for clocks that disagree. */
const VERIFIES_MS = SIGNS_MS + TOKEN_LIFE_MAX_S * 1_000 + 3_600_000;
/** A key that nobody has heard of makes the ring look into the store, but no more often than this. */
const RELOAD_EVERY_MS = 5_000;
/** Any number will do, as long as every version of the program takes the same one. */
const ROTATION_LOCK = 7_461_726_171;

interface StoredKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  /** Null once the key signs no more. */
  readonly privateJwk: JWK | null;
  readonly createdAt: Date;
}

export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

interface Ring {
  readonly stored: readonly StoredKey[];
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly readAt: number;
}

/** The Ed25519 keys of this installation: one that signs, and those that still verify. */
export class SigningKeys {
  readonly #database: Database;
  readonly #clock: Clock;
  #ring: Promise<Ring> | null = null;
  #signing: { readonly key: SigningKey; readonly until: number } | null = null;
  #rotation: Promise<SigningKey> | null = null;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The key that signs now. Makes one when there is none that is young enough. */
  async signing(): Promise<SigningKey> {
    if (this.#signing !== null && this.#clock.now() < this.#signing.until) return this.#signing.key;
    this.#rotation ??= this.#rotate().finally(() => {
      this.#rotation = null;
    });
    return this.#rotation;
  }

  /** The public key of that name, or null. */
  async verifying(kid: string): Promise<CryptoKey | null> {
    const ring = await this.#read();
    const known = ring.verifying.get(kid);
    if (known !== undefined) return this.#isRetired(ring, kid) ? null : known;
    // Another process may have made it since.
    if (this.#clock.now() - ring.readAt < RELOAD_EVERY_MS) return null;
    this.forget();
    return (await this.#read()).verifying.get(kid) ?? null;
  }

  /** Public halves of every key that verifies, as a JSON Web Key Set has them. */
  async publicKeys(): Promise<JWK[]> {
    const ring = await this.#read();
    return ring.stored
      .filter(({ kid }) => !this.#isRetired(ring, kid))
      .map(({ kid, publicJwk: { kty, crv, x } }) => ({ kty, crv, x, kid, alg: ALGORITHM, use: 'sig' }) as JWK);
  }

  /** Makes the next use read the store again. */
  forget(): void {
    this.#ring = null;
  }

  #isRetired({ stored }: Ring, kid: string): boolean {
    const key = stored.find((one) => one.kid === kid);
    return key === undefined || this.#clock.now() - key.createdAt.getTime() >= VERIFIES_MS;
  }

  #read(): Promise<Ring> {
    if (this.#ring === null) {
      const ring = this.#load();
      this.#ring = ring;
      ring.catch(() => {
        if (this.#ring === ring) this.#ring = null;
      });
    }
    return this.#ring;
  }

  async #load(): Promise<Ring> {
    const readAt = this.#clock.now();
    const stored = await readKeys(this.#database);
    const imported = stored.map(async ({ kid, publicJwk }) => [kid, await importKey(publicJwk)] as const);
    return { stored, verifying: new Map(await Promise.all(imported)), readAt };
  }

  async #rotate(): Promise<SigningKey> {
    const fresh = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
    const publicJwk = await exportJWK(fresh.publicKey);
    const privateJwk = await exportJWK(fresh.privateKey);
    const now = this.#clock.now();
    const chosen = await this.#database.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [ROTATION_LOCK]);
      const newest = (await readKeys(transaction)).at(-1);
      if (newest?.privateJwk && now - newest.createdAt.getTime() < SIGNS_MS) return newest;
      const made = { kid: randomUUID(), publicJwk, privateJwk, createdAt: new Date(now) };
      await replaceKeys(transaction, made);
      return made;
    });
    this.forget();
    const key = { kid: chosen.kid, key: await importKey(chosen.privateJwk!) };
    this.#signing = { key, until: chosen.createdAt.getTime() + SIGNS_MS };
    return key;
  }
}

const importKey = async (jwk: JWK): Promise<CryptoKey> => (await importJWK(jwk, ALGORITHM)) as CryptoKey;

const readKeys = (database: Queryable): Promise<StoredKey[]> =>
  database.query<StoredKey>(
    `select kid, public_jwk as "publicJwk", private_jwk as "privateJwk", created_at as "createdAt"
     from access_key order by created_at, kid`,
  );

/** Puts the new key in, erases the private halves of those before it, and what verifies no more altogether. */
async function replaceKeys(transaction: Queryable, made: StoredKey): Promise<void> {
  await transaction.query('update access_key set private_jwk = null where private_jwk is not null');
  await transaction.query('delete from access_key where created_at <= $1', [
    new Date(made.createdAt.getTime() - VERIFIES_MS),
  ]);
  await transaction.query(
    'insert into access_key (kid, public_jwk, private_jwk, created_at) values ($1, $2, $3, $4)',
    [made.kid, JSON.stringify(made.publicJwk), JSON.stringify(made.privateJwk), made.createdAt],
  );
  await announceAccessChange(transaction);
}
