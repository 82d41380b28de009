/**
 * Words for what a token may be used for. A route names the one that it needs; a grant lists those that it gives. At most
 * eight: an exchange asks for no more at a time.
 */
export const SCOPES = [
  'stock:read',
  'market-data:realtime',
  'options:read',
  'screener:read',
  'market:read',
  'chat:read',
  'backtest:run',
  'internal:call',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Asks for data as it is now; without it a token sees the delayed feed whatever its grant would allow. */
export const REALTIME_SCOPE: Scope = 'market-data:realtime';

/** Opens the internal addresses, to callers of other machines too. */
export const INTERNAL_SCOPE: Scope = 'internal:call';

export const isScope = (word: string): word is Scope => (SCOPES as readonly string[]).includes(word);
