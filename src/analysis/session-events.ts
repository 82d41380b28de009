/**
 * Events between two states of one stock: a level broken, an opening range broken or failed, a tier crossed, a bias
 * changed, trading halted or resumed. Each event has its evidence before and after. There is no event between a value
 * and an unknown one.
 */

/** The state of one stock at one instant that events are derived from. Prices in dollars; null is not known. */
export interface SessionState {
  /** YYYY-MM-DD. */
  readonly tradeDate: string;
  readonly lastPrice: number | null;
  readonly halted: boolean;
  readonly levels: Readonly<Record<string, number | null>>;
  readonly openingRanges: readonly OpeningRangeState[];
  readonly tiers: Readonly<Record<string, Banded>>;
  /** Words for a side, by field. */
  readonly biases: Readonly<Record<string, Banded>>;
}

interface OpeningRangeState {
  readonly minutes: number;
  readonly status: string | null;
  readonly high: number | null;
  readonly low: number | null;
}

/** A word and the figure that it bands, with the name of the figure; both null where it bands none. */
export interface Banded {
  readonly word: string | null;
  readonly figureName: string | null;
  readonly figure: number | null;
}

type SessionEventType =
  | 'level_broken'
  | 'orb_broken'
  | 'orb_failed'
  | 'tier_crossed'
  | 'bias_changed'
  | 'halted'
  | 'resumed';

/** One event, in the words of the wire; `before` and `after` hold the same names. */
export interface SessionEvent {
  readonly type: SessionEventType;
  /** The level, the opening range or the field that it is about; null for the stock itself. */
  readonly subject: string | null;
  readonly direction: 'up' | 'down' | null;
  readonly before: Evidence;
  readonly after: Evidence;
}

type Evidence = Readonly<Record<string, string | number | boolean | null>>;

/** Events from one state to a later one, in a fixed order; the states may be any time apart. */
export function sessionEvents(before: SessionState, after: SessionState): SessionEvent[] {
  const isOneSession = before.tradeDate === after.tradeDate;
  return [
    ...haltEvents(before, after),
    // Levels and opening ranges belong to their session: those of the next one are others.
    ...(isOneSession ? openingRangeEvents(before, after) : []),
    ...(isOneSession ? levelEvents(before, after) : []),
    ...bandEvents('tier_crossed', before.tiers, after.tiers),
    ...bandEvents('bias_changed', before.biases, after.biases),
  ];
}

function haltEvents(before: SessionState, after: SessionState): SessionEvent[] {
  if (before.halted === after.halted) return [];
  return [
    {
      type: after.halted ? 'halted' : 'resumed',
      subject: null,
      direction: null,
      before: { halted: before.halted, last_price: before.lastPrice },
      after: { halted: after.halted, last_price: after.lastPrice },
    },
  ];
}

/**
 * A level is broken when price goes from one side of it, or from it, to beyond it on the other. Each price is compared
 * with the level of the same state, so that a moving level (VWAP, a developing edge) is only broken by a price that
 * passes it.
 */
function levelEvents(before: SessionState, after: SessionState): SessionEvent[] {
  return Object.entries(after.levels).flatMap(([name, level]): SessionEvent[] => {
    const earlier = before.levels[name] ?? null;
    const direction = crossing(before.lastPrice, earlier, after.lastPrice, level);
    if (direction === null) return [];
    return [
      {
        type: 'level_broken',
        subject: name,
        direction,
        before: { last_price: before.lastPrice, level: earlier },
        after: { last_price: after.lastPrice, level },
      },
    ];
  });
}

function crossing(
  priceBefore: number | null,
  levelBefore: number | null,
  priceAfter: number | null,
  levelAfter: number | null,
): 'up' | 'down' | null {
  if (priceBefore === null || levelBefore === null || priceAfter === null || levelAfter === null) return null;
  if (priceBefore <= levelBefore && priceAfter > levelAfter) return 'up';
  return priceBefore >= levelBefore && priceAfter < levelAfter ? 'down' : null;
}

const ORB_EVENTS: Readonly<Record<string, Pick<SessionEvent, 'type' | 'direction'>>> = {
  breakout_up: { type: 'orb_broken', direction: 'up' },
  breakout_down: { type: 'orb_broken', direction: 'down' },
  // A failed break up throws the price back down.
  failed_breakout_up: { type: 'orb_failed', direction: 'down' },
  failed_breakout_down: { type: 'orb_failed', direction: 'up' },
};

function openingRangeEvents(before: SessionState, after: SessionState): SessionEvent[] {
  return after.openingRanges.flatMap((range): SessionEvent[] => {
    const earlier = before.openingRanges.find(({ minutes }) => minutes === range.minutes);
    const event = range.status === null ? undefined : ORB_EVENTS[range.status];
    if (event === undefined || earlier === undefined || earlier.status === null) return [];
    if (earlier.status === range.status) return [];
    return [
      {
        ...event,
        subject: `orb_${range.minutes}m`,
        before: rangeEvidence(earlier, before),
        after: rangeEvidence(range, after),
      },
    ];
  });
}

const rangeEvidence = ({ status, high, low }: OpeningRangeState, { lastPrice }: SessionState): Evidence => ({
  status,
  high,
  low,
  last_price: lastPrice,
});

function bandEvents(
  type: 'tier_crossed' | 'bias_changed',
  before: Readonly<Record<string, Banded>>,
  after: Readonly<Record<string, Banded>>,
): SessionEvent[] {
  return Object.entries(after).flatMap(([field, later]): SessionEvent[] => {
    const earlier = before[field];
    if (later.word === null || earlier === undefined || earlier.word === null) return [];
    if (earlier.word === later.word) return [];
    return [
      {
        type,
        subject: field,
        direction: directionOf(earlier.figure, later.figure),
        before: bandEvidence(field, earlier),
        after: bandEvidence(field, later),
      },
    ];
  });
}

const bandEvidence = (field: string, { word, figureName, figure }: Banded): Evidence => ({
  [field]: word,
  ...(figureName === null ? {} : { [figureName]: figure }),
});

function directionOf(before: number | null, after: number | null): 'up' | 'down' | null {
  if (before === null || after === null || before === after) return null;
  return after > before ? 'up' : 'down';
}
