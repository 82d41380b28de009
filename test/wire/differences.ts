export interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** A sentence that people read: its words may change, numbers and codes may not. */
  readonly forPeople: boolean;
}

/** Members whose text is written for people. */
const SENTENCES =
  /^(?:detail|msg|text|message|description|summary|title|rationale|remark|reason|note|meaning|label|.*_detail|.*_reason|description_.*|markdown)$/;
/** Members that differ from one service to the next. */
const OWN =
  /^(?:request_id|id|run_id|created_at|started_at|completed_at|updated_at_run|finished_at|cursor|next_cursor|duration_ms|elapsed_ms|data_version|cached|computation_ms)$/;
const SHOWN_LENGTH = 160;

/** Everything in which two answers differ, each with its place. */
export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  walk(before, after, '', '', found);
  return found;
}

function walk(before: unknown, after: unknown, path: string, key: string, found: Difference[]): void {
  if (Object.is(withoutIds(before), withoutIds(after)) || OWN.test(key)) return;
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    if (Array.isArray(before) && Array.isArray(after)) {
      const length = Math.max(before.length, after.length);
      for (let at = 0; at < length; at++) walk(before[at], after[at], `${path}[${at}]`, key, found);
      return;
    }
    const [one, other] = [before as Record<string, unknown>, after as Record<string, unknown>];
    const keys = Object.keys(one);
    if (keys.join() !== Object.keys(other).join()) {
      const sorted = [keys.toSorted().join(), Object.keys(other).toSorted().join()];
      if (sorted[0] === sorted[1])
        found.push({
          path: `${path} (order of members)`,
          ...shown(keys, Object.keys(other)),
          forPeople: false,
        });
    }
    for (const name of new Set([...keys, ...Object.keys(other)])) {
      walk(one[name], other[name], path === '' ? name : `${path}.${name}`, name, found);
    }
    return;
  }
  const forPeople = typeof before === 'string' && typeof after === 'string' && SENTENCES.test(key);
  found.push({ path, ...shown(before, after), forPeople });
}

/** Identifiers inside of texts are made anew by every service. */
const withoutIds = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/\b[\da-f]{8}(?:(?:-[\da-f]{4}){3}-[\da-f]{12}\b|(?=-\w+:))/g, 'ID')
    : value;

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

const shown = (before: unknown, after: unknown): { before: string; after: string } => {
  const show = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, SHOWN_LENGTH);
  return { before: show(before), after: show(after) };
};
