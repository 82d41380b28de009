/**
 * Small words by what they do to a number, as data. A word that is missing makes a claim unknown at worst: only a
 * number that these tie to its measure can contradict it.
 */

export const wordsIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** May stand between a measure and its number. */
export const TYING = wordsIn(`
  is are was were be been being am 's its their his the a an this that these it which it's has have had having of at to in
  on between near around about into by for as with currently now presently today still just only also already again yet well
  right very here both each respectively stands stand stood standing sits sit sat sitting reads read reading remains remain
  remained stays stayed comes came coming runs run ran running prints printed printing registers registered measures measured
  measuring scores scored scoring shows showed showing hovers hovered hovering trades traded trading trade closes closed
  closing close ends ended ending finishes finished settles settled settling opens opened lies lay lying holds held holding
  carries carried totals totaled totalled amounts equals equal equalled exactly precisely marks marked posts posted posting
  reaches reached rises rose risen rising climbs climbed climbing gains gained gaining advances advanced jumps jumped jumping
  increases increased increasing improves improved rallied pushes pushed lifts lifted surges surged expands expanded falls
  fell fallen falling drops dropped dropping declines declined declining slips slipped slipping slides slid sliding eases
  eased easing sinks sank decreases decreased decreasing moves moved moving ticks ticked cools cooled contracts contracted
  worth valued priced set seen found located quoted changed changes hands up down higher lower level levels value ratio score
  mark line figure area zone price range estimate overbought oversold neutral elevated strong weak healthy bullish bearish
  high low rich cheap stretched firm flat modest solid extended positive negative mixed intact key nearest first next
  immediate major roughly approximately approx circa nearly almost some last past one rated counts
`);

/** May stand between a number and the measure that follows it. */
export const TYING_AFTER = wordsIn(`
  is are as the a an of on in 's its their for current today's mark level area zone reading consecutive straight forward
  trailing
`);

/** Names one of a list, or parts two of its items. */
export const LISTING = wordsIn(', and or / then & - to versus vs against followed by respectively of');

/** May stand before a number that is a bound. */
export const BOUNDING = wordsIn(`
  above over below under more less greater higher lower than at least most no within north south of up to in excess > <
  beyond exceeds beneath exactly just
`);

/** Words of a rise or of what is above zero, and of a fall or what is below it: they are part of what a number claims. */
export const RISING = wordsIn(`
  up rose rise rises risen rising gain gains gained gaining add adds added adding climb climbs climbed climbing advance
  advances advanced advancing jump jumps jumped jumping increase increases increased increasing rally rallies rallied
  rallying surge surges surged surging soar soars soared soaring improve improves improved improving grew grow grows grown
  growing higher beat beats beating beaten topped tops topping upside stronger rebounded recovered popped expanded
  outperformed ahead upward upwards
`);
export const FALLING = wordsIn(`
  down fell fall falls fallen falling lost lose loses losing loss losses drop drops dropped dropping decline declines declined
  declining lower slid slide slides sliding slip slips slipped slipping shed sheds shedding sank sink sinks sunk slump slumps
  slumped plunge plunges plunged plunging tumbled tumbles decrease decreases decreased decreasing retreat retreats retreated
  miss misses missed missing downside downward downwards weaker shrank shrunk contracted underperformed behind pulled
`);
/** May stand before a word of a rise or a fall that is of the stock; any other noun is what moved. */
export const MOVERS = wordsIn(`
  it its it's stock shares share price prices name which that who they and but is was are were be been being 's has have had
  having day session ended ends closed closes finished finishes settled opened opens trades traded trading gapped moved moves now also then
  just still currently today to by while as after with where far well another a an the of at on or about not
`);
/** The same words next to a number, with those that say which side of something it lies on. */
export const UPWARD = [...RISING, 'above'].join('|');
export const DOWNWARD = [...FALLING, 'below', 'discount', 'under', 'off'].join('|');
/** Words by which something lies above or below something else. */
export const OVER = wordsIn(`
  above over beyond past exceeding exceeds exceed exceeded atop clears cleared reclaims reclaimed regains regained
`);
export const UNDER = wordsIn('below under beneath underneath undercuts undercut');
export const isSide = (text = ''): boolean => OVER.has(text) || UNDER.has(text);

/** Asks how far two measures lie apart. */
export const SIDES: ReadonlyMap<string, 'above' | 'below' | 'near'> = new Map([
  ...['above', 'over', 'beyond', 'past', 'exceeding', 'atop', 'higher'].map(
    (word) => [word, 'above'] as const,
  ),
  ...['below', 'under', 'beneath', 'underneath', 'lower'].map((word) => [word, 'below'] as const),
  ...['from', 'off', 'to', 'between', 'of', 'against', 'versus', 'vs'].map((word) => [word, 'near'] as const),
]);

/** Between a number and a side, and between the side and the other measure. */
export const FILLING = wordsIn(`
  the its a an their nearest key next strong just only well away higher lower clear short shy north south of current than 's
  to from
`);

