import { type Panel, STOCKS_MIN } from '../../analysis/evaluation.ts';

/** What an evaluation was asked and what it met. */
interface Met {
  /** Dotted path of the score. */
  readonly score: string;
  readonly horizon: number;
  readonly failures: readonly string[];
}

/**
 * Why an evaluation of no date has a figure, in a sentence: the first of its wants.
 *
 * @param panel of which no date has a coefficient
 */
export function whyNoFigures(panel: Panel, { score, horizon, failures }: Met): string {
  const isKnown = (value: number): boolean => !Number.isNaN(value);
  const judged = panel.forward.filter(isKnown).length;
  if (judged === 0)
    return `No stock has a close on one of these dates and another ${horizon} sessions later.`;
  if (failures.length === judged) return `Every stock-date failed; the first: ${failures[0]}`;
  if (!panel.score.some(isKnown)) {
    return `${score} has no value at the close of any of ${judged} stock-dates: the tape lacks what it is made of, or it is known only while a session runs.`;
  }
  const both = Array.from({ length: panel.dates }, (_, date) => stocksWithBoth(panel, date));
  const most = Math.max(...both);
  if (most < STOCKS_MIN) {
    return `No date has ${STOCKS_MIN} stocks with a score and a return; the most are ${most}, of ${panel.stocks} symbols.`;
  }
  return `On every date with ${STOCKS_MIN} stocks their scores, or their returns, are all alike: there is no order to judge.`;
}

function stocksWithBoth({ stocks, score, forward }: Panel, date: number): number {
  let count = 0;
  for (let cell = date * stocks; cell < (date + 1) * stocks; cell++) {
    if (!Number.isNaN(score[cell]!) && !Number.isNaN(forward[cell]!)) count++;
  }
  return count;
}
