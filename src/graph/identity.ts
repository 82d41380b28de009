import { hash } from 'node:crypto';

/** A node's id follows from its label and key, so every process names the same node. */
export function nodeId(label: string, key: string): string {
  const digest = hash('sha1', `${label}\u0000${key}`, 'hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
}

export const stockDayKey = (symbol: string, tradeDate: string): string => `${symbol}|${tradeDate}`;

export const stockId = (symbol: string): string => nodeId('Stock', symbol);
export const stockDayId = (symbol: string, tradeDate: string): string =>
  nodeId('StockDay', stockDayKey(symbol, tradeDate));
