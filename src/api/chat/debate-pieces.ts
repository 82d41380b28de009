import { type Debate, FEW, type Point } from '../../texts/debate/index.ts';
import type { FactRegistry } from '../../texts/facts/fact-registry.ts';
import { floored, item, type Piece, part, type Topic } from '../../texts/piece.ts';
import { absence } from '../answers/absences.ts';

/** The first arguments of each side rank before most of the figures, the rest behind them. */
const FIRST = 2;
const CHANGES_FIRST = 1;
/** An argument brings a record of each of its facts: one with more is no floor. */
const FLOOR_FACTS_MAX = 2;

/** The scores of the sides, where the debate is about a stock. */
const SCORES = { bull: 'stock.bullish_confluence', bear: 'stock.bearish_confluence' } as const;

export const debateFrame = () => ({
  bull: { stance: 'bull', score: null, remark: null, points: [] },
  bear: { stance: 'bear', score: null, remark: null, points: [] },
  what_would_change: { bull: [], bear: [] },
});

/**
 * A debate in pieces. The sides alternate, so that a small budget takes from both alike; a sentence leaves with its
 * facts. The floor of a side is its weightiest argument of few facts.
 */
export function debatePieces(debate: Debate, registry: FactRegistry): Piece[] {
  const sides = ['bull', 'bear'] as const;
  const scores = sides.flatMap((side) => {
    const fact = registry.get(SCORES[side]);
    if (fact === null) return [];
    const { id, value } = fact;
    return [part(['debate', 'debate_summary', side, 'score'], { fact: id, value }, [id])];
  });
  const remarks = sides.flatMap((side) => {
    const count = debate[side].length;
    if (count >= FEW) return [];
    const remark = absence(count === 0 ? 'absent.no_fact' : 'absent.few_facts');
    return [part(['debate', 'debate_summary', side, 'remark'], remark)];
  });
  const floors = sides.map((side) => floorOf(debate[side]));
  return [
    ...floored(remarks, remarks.length),
    ...scores,
    ...alternately(debate, FIRST, (side) => [side, 'points'], floors),
    ...alternately(debate.changes, CHANGES_FIRST, (side) => ['what_would_change', side]),
  ];
}

const floorOf = (points: readonly Point[]): Point | undefined =>
  points.find(({ facts }) => facts.length <= FLOOR_FACTS_MAX) ?? points[0];

function alternately(
  { bull, bear }: Pick<Debate, 'bull' | 'bear'>,
  first: number,
  placeOf: (side: 'bull' | 'bear') => string[],
  floors: readonly (Point | undefined)[] = [],
): Piece[] {
  return Array.from({ length: Math.max(bull.length, bear.length) }).flatMap((_, at) => {
    const topic: Topic = at < first ? 'debate' : 'debate_more';
    return [['bull', bull[at]] as const, ['bear', bear[at]] as const].flatMap(([side, point]) => {
      if (point === undefined) return [];
      const piece = item([topic, 'debate_summary', ...placeOf(side)], point, point.facts);
      return floored([piece], floors.includes(point) ? 1 : 0);
    });
  });
}
