import { setTimeout as delay } from 'node:timers/promises';
import type { NatsServers } from '../engines/nats.ts';
import type { PostgresServer } from '../engines/postgres.ts';
import type { BucketProxy } from '../support/bucket-proxy.ts';
import type { Member } from './desk.ts';

export interface Struck {
  readonly members: readonly Member[];
  readonly postgres: PostgresServer;
  readonly nats: NatsServers;
  readonly proxy: BucketProxy;
}

/** A fault that strikes, and what undoes it; returns what it did in words. */
type Fault = (struck: Struck, random: () => number) => Promise<string>;

/** A paused process must lose its work and its leases: longer than the bus waits for a sign of life. */
const PAUSE_MS = 14_000;
const AWAY_MS = 2_000;
const BUCKET_AWAY_MS = 10_000;

const oneOf = <T>(items: readonly T[], random: () => number): T =>
  items[Math.floor(random() * items.length)]!;

const FAULTS: readonly { readonly weight: number; readonly strike: Fault }[] = [
  {
    weight: 6,
    async strike({ members }, random) {
      const member = oneOf(members, random);
      await member.kill();
      await delay(random() * AWAY_MS);
      member.start();
      return `kill -9 ${member.name}`;
    },
  },
  {
    weight: 1,
    async strike({ nats }, random) {
      const at = Math.floor(random() * nats.servers.length);
      await nats.servers[at]!.kill();
      await delay(AWAY_MS);
      await nats.servers[at]!.start();
      return `kill -9 NATS server ${at}`;
    },
  },
  {
    weight: 1,
    async strike({ postgres }) {
      await postgres.restart();
      return 'PostgreSQL restarted at once';
    },
  },
  {
    weight: 1,
    async strike({ proxy }) {
      await proxy.set({ status: 503 });
      await delay(BUCKET_AWAY_MS);
      await proxy.set({});
      return `the bucket answered 503 for ${BUCKET_AWAY_MS / 1000} s`;
    },
  },
  {
    weight: 2,
    async strike({ members }, random) {
      const member = oneOf(
        members.filter(({ role }) => role !== 'api'),
        random,
      );
      await member.pause(PAUSE_MS);
      return `${member.name} stopped for ${PAUSE_MS / 1000} s`;
    },
  },
];

/** A fault by its weight. */
export function nextFault(random: () => number): Fault {
  const total = FAULTS.reduce((sum, { weight }) => sum + weight, 0);
  let at = random() * total;
  for (const { weight, strike } of FAULTS) {
    at -= weight;
    if (at < 0) return strike;
  }
  return FAULTS[0]!.strike;
}
