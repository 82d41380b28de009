/** What stands for the market and for its volatility, the first with a bar before the rest. */
export const INDEX_SYMBOLS: readonly string[] = ['SPY', '^GSPC', 'SIMX'];
export const VIX_SYMBOLS: readonly string[] = ['^VIX', 'VIX', '^SIMVIX'];
