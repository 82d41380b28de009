import type { Calendar } from '../../base/calendar.ts';
import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import type { Scope } from '../../base/scope.ts';
import type { Queryable } from '../../database/database.ts';
import { announceViewed } from '../../market/live-announcements.ts';

/** Stocks that are looked at within it are announced together. */
const GATHERED_MS = 1_000;

/** Announces which stocks callers look at while a session runs, each once a minute: option chains follow them. */
export function viewAnnouncer(scope: Scope, database: Queryable, calendar: Calendar, clock: Clock) {
  const announcedAt = new Map<string, number>();
  const gathered = new Set<string>();
  const announce = async (): Promise<void> => {
    const symbols = [...gathered];
    gathered.clear();
    // What is still looked at is announced again.
    await announceViewed(database, symbols).catch(() => {});
  };
  return (symbol: string): void => {
    const now = clock.now();
    if (now - (announcedAt.get(symbol) ?? 0) < MINUTE_MS || calendar.sessionHolding(now) === null) return;
    announcedAt.set(symbol, now);
    if (gathered.size === 0) scope.after(GATHERED_MS, 'announcing what is in view', announce);
    gathered.add(symbol);
  };
}
