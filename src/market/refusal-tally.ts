import type { Refused } from './feed.ts';
import type { RefusalReason } from './refusals.ts';

const EXAMPLE_CHARACTERS_MAX = 200;

/** Counts what is refused of a source: one line per reason with the first place and row, however many follow. */
export interface RefusalTally {
  /** A row, given as its bytes: its text is made only when it is the first of its reason. */
  row(
    reason: RefusalReason,
    where: string,
    line: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): void;
  /** Any other refusal, as text, of one row or of several. */
  note(reason: RefusalReason, where: string, example: string, count?: number): void;
  /** The refusals, in the order of the first of each reason. */
  refusals(): Refused[];
}

export function refusalTally(): RefusalTally {
  const counted = new Map<RefusalReason, { where: string; example: string; count: number }>();
  const note = (reason: RefusalReason, where: string, example: string, count = 1): void => {
    const known = counted.get(reason);
    if (known !== undefined) known.count += count;
    else counted.set(reason, { where, example: shortExample(example), count });
  };
  return {
    note,
    row(reason, where, line, bytes, start, end) {
      const known = counted.get(reason);
      if (known !== undefined) known.count++;
      else note(reason, `${where}:${line}`, Buffer.from(bytes.subarray(start, end)).toString('utf8'));
    },
    refusals() {
      return [...counted].map(([reason, { where, example, count }]) => ({
        kind: 'refused' as const,
        reason,
        where,
        example,
        count,
      }));
    },
  };
}

/** A refusal of a whole file or archive entry. */
export function refusedFile(reason: RefusalReason, where: string, example: string): Refused {
  return { kind: 'refused', reason, where, example: shortExample(example), count: 1 };
}

/** Control characters of a stranger's file must not reach the terminal on which the example is shown. */
function shortExample(text: string): string {
  return text.slice(0, EXAMPLE_CHARACTERS_MAX).replace(/\p{Cc}/gu, ' ');
}