/** What a sentence or clause says of the numbers in it. */
export const SAYS = {
  flags: {
    /** A condition, or what lies ahead. */
    supposed: wordsIn(`
      if would were unless should until once when whenever assuming suppose provided scenario hypothetical will shall won
      expect expects expected expecting forecast forecasts predict predicts aim aims
    `),
    past: wordsIn(`
      ago yesterday previously formerly historical historically earlier since peaked bottomed used last-year prior-year
      record all-time
    `),
    today: wordsIn('today session intraday day'),
    span: wordsIn(`
      week weeks weekly month months monthly quarter quarters quarterly year years yearly yoy ytd annual annually since days
      sessions decade premarket pre-market after-hours overnight hour hours minutes
    `),
  },
  /** Leaves open what follows, not what went before: `an RSI of 62 may rise`. */
  possible: wordsIn('could might may can'),
  /** Makes a bound a statement: `RSI is above 60`. */
  asserting: `is|are|'s|remains?|stays?|sits?|stands?|trad(?:e|es|ed|ing)|h[eo]ld(?:s|ing)?|hovers|was|clos(?:e|es|ed|ing)|
    settled|reads`,
  /** Takes a statement back. */
  negation: `not|never|no|isn't|wasn't|aren't|doesn't|don't|didn't|hasn't|won't|cannot|can't|neither|nor|without`,
} as const;

/** Ends no sentence at the end of a line. */
export const LEADING_ON = wordsIn(`
  of at is was are to from and or near the around above below a an by in with for its on as about than over under between
`);

/** A point behind them ends no sentence. */
export const ABBREVIATIONS = wordsIn(`
  vs approx avg est inc corp co ltd jan feb mar apr jun jul aug sep sept oct nov dec no st e.g i.e cf ca incl max min
`);

/** After them the clause speaks of something else. */
export const CLAUSE_STARTS = wordsIn(`
  and but while whereas although though because however yet unlike versus despite since as
`);

/** Makes another measure of the one behind it, of which nothing is known: `weekly RSI`. */
export const QUALIFIERS = wordsIn(`
  weekly monthly hourly quarterly yearly annual sector industry peer peers group minute five-minute
`);

/** Of these words at the beginning of a sentence none is the name of a company. */
export const SUBJECTS = wordsIn(`
  it its the this that these those shares stock price prices volume company today yesterday which what who also both they
  friday monday tuesday wednesday thursday there here
`);

/**
 * Words that leave a claim what it is, beside those of a rise, a fall and a side. Any other word of a sentence may change it,
 * so that nothing is said of its numbers.
 */
const PLAIN_WORDS = wordsIn(`
  a an the this that these those it its it's their which of at to in on by for with from as than and or but while whereas also
  now currently presently today still just only already again yet very here both each all is are was were be been being am 's
  has have had having stands stand stood standing sits sit sat sitting reads read reading remains remain remained remaining
  stays stayed comes came coming runs run ran prints printed printing registers registered measures measured measuring shows showed
  showing hovers hovered hovering trades traded trading trade changes changing hands closes closed closing close ends ended
  ending finishes finished finishing finish settles settled settling opens opened opening lies lay lying holds hold held holding
  carries carried totals totaled exactly precisely posts posted moves moved moving ticks worth valued priced quoted level levels
  value ratio mark line figure reading area zone price score estimate estimates expectations straight consecutive session
  day days until due earnings results report next share shares stock name percent dollars usd us points point times roughly
  approximately approx about around circa nearly almost near some more less least most greater no not between within against
  versus vs well nearest key that's makes make gives give implies imply implied leaves there seen set current spot quote by
  move change gap gaps gapped swung streak cover covers row counts rated count number who they away unlike peers positive negative minus bulls
  bears then should first second third data
`);
const COMPARING = wordsIn('from to between of');
export const NEGATIONS = wordsIn(SAYS.negation.replaceAll('|', ' '));
export const isUnderstood = (word: string): boolean =>
  PLAIN_WORDS.has(word) ||
  RISING.has(word) ||
  FALLING.has(word) ||
  isSide(word) ||
  COMPARING.has(word) ||
  SAYS.flags.supposed.has(word) ||
  SAYS.possible.has(word) ||
  NEGATIONS.has(word);
/** Understood only before a number. */
export const OF_A_NUMBER = wordsIn('near around close about between roughly nearly almost approximately');

/** Capitals that stand for no stock, whatever the market lists. */
export const NO_TICKERS = wordsIn(`
  AI IT US USA UK EU CEO CFO COO IPO ETF TV PC EV GDP CPI FED FOMC SEC AND THE FOR ALL ARE NOT BUY SELL HOLD BULL BEAR
  LONG SHORT CALL PUT HIGH LOW OPEN UP ON AT OR SO BY IS BE IF TO OF IN AN AS DO GO HE ME MY NO WE USD ET EST EDT UTC AM PM
`);

/** One word of alternatives. */
export const oneOf = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${joined(words)})(?!\\p{L})`, 'u');
export const joined = (words: string): string => words.replaceAll(/\s+/g, '');
