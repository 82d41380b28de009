import { readFileSync } from 'node:fs';

/** Clock ticks of a second in `/proc`. */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly name: string;
  readonly parent: number;
  /** Processor time, milliseconds. */
  readonly processorMs: number;
  /** That of children that have ended. */
  readonly endedChildrenMs: number;
}

/** What Linux says of a running process. */
export function processStat(id: number): ProcessStat {
  const text = readFileSync(`/proc/${id}/stat`, 'utf8');
  // The name stands in parentheses and may hold any character.
  const end = text.lastIndexOf(')');
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const milliseconds = (at: number): number => ((fields[at]! + fields[at + 1]!) * 1_000) / TICKS_PER_SECOND;
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: fields[1]!,
    processorMs: milliseconds(11),
    endedChildrenMs: milliseconds(13),
  };
}
