/**
 * Small words by what they do to a number. All are data: a word that is missing makes a claim unknown at worst, since
 * only a number that these tie to its measure can contradict it.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** May stand between a measure and its number. */
export const TYING = words(`
  is are was were be been being am 's its their his the a an this that these it which has have had having
  of at to in on between near around about into by for as with currently now presently today still just only also already
  again yet well right very here both each respectively
  stands stand stood standing sits sit sat sitting reads read reading remains remain remained stays stayed comes came
  coming runs run running prints printed printing registers registered measures measured scores scored scoring shows
  showed showing hovers hovered hovering trades traded trading trade closes closed closing close ends ended ending
  finishes finished settles settled settling opens opened lies lay lying holds held holding carries carried totals
  totaled totalled amounts equals equal equalled exactly precisely marks marked posts posted posting reaches reached
  rises rose risen rising climbs climbed climbing gains gained gaining advances advanced jumps jumped jumping
  increases increased increasing improves improved rallied pushes pushed lifts lifted surges surged expands expanded
  falls fell fallen falling drops dropped dropping declines declined declining slips slipped slipping slides slid
  sliding eases eased easing sinks sank decreases decreased decreasing moves moved moving ticks ticked cools cooled
  contracts contracted worth valued priced set seen found located quoted changed changes hands
  up down higher lower
  level levels value ratio score mark line figure area zone reading price range estimate
  overbought oversold neutral elevated strong weak healthy bullish bearish high low rich cheap stretched firm flat
  modest solid extended positive negative mixed intact key nearest first next immediate major roughly approximately
  approx circa nearly almost some close last past one rated counts
`);

/** May stand between a number and the measure that follows it. */
export const TYING_AFTER = words(
  "is are as the a an of on in 's its their for current today's mark level area zone reading consecutive straight forward trailing",
);

/** Says that the number is not exact. */
export const APPROXIMATE = words(
  '~ about roughly approximately approx around circa nearly almost some near close slightly',
);

export const UPWARD = words(`
  up rose rises risen rising gained gains gaining gain added adds climbed climbs climbing advanced advances advance
  higher jumped jumps jumping jump increased increases increase rallied rally surged surges surge above improved grew
  grown rise
`);
export const DOWNWARD = words(`
  down fell falls fallen falling fall lost loses losing loss dropped drops dropping drop declined declines declining
  decline lower slid slides sliding slipped slips slipping shed sheds sank sinks slumped plunged decreased decreases
  decrease below downside discount under off retreated retreat
`);

/** Sides of a level. `near` says nothing of the side. */
export const SIDES: ReadonlyMap<string, 'above' | 'below' | 'near'> = new Map([
  ...pairs('above over beyond past exceeds exceeded exceeding exceed atop', 'above' as const),
  ...pairs('below under beneath underneath', 'below' as const),
  ...pairs('from off to between of', 'near' as const),
]);

function pairs<Value>(text: string, value: Value): [string, Value][] {
  return [...words(text)].map((word) => [word, value]);
}

/** Asks for something that follows from several facts. */
export const RELATING = words(`
  above below over under beneath beyond from off away between upside downside spread gap difference distance higher
  lower premium discount versus vs against times ratio combined total together sum range wide room extended past
  exceeds relative compared
`);

/** Speaks of what is not, or not yet. */
export const CONDITIONAL = words(
  'if would were unless should until once when whenever assuming suppose provided scenario hypothetical',
);

/** Leaves open what follows, not what went before: `an RSI of 62 may rise`. */
export const POSSIBLE = words('could might may can');

/** Says that a number is of this moment, whatever else the sentence supposes. */
export const NOW = words('now currently presently');

/** Speaks of what lies ahead. */
export const AHEAD = words(
  'will shall won expect expects expected expecting forecast forecasts predict predicts aim aims',
);

/** Speaks of what has been. */
export const PAST = words(
  'ago yesterday previously formerly historically historical earlier since peaked bottomed used last-year prior-year once record all-time',
);

/** Takes a statement back. */
export const NEGATION = words(
  "not never no isn't wasn't aren't doesn't don't didn't hasn't won't cannot can't neither nor without",
);

export const TODAY = words('today session intraday day');

/** A span over which a change is told; then it is not that of the day. */
export const SPANS = words(
  'week weeks weekly month months monthly quarter quarters quarterly year years yearly yoy ytd annually since days sessions decade premarket pre-market after-hours overnight hour hours minutes',
);

/** Verbs that make a bound a statement: `RSI is above 60`. */
export const ASSERTING = words(
  "is are 's remains remain stays sits stands trades trading traded holds held holding hovers was closed closes settled sits reads",
);

/** Ends no clause: what follows in the next line belongs to it. */
export const LEADING_ON = words(
  'of at is was are to from and or near the around above below a an by in with for its on as about than over under between',
);

/** A point behind them ends no sentence. */
export const ABBREVIATIONS = words(
  'vs approx avg est inc corp co ltd jan feb mar apr jun jul aug sep sept oct nov dec no st e.g i.e cf ca incl max min',
);

/** After them the clause speaks of something else. */
export const CLAUSE_STARTS = words(
  'and but while whereas although though because however yet unlike versus despite since as',
);

/** Capitals that stand for no stock, whatever the market lists. */
export const NO_TICKERS = words(
  'AI IT US USA UK EU CEO CFO COO IPO ETF TV PC EV GDP CPI FED FOMC SEC AND THE FOR ALL ARE NOT BUY SELL HOLD BULL BEAR LONG SHORT CALL PUT HIGH LOW OPEN UP ON AT OR SO BY IS BE IF TO OF IN AN AS DO GO HE ME MY NO WE USD ET EST EDT UTC AM PM',
);
