import type { PlanStock } from './schema.ts';
import { dayText, inWords, labelOf, priceText, say, signed } from './sentences.ts';

/** A stock of the plan before it has its place. */
export type Unplaced = Omit<PlanStock, 'why' | 'weight'>;

/** A reason to look at a stock first. */
interface ReasonKind {
  readonly name: string;
  /** What it adds to the place of a stock. */
  readonly weight: number;
  /** In a sentence; null where it does not hold. */
  readonly says: (stock: Unplaced) => string | null;
}

/** So near that the first minutes may reach it, ATR. */
const NEAR_ATR = 0.3;
/** From here on a gap is wide: a share of the expected move. */
const WIDE = 0.5;
/** Families that make a level worth a look before all others. */
const FAMILIES_MIN = 3;

/** The order of a plan is the sum of what holds of these. */
export const REASON_KINDS: readonly ReasonKind[] = [
  { name: 'halted', weight: 5, says: ({ halted }) => (halted ? say('plan.halted') : null) },
  {
    name: 'results_today',
    weight: 4,
    says: ({ results }) =>
      results?.days === 0 ? say('plan.results_today', { date: dayText(results.date) }) : null,
  },
  {
    name: 'gap_beyond_expected_move',
    weight: 4,
    says: ({ gap, expected_move: move }) =>
      gap !== null && move !== null && Math.abs(gap.size) > move.move
        ? say('plan.gap_beyond', { gap: percent(gap.pct), move: `${move.move_pct.toFixed(1)} %` })
        : null,
  },
  {
    name: 'gap_wide',
    weight: 2,
    says({ gap, expected_move: move }) {
      const share = gap === null || move === null ? 0 : Math.abs(gap.size) / move.move;
      return share >= WIDE && share <= 1
        ? say('plan.gap_wide', { gap: percent(gap!.pct), share: `${Math.round(share * 100)} %` })
        : null;
    },
  },
  {
    name: 'side_changed',
    weight: 3,
    says: ({ changed }) =>
      changed?.is_new
        ? say('plan.side_changed', { ...turned(changed.bias), since: dayText(changed.since) })
        : null,
  },
  {
    name: 'tier_changed',
    weight: 1,
    says({ changed }) {
      if (changed === null || changed.is_new) return null;
      const side = (['bullish', 'bearish'] as const).find((each) => {
        const [from, to] = changed[`${each}_tier`];
        return from !== to;
      });
      return side === undefined
        ? null
        : say('plan.tier_changed', {
            side: side.slice(0, 4),
            ...turned(changed[`${side}_tier`]),
            since: dayText(changed.since),
          });
    },
  },
  {
    name: 'flip_near',
    weight: 2,
    says: ({ gamma }) =>
      gamma?.flip != null && isNear(gamma.distance_atr)
        ? say('plan.flip_near', { price: priceText(gamma.flip), ...away(gamma.distance_atr) })
        : null,
  },
  {
    name: 'setup_near',
    weight: 2,
    says({ setups }) {
      const setup = setups.find(({ trigger_atr }) => isNear(trigger_atr));
      return setup === undefined
        ? null
        : say('plan.setup_near', {
            name: setup.name ?? inWords(setup.strategy),
            price: priceText(setup.trigger!),
            ...away(setup.trigger_atr!),
          });
    },
  },
  {
    name: 'level_near',
    weight: 1,
    says({ above, below }) {
      const level = [...above, ...below].find(
        ({ families, distance_atr }) => families >= FAMILIES_MIN && isNear(distance_atr),
      );
      return level === undefined
        ? null
        : say('plan.level_near', {
            level: labelOf(level.name),
            price: priceText(level.price),
            families: level.families,
            ...away(level.distance_atr!),
          });
    },
  },
  {
    name: 'pattern_confirmed',
    weight: 2,
    says({ patterns: [newest] }) {
      return newest === undefined
        ? null
        : say('plan.pattern_confirmed', {
            pattern: inWords(newest.type),
            date: dayText(newest.confirmed_at!),
          });
    },
  },
  {
    name: 'news',
    weight: 1,
    says: ({ news, news_since }) =>
      news.length === 0 ? null : say('plan.news', { count: news.length, since: dayText(news_since) }),
  },
];

/** A stock with the reasons that hold of it, the heaviest first, and their sum. */
export function withReasons(stock: Unplaced): PlanStock {
  const why = REASON_KINDS.flatMap(({ name, weight, says }) => {
    const sentence = says(stock);
    return sentence === null ? [] : [{ reason: name, weight, says: sentence }];
  }).sort((one, other) => other.weight - one.weight);
  return { ...stock, weight: why.reduce((sum, { weight }) => sum + weight, 0), why };
}

const isNear = (distance: number | null): distance is number =>
  distance !== null && Math.abs(distance) <= NEAR_ATR;

const away = (distance: number) => {
  const atr = Math.abs(distance).toFixed(2);
  return { away: atr === '0.00' ? 'at the price' : `${atr} ATR ${distance > 0 ? 'above' : 'below'}` };
};

const percent = (pct: number): string => `${signed(pct, 1)} %`;

const turned = ([from, to]: readonly (string | null)[]) => ({
  from: spoken(from),
  to: spoken(to),
});

const spoken = (label: string | null | undefined): string =>
  label == null ? 'unknown' : label.toLowerCase();
