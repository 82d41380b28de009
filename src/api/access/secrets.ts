import { randomBytes } from 'node:crypto';

/** Algorithm.Argon2id of the library, whose enumeration is not erasable. */
const ARGON2ID = 2;
/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash of random bytes that were thrown away, with the parameters above: verifying against it always fails. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$WG2hfv6wwVW5PvmWgM3nrg$NmeCVZl8cxUuImhnFd2++jCVnV/orLQ6/bFH/xJ9iM4';

const ID_PATTERN = /^(?:client|grant)_[0-9a-f]{20}$/;

/** 80 random bits; not a secret. */
export const makeId = (kind: 'client' | 'grant'): string => `${kind}_${randomBytes(10).toString('hex')}`;

export const isId = (text: string): boolean => ID_PATTERN.test(text);

/** 256 random bits. */
export const makeSecret = (): string => `tgs_${randomBytes(32).toString('base64url')}`;

// Loaded with the first secret: most commands about clients hash none.
const argon2 = () => import('@node-rs/argon2');

export const hashSecret = async (secret: string): Promise<string> =>
  (await argon2()).hash(secret, PARAMETERS);

/** Takes as long for a wrong secret as for the right one. */
export const verifySecret = async (secret: string, secretHash: string): Promise<boolean> =>
  (await argon2()).verify(secretHash, secret);
