/** A route requires one of these scopes; a grant lists those that it gives. */
export const SCOPES = [
  'stock:read',
  'market-data:realtime',
  'options:read',
  'screener:read',
  'market:read',
  'chat:read',
  'backtest:run',
  'alerts:write',
  'export:read',
  'internal:call',
] as const;

export type AccessScope = (typeof SCOPES)[number];

/** Real-time market data; without it a token sees the delayed feed whatever its grant allows. */
export const REALTIME_SCOPE: AccessScope = 'market-data:realtime';

/** Opens internal addresses to callers on other machines. */
export const INTERNAL_SCOPE: AccessScope = 'internal:call';

export const isScope = (word: string): word is AccessScope => (SCOPES as readonly string[]).includes(word);
