import type { AlertKind } from '../kind.ts';
import { crosses } from './crosses.ts';
import { enters } from './enters.ts';
import { gap } from './gap.ts';
import { level } from './level.ts';
import { screen } from './screen.ts';
import { silent } from './silent.ts';

/** Every kind of alert. */
export const ALERT_KINDS: readonly AlertKind[] = [crosses, enters, level, gap, screen, silent];

export const KIND_NAMES = ALERT_KINDS.map(({ name }) => name);

const byName = new Map(ALERT_KINDS.map((kind) => [kind.name, kind]));

/** @throws Error for a name that no kind has */
export function alertKind(name: string): AlertKind {
  const kind = byName.get(name);
  if (kind === undefined) throw new Error(`no kind of alert is called ${name}`);
  return kind;
}
