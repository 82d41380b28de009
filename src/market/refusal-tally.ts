import type { Refused } from './feed.ts';
import type { RefusalReason } from './refusals.ts';

const EXAMPLE_CHARACTERS_MAX = 200;

export type RefusalTally = ReturnType<typeof refusalTally>;

/** Counts what is refused of a source: one line per reason with the first place and row, however many follow. */
export function refusalTally() {
  const counted = new Map<RefusalReason, Refused & { count: number }>();
  /** A refusal of one row or of several. */
  const note = (reason: RefusalReason, where: string, example: string, count = 1): void => {
    const known = counted.get(reason);
    if (known !== undefined) known.count += count;
    else counted.set(reason, refusedFile(reason, where, example, count));
  };
  return {
    note,
    /** A row, given as its bytes: its text is made only when it is the first of its reason. */
    row(
      reason: RefusalReason,
      where: string,
      line: number,
      bytes: Uint8Array,
      start: number,
      end: number,
    ): void {
      const known = counted.get(reason);
      if (known !== undefined) known.count++;
      else note(reason, `${where}:${line}`, Buffer.from(bytes.subarray(start, end)).toString('utf8'));
    },
    /** In the order of the first of each reason. */
    refusals: (): Refused[] => Array.from(counted.values(), (refused) => ({ ...refused })),
  };
}

/** A refusal of a whole file or archive entry. */
export function refusedFile(reason: RefusalReason, where: string, example: string, count = 1): Refused {
  return { kind: 'refused', reason, where, example: shortExample(example), count };
}

/** Control characters of a stranger's file must not reach the terminal on which the example is shown. */
function shortExample(text: string): string {
  return text.slice(0, EXAMPLE_CHARACTERS_MAX).replace(/\p{Cc}/gu, ' ');
}
