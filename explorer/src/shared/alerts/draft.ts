import { useSyncExternalStore } from 'react';
import type { AlertRule } from '../api/queries.ts';

/** What a rule waits for, without its stocks. */
export interface Condition {
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A choice of the form: what follows the symbol in its sentence. */
export interface Choice extends Condition {
  readonly words: string;
}

export interface Draft {
  readonly symbol: string;
  readonly choices: readonly Choice[];
}

let current: Draft | null = null;
let marks: readonly string[] = [];
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Opens the form with choices of which the first is chosen; null closes it. */
export function draftAlert(draft: Draft | null): void {
  current = draft;
  marks = [];
  tell();
}

/** Instants that the chart of the stock of the form marks. */
export function markAlert(instants: readonly string[]): void {
  if (instants.length === marks.length && instants.every((at, row) => at === marks[row])) return;
  marks = instants;
  tell();
}

const NONE: readonly string[] = [];

export const useAlertDraft = (): Draft | null => useSyncExternalStore(listen, () => current);

/** Instants to mark on the chart of a stock. */
export const useAlertMarks = (symbol: string): readonly string[] =>
  useSyncExternalStore(listen, () => (current?.symbol === symbol ? marks : NONE));

export const REPEATS = { daily: 'once a day', each: 'each time', once: 'once' } as const;

export const ruleOf = (
  symbol: string,
  { kind, parameters }: Condition,
  repeat: keyof typeof REPEATS,
): AlertRule => ({ kind: kind as AlertRule['kind'], parameters, symbols: [symbol], repeat });
