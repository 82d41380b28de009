import { useQuery } from '@tanstack/react-query';
import { type AlertFiring, firingsQuery } from '../api/queries.ts';
import { changeSettings, useSettings } from '../theme/settings.ts';

const NONE: readonly AlertFiring[] = [];
/** Stocks whose look is kept. */
const LOOKED_MAX = 200;

/** What fired since the alerts of its stock, or all of them, were last looked at; newest first. */
export function useUnread(): readonly AlertFiring[] {
  const { looked } = useSettings();
  const { firings = NONE } = useQuery(firingsQuery).data ?? {};
  return firings.filter(({ symbol, at }) => at > (looked[''] ?? '') && at > (looked[symbol] ?? ''));
}

/** Says that the alerts of a stock, or with '' all of them, were looked at up to an instant. */
export function markLooked(looked: Readonly<Record<string, string>>, symbol: string, at: string): void {
  if ((looked[symbol] ?? '') >= at) return;
  const others = Object.entries(looked).filter(([one]) => one !== symbol);
  changeSettings({ looked: Object.fromEntries([[symbol, at], ...others].slice(0, LOOKED_MAX)) });
}
