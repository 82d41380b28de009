import { hash } from 'node:crypto';
import { packTexts } from '../../src/base/packed-text.ts';
import { projectStock } from '../../src/derive/projection.ts';
import type { StockDay } from '../../src/derive/stock-day.ts';

/** Values of a stock by the paths of their fields; what is left out is absent. */
export type ScreenValues = Readonly<Record<string, unknown>>;

/** A stock-day that says just these values, with its facts and its row for screens. */
export function screenDay(
  symbol: string,
  tradeDate: string,
  asOf: number | string,
  values: ScreenValues,
): StockDay {
  const answer = answerOf({ symbol, ...values });
  const core = JSON.stringify(answer).slice(1, -1);
  return {
    symbol,
    tradeDate,
    asOf: typeof asOf === 'string' ? Date.parse(asOf) : asOf,
    digest: hash('sha1', core),
    facts: packTexts({ core }),
    relations: [],
    screen: projectStock(answer),
  };
}

function answerOf(values: ScreenValues): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop()!;
    let holder = answer;
    for (const name of names) {
      holder[name] ??= {};
      holder = holder[name] as Record<string, unknown>;
    }
    holder[last] = value;
  }
  return answer;
}
