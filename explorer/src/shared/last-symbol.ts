const LAST_KEY = 'tigraph.symbol';

/** The symbol that was shown last; null on a first visit. */
export function lastSymbol(): string | null {
  try {
    return localStorage.getItem(LAST_KEY);
  } catch {
    return null;
  }
}

export function rememberSymbol(symbol: string): void {
  try {
    localStorage.setItem(LAST_KEY, symbol);
  } catch {
    // Without storage the next visit begins like the first.
  }
}
