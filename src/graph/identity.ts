import { hash } from 'node:crypto';

/**
 * A node's id follows from its label and key, so that any pass, on any machine, names the same node without asking,
 * and writing it twice changes nothing.
 */
export function nodeId(label: string, key: string): string {
  const digest = hash('sha1', `${label}\u0000${key}`, 'hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-${digest.slice(12, 16)}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
}

export const stockDayKey = (symbol: string, tradeDate: string): string => `${symbol}|${tradeDate}`;
