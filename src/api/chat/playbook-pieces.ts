import { PLAYBOOKS, playbookOf } from '../../analysis/playbooks/library.ts';
import { areOpposed, type Playbook } from '../../analysis/playbooks/playbook.ts';
import type { FoundEntry } from '../../graph/search-library.ts';
import type { FactRegistry } from '../../texts/facts/fact-registry.ts';
import type { StrategySeen } from '../../texts/facts/stock-facts.ts';
import {
  absent,
  fieldsOf,
  floored,
  item,
  itemOfFacts,
  type Piece,
  shortened,
  type Topic,
} from '../../texts/piece.ts';
import { absence } from '../answers/absences.ts';

/** Playbooks that a query finds; further ones share little more than a word with it. */
const FOUND_SHOWN = 3;

/** The side that a bias speaks against. */
const AGAINST: Readonly<Record<string, string>> = { bullish: 'bearish', bearish: 'bullish' };

/** The short form has the figures of a match and what contradicts it; the words of the library can be looked up. */
const SHORT = 'strategy name direction why signal opposed_by match_score trigger stop target r_now';

const ABSENCES = {
  none: absence('absent.playbooks'),
  unknown: absence('absent.playbook_price'),
} as const;

/**
 * Playbooks whose conditions match the stock now, with what the library says of each.
 *
 * @param matches null where none could be judged
 */
export function playbookPieces(matches: readonly StrategySeen[] | null, registry: FactRegistry): Piece[] {
  if (matches === null || matches.length === 0) {
    const reason = ABSENCES[matches === null ? 'unknown' : 'none'];
    return floored([absent('stock_data', 'strategy_playbooks', reason)]);
  }
  return inShort(matches.flatMap((match) => matchPieces('playbooks', match, registry)));
}

const inShort = (pieces: readonly Piece[]): Piece[] => floored(shortened(pieces, SHORT));

/**
 * Playbooks that a query finds, best first; those whose conditions match carry their figures. Texts of a long and of its
 * short are nearly the same: of two that score alike the one in the direction of the bias comes first, and the other one is
 * left out.
 */
export function foundPlaybookPieces(
  found: readonly FoundEntry[],
  matches: readonly StrategySeen[],
  registry: FactRegistry,
): Piece[] {
  const against = AGAINST[String(registry.get('stock.directional_bias')?.value)];
  const ranked = found
    .flatMap(({ key, score }) => {
      const library = playbookOf(key);
      return library === null ? [] : [{ library, score, isAgainst: library.direction === against }];
    })
    .sort((one, other) => other.score - one.score || Number(one.isAgainst) - Number(other.isAgainst));
  const shown: Playbook[] = [];
  for (const { library } of ranked) {
    if (shown.some((other) => other.family === library.family && areOpposed(library, other))) continue;
    if (shown.push(library) === FOUND_SHOWN) break;
  }
  const pieces = shown.flatMap((library) => {
    const match = matches.find(({ strategy }) => strategy === library.strategy);
    return match === undefined ? [textPiece(library)] : matchPieces('found', match, registry);
  });
  return inShort(pieces);
}

/** What a playbook is called, and why it is shown. */
const headOf = (
  { strategy, name, direction }: Pick<StrategySeen, 'strategy' | 'name' | 'direction'>,
  why: string,
) => ({ strategy, name, direction, why });

function matchPieces(topic: Topic, match: StrategySeen, registry: FactRegistry): Piece[] {
  const { strategy, conditions_met, conditions_missed, opposed_by = [] } = match;
  const library = playbookOf(strategy);
  const fields = fieldsOf(`playbook.${strategy}`, 'match_score trigger stop target rr_ratio r_now');
  return itemOfFacts([topic, 'strategy_playbooks'], registry, fields, {
    ...headOf(match, 'conditions_match'),
    conditions_met,
    conditions_missed,
    ...(opposed_by.length === 0 ? {} : { opposed_by }),
    playbook: library === null ? null : wordsOf(library, TEXTS),
  });
}

/** A playbook whose conditions do not match: its summary and what it needs, so that it is not read as a match. */
const textPiece = (library: Playbook): Piece =>
  item(['found', 'strategy_playbooks'], {
    ...headOf(library, 'text_related'),
    ...(library.signal === null ? {} : { signal: library.signal }),
    playbook: wordsOf(library, ['summary', 'setup', 'caveat']),
  });

/** What the library holds for each signal that a backtest can enter by; no floor, since a match may be one. */
export const signalPieces = (): Piece[] =>
  shortened(
    PLAYBOOKS.filter(({ signal }) => signal !== null).map((library) =>
      item(['playbooks', 'strategy_playbooks'], {
        ...headOf(library, 'backtest_signal'),
        signal: library.signal,
        playbook: wordsOf(library, ['summary', 'caveat']),
      }),
    ),
    SHORT,
  );

const TEXTS = ['summary', 'setup', 'entry', 'stop', 'target', 'invalidation', 'risks', 'caveat'] as const;

const wordsOf = (playbook: Playbook, texts: readonly (typeof TEXTS)[number][]): Record<string, string> =>
  Object.fromEntries(texts.map((name) => [name, playbook[name]]));
