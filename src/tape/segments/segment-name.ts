import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * A new name for a segment file. It begins with machine and process, so a later start can distinguish leftovers of a
 * crash from work in progress; containers may share both, so random digits make it unique.
 */
export const newSegmentName = (kind: string): string =>
  `${machine}-${process.pid}-${kind}-${randomBytes(8).toString('hex')}.arrow`;

/** The process of this machine that wrote a file; null for a file of another machine. */
export function writerOf(name: string): number | null {
  const [writer, pid] = name.split('-');
  return writer === machine ? Number(pid) : null;
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
