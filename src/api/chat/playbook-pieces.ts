import { areOpposed, PLAYBOOKS, type Playbook, playbookOf } from '../../analysis/playbooks/index.ts';
import type { RelatedText } from './related-texts.ts';
import type { FactRegistry } from './fact-registry.ts';
import { fieldsOf, item, itemOfFacts, type Piece } from './piece.ts';
import type { StrategySeen } from './stock-facts.ts';

/** Playbooks that are near in words but did not match; more would bury those that did. */
const RELATED_SHOWN = 2;

/** The side that a bias speaks against. */
const AGAINST: Readonly<Record<string, string>> = { bullish: 'bearish', bearish: 'bullish' };

/**
 * Playbooks that fit the stock now, with what the library says of each, then those whose text lies nearest. Texts of a
 * long and of its short are nearly the same, so nearness does not choose a side: the bias and the playbooks
 * already shown do.
 */
export function playbookPieces(
  matches: readonly StrategySeen[],
  related: readonly RelatedText[],
  registry: FactRegistry,
): Piece[] {
  const matched = new Set(matches.map(({ strategy }) => strategy));
  const against = AGAINST[String(registry.get('stock.directional_bias')?.value)];
  // One at a time, so that a long and its short are never shown together unmarked.
  const shown = matches.flatMap(({ strategy }) => playbookOf(strategy) ?? []);
  const others: Playbook[] = [];
  for (const { key } of related) {
    const library = playbookOf(key);
    if (library === null || matched.has(key) || library.direction === against) continue;
    if ([...shown, ...others].some((other) => areOpposed(library, other))) continue;
    if (others.push(library) === RELATED_SHOWN) break;
  }
  return [
    ...matches.flatMap((match) => matchPieces(match, registry)),
    ...others.flatMap((library) => relatedPieces(library, registry)),
  ];
}

function matchPieces(match: StrategySeen, registry: FactRegistry): Piece[] {
  const { strategy, name, direction, conditions_met, conditions_missed, opposed_by = [] } = match;
  const library = playbookOf(strategy);
  const fields = fieldsOf(`playbook.${strategy}`, 'match_score', 'trigger', 'stop', 'target');
  return itemOfFacts(['playbooks', 'strategy_playbooks'], registry, fields, {
    strategy,
    name,
    direction,
    why: 'conditions_match',
    conditions_met,
    conditions_missed,
    ...(opposed_by.length === 0 ? {} : { opposed_by }),
    playbook: library === null ? null : wordsOf(library),
  });
}

/** One that the conditions do not name: its summary and what it needs, so that nobody takes it for a match. */
function relatedPieces(library: Playbook, registry: FactRegistry): Piece[] {
  const { strategy, name, direction, summary, setup, caveat } = library;
  const more = { strategy, name, direction, why: 'text_related', playbook: { summary, setup, caveat } };
  return itemOfFacts(
    ['playbooks', 'strategy_playbooks'],
    registry,
    fieldsOf(`playbook.${strategy}`, 'similarity'),
    more,
  );
}

/** What the library holds for each signal that a backtest can enter by. */
export const signalPieces = (): Piece[] =>
  PLAYBOOKS.filter(({ signal }) => signal !== null).map(
    ({ strategy, name, direction, signal, summary, caveat }) =>
      item(['playbooks', 'strategy_playbooks'], {
        strategy,
        name,
        direction,
        why: 'backtest_signal',
        signal,
        playbook: { summary, caveat },
      }),
  );

const wordsOf = ({
  summary,
  setup,
  entry,
  stop,
  target,
  invalidation,
  risks,
  caveat,
}: Playbook): Record<string, string> => ({
  summary,
  setup,
  entry,
  stop,
  target,
  invalidation,
  risks,
  caveat,
});
