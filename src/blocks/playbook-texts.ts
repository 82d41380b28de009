import { PLAYBOOKS } from '../analysis/playbooks/library.ts';
import { textOf } from '../analysis/playbooks/playbook.ts';

/** A playbook as a node of the graph, and the text that it is compared with others by. */
export interface PlaybookText {
  readonly key: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The whole library; its nodes are there whether a stock fits them or not. */
export const PLAYBOOK_TEXTS: readonly PlaybookText[] = PLAYBOOKS.map((playbook) => {
  const { strategy, name, direction, timeframe, signal, summary } = playbook;
  return {
    key: strategy,
    props: { name, direction, timeframe, signal, summary },
    text: textOf(playbook),
  };
});
