import { SCALAR_FIELDS } from '../derive/scalar-fields.ts';

/**
 * What fields are called: by the fields of a screen, in sentences of ours and in those that are verified. A new field has a
 * label by itself; a row of `ROWS` gives it the trade's name.
 */

/** A measure that texts name, and the facts that can be meant. */
export interface Term {
  /** As the trade writes it. */
  readonly name: string;
  /** Ids of facts; `*` is one name of an id. The first is what the name is expected to mean. */
  readonly facts: readonly string[];
  readonly trait: 'open' | 'level' | 'stock' | 'range' | 'unknown' | null;
  readonly formulas: readonly Formula[];
  /** Other names, and what a sentence says instead of one: `trades at`. */
  readonly names: readonly string[];
  readonly sayings: readonly string[];
}

/** A number that follows from facts. */
export interface Formula {
  readonly kind: 'sum' | 'product' | 'ratio' | 'difference' | 'change';
  readonly of: readonly string[];
}

/** What a field is called. */
interface FieldWords {
  /** As it is spelled out, without figures. */
  readonly label: string;
  /** The trade's name; null where it is called by its label. */
  readonly shortName: string | null;
  /** Other names that mean this field alone. */
  readonly aliases: readonly string[];
}

/**
 * A row is `name : facts : other names / sayings : formulas`. `(a|b)` are alternatives, and `{a|b}` writes a row for each.
 * Facts are paths of StockResult, other ids have `@` before them. A mark before the name:
 *
 * - `~` more may bear the name than is known (a support that the writer drew), so that nothing contradicts it
 * - `^` a level, which stays where it is when the clause turns to what might happen
 * - `@` the stock itself, whose number is its price only where the clause says so
 * - `&` a range from the first fact to the second: both of its numbers are claimed
 * - `?` nothing is known of it: no number beside it belongs to another measure
 */
const ROWS = `
price : last_price price.day_price price.regular.close level_ladder.last_price : (last|share|stock|spot|current) price, spot / last (traded|) at, (trading|trades|traded|trade) at, (trading|trades) (around|near), (changes|changing) hands at, (is|) priced at, quoted at
closing price : price.official_close price.regular.close last_price price.after_hours.close : last close, regular close / (closed|closes|settled|finished|ended) at, (ended|closed) the (day|session) at
@price : last_price price.day_price price.regular.close level_ladder.last_price : the stock, the shares, stock, the name
~pullback : price.change_pct intraday_return_pct : bounce, rebound
^previous close : price.previous_close levels.pdc : prior (session|day|) close, yesterday's close, yesterdays close, previous session close, (prior|previous) (session|day)'s close, pdc, (the|) close before, close of the day before / (prior|previous) (session|day) (closed|settled|finished|ended) at
^opening price : price.regular.open : (today|day)'s open, (the|its) open / opened (higher|lower|up|down|) at
^day {high|low} : price.regular.{high|low} : (day|today)'s {high|low}, (session|intraday) {high|low}, {high|low} of (the|) day, {hod|lod}
&day range : price.regular.low price.regular.high : day's range, (session|intraday) range, range of the day / (traded|ranged|swung|moved) between, (ranged|swung) from
pre-market price : price.pre_market.close price.extended.price : premarket price, pre market, premarket
^pre-market {high|low} : price.pre_market.{high|low} : premarket {high|low}
after-hours price : price.after_hours.close price.extended.price : after hours, post market
{after-hours|pre-market} change : price.extended.change_pct price.extended.change : change {after hours|before the open}, {after hours|premarket} change
change : price.change_pct intraday_return_pct price.change : (daily|day|day's) change, change on the day, intraday return, return on the day, today's return : difference last_price price.previous_close; change last_price price.previous_close; change price.regular.close price.previous_close
gap : price.gap_pct price.gap : opening gap / gapped (up|down), gap (up|down|of) : change price.regular.open price.previous_close
RSI : technical.rsi_14 : rsi 14, 14 (day|period|) rsi, daily rsi, relative strength index (14|), fourteen session relative strength index
ADX : technical.adx_14 : adx 14, 14 day adx, (fourteen session|) average directional index
ATR : technical.atr_14 technical.daily_atr.14 technical.daily_atr_live level_ladder.atr : atr 14, 14 (day|) atr, daily atr (14|), (fourteen session|) average true range
ATR(20) : technical.daily_atr.20 : atr 20, 20 day (atr|average true range), daily atr 20
ATR of minute bars : technical.atr_1m_14 : (1|) minute atr, atr 1m 14, 1m atr, average true range of minute bars
MACD : technical.macd : macd line, macd 12 26 (9|), moving average convergence divergence
MACD signal : technical.macd_signal : signal line, macd signal line
MACD histogram : : histogram : difference technical.macd technical.macd_signal
^{50|200|20}-day average : technical.moving_averages.sma_{50|200|20} {@market.index.sma_50|@market.index.sma_200|technical.bollinger.middle technical.moving_averages.ema_20} : ({50|200|20}|{fifty|two hundred|twenty}) (day|session|period|d|) (sma|simple moving average|simple average), ({50|200|20}|{fifty|two hundred|twenty}) (day|session|period|d) (average|moving average|avg|ma|mean), ({50|200|20}|{fifty|two hundred|twenty}) (day|session|dma), (sma|ma|dma|simple moving average) {50|200|20}, {50|200|20} ma
^9-day EMA : technical.moving_averages.ema_9 : (9|nine) (day|session|period|d|) (ema|exponential moving average|exponential average), (9|nine) (day|session|period|d) (average|moving average|avg|ma|mean), (9|nine) (day|session|dma), (ema|ma|dma|exponential moving average) 9, 9 ma
^20-day EMA : technical.moving_averages.ema_20 : (20|twenty) (day|session|period|d|) (ema|exponential moving average|exponential average), (ema|exponential moving average) 20
? : : moving average, averages, (100|10|150|5|30) day average, (100|10) day (moving average|), (21|8) ema, 21 day ema, 100 sma, sma 100
? : : (20|50|200) day (high|low), (20|50) day (return|average volume), (52|fifty two) week (high|low), 52 week range, all time (high|low), record high, ytd, 20 day (volatility|), average (daily|) volume, 10 day average volume, 1 year high, (historical|realized|realised|) volatility
^{upper|middle|lower} Bollinger band : technical.bollinger.{upper|middle|lower} : {upper|middle|lower} (bollinger|band), bollinger {upper|middle|lower} (band|)
&Bollinger bands : technical.bollinger.lower technical.bollinger.upper :
Bollinger bandwidth : technical.bollinger.bandwidth : bandwidth, (band|bollinger) width
momentum blend : momentum_blend : blended momentum, blended (return|)
volume : volume price.regular.volume price.order_flow.volume : (share|trading|session) volume, shares traded
relative volume : rel_volume : rel (volume|vol), relative vol, (yesterday's|prior day) relative volume
rvol : : session relative volume : ratio volume adv30_shares
5-day relative volume : rel_vol_5d : (five|5) day relative volume, rel vol 5d / times the usual volume
~multiple of the usual : rel_volume rel_vol_5d news.burst : / times the usual (number|)
dollar volume : dollar_volume_today dollar_volume adv20_usd adv30_usd : : product last_price volume
average dollar volume : adv20_usd adv30_usd dollar_volume : (20|30) day average dollar volume, twenty day average volume in dollars
30-day average volume : adv30_shares : thirty day average volume, adv30, 30 day adv
CVD : cvd cvd_pct net_buy_volume : (cumulative|) volume delta
CVD percent : cvd_pct : cvd pct, cumulative volume delta percent
dark pool share : dark_pool_pct_1d price.order_flow.off_exchange_share : dark pool, off exchange (share|), dark pool (percentage|volume share)
buy/sell ratio : buy_sell_ratio : buy to sell ratio
^VWAP : levels.vwap price.order_flow.vwap : (volume|) weighted average price, volume weighted average, session vwap
^pivot : levels.pivot_pp : pivot point, (floor|daily|central) pivot
^pivot {R1|R2|R3|S1|S2|S3} : levels.pivot_{r1|r2|r3|s1|s2|s3} : (floor pivot|pivot|) ({resistance|resistance|resistance|support|support|support}|) {r1|r2|r3|s1|s2|s3}, {resistance|resistance|resistance|support|support|support} at {r1|r2|r3|s1|s2|s3}, {first|second|third|first|second|third} pivot {resistance|resistance|resistance|support|support|support}, pivot {first|second|third|first|second|third} {resistance|resistance|resistance|support|support|support}
^CPR {top|bottom} : levels.cpr_{tc|bc} : {tc|bc}, {top|bottom} of the central pivot range
^initial balance {high|low} : levels.ib_{high|low} : ib {high|low}
^{5|15|30|5|15|30}-minute opening range {high|high|high|low|low|low} : levels.orb_{5|15|30|5|15|30}m_{high|high|high|low|low|low} : {5|15|30|5|15|30} (minute|m) orb {high|high|high|low|low|low}, orb {5|15|30|5|15|30} {high|high|high|low|low|low}
^30-minute opening range {high|low} : levels.orb_30m_{high|low} : (half hour|thirty minute) (opening range|) {high|low}
&{5|15|30}-minute opening range : levels.orb_{5|15|30}m_low levels.orb_{5|15|30}m_high : {5|15|30} minute (opening range|orb), {5|15|30}m (opening range|orb), orb {5|15|30}
&initial balance : levels.ib_low levels.ib_high : ib
~opening range {high|low} : levels.orb_5m_{high|low} levels.orb_15m_{high|low} levels.orb_30m_{high|low} : orb {high|low}
^prior day's {high|low} : levels.{pdh|pdl} : (prior|previous|preceding) (day|session) ('s|) {high|low}, {pdh|pdl}, yesterday's {high|low}, previous {high|low}
&prior day's range : levels.pdl levels.pdh : (prior|previous|preceding) (day|session) ('s|) range, yesterday's range
^prior {week|week|month|month} {high|low|high|low} : levels.prior_{week|week|month|month}_{high|low|high|low} : last {week|week|month|month}'s {high|low|high|low}, (previous|prior) {week|week|month|month} ('s|) {high|low|high|low}, {weekly|weekly|monthly|monthly} {high|low|high|low}, {pwh|pwl|pmh|pml}
^3-day {high|low} : range_3d.{high|low} : (3|three) (day|session) {high|low}
~{point of control|value area high|value area low} : levels.prior_{poc|vah|val} levels.developing_{poc|vah|val} volume_profile.*.{poc|vah|val} : {poc|vah|val}, volume {point of control|value area high|value area low}
~value area : levels.prior_val levels.prior_vah levels.developing_val levels.developing_vah volume_profile.*.val volume_profile.*.vah :
&{prior|developing} value area : levels.{prior|developing}_val levels.{prior|developing}_vah : {previous|today's} value area
^prior {point of control|value area high|value area low} : levels.prior_{poc|vah|val} volume_profile.prior.{poc|vah|val} : prior {poc|vah|val}, (previous|yesterday's) {point of control|value area high|value area low}, yesterday's {poc|vah|val}
^developing {point of control|value area high|value area low} : levels.developing_{poc|vah|val} volume_profile.developing.{poc|vah|val} : developing {poc|vah|val}
~threshold : @pattern.*.invalidation @pattern.*.trigger @level.*.*.price range_3d.* : / close (below|above)
^nearest {support|resistance} : level_ladder.nearest_{support|resistance}.price @level.{support|resistance}.1.price : (immediate|closest) {support|resistance}
~{support|resistance} : level_ladder.nearest_{support|resistance}.price @level.{support|resistance}.*.price @level.{support|resistance}.*.away : {support|resistance} (level|zone|area|1|2), {floor|ceiling}, (first|second|third|key|strong|overhead) {support|resistance}
market capitalisation : fundamental.market_cap fundamental.market_cap_bn : (market|mkt|) cap, market (capitalization|value), capitalisation, capitalization : product last_price fundamental.shares_outstanding
enterprise value : fundamental.enterprise_value fundamental.enterprise_value_bn : ev
P/E : fundamental.pe_ratio : (trailing|) (p/e|pe) (ratio|), price to earnings (ratio|), price earnings ratio, p/e multiple, earnings multiple / (times|x) (trailing|) earnings : ratio last_price fundamental.eps_ttm
forward P/E : fundamental.forward_pe : (forward|fwd) (p/e|pe) (ratio|), forward price to earnings, forward multiple / (x|times|) forward earnings : ratio last_price analyst.est_eps_avg
price to book : fundamental.price_to_book : pb, p/b (ratio|), price to book ratio / (x|times) book
P/S : fundamental.price_to_sales : ps, p/s ratio, price to sales (ratio|) / (x|times) sales
PEG ratio : fundamental.peg_ratio : peg
EV/EBITDA : fundamental.ev_ebitda : ev to ebitda
earnings per share : fundamental.eps_ttm : (trailing|ttm|) eps, eps ttm, trailing earnings per share
{cash|debt} : fundamental.{cash_and_equivalents|total_debt} fundamental.{cash_and_equivalents_bn|total_debt_bn} : {cash and equivalents|total debt}, {cash|debt} (pile|position)
book value per share : fundamental.book_value_per_share : book value
operating cash flow : fundamental.operating_cash_flow fundamental.operating_cash_flow_bn :
net leverage : fundamental.net_leverage : net debt to ebitda, net debt, debt net of cash / (x|times) (ebitda|earnings before interest)
return on {equity|assets|invested capital} : fundamental.{roe|roa|roic} : {roe|roa|roic}
{net|profit} margin : fundamental.{net|profit}_margin fundamental.{profit|net}_margin :
dividend yield : fundamental.dividend_yield : yield
payout ratio : fundamental.payout_ratio : payout
debt to equity : fundamental.debt_to_equity : d/e, debt (to|) equity ratio, debt equity
~change of {revenue|earnings} : fundamental.{revenue|earnings}_growth_yoy : / {revenue|earnings} (grew|rose|fell|changed|declined|by), {sales|profit} (grew|rose|fell)
{revenue|earnings} growth : fundamental.{revenue|earnings}_growth_yoy : {revenue|earnings} growth year over year, {sales|profit} growth, {top line|eps} growth
shares outstanding : fundamental.shares_outstanding : outstanding shares, share count
float : fundamental.float_shares fundamental.free_float_pct : free float, float shares
employees : employees : staff, workforce
? : : revenue, net income, ebitda, free cash flow, guidance, dividend, short interest, days to cover, profit, income, buyback, cost, capex, margin, backlog, orders, deliveries, users, subscribers
? : : stop (loss|), entry (price|), position (size|), risk, reward, win rate, probability, chance, odds, call, put, straddle, spread, premium, condor, contract size, delta, theta, vega, gamma, confidence, weight, threshold, trigger, invalidation, breakeven, break even, hedge, allocation, portfolio, drawdown, sharpe (ratio|), macd crossover
days to earnings : earnings.days_until : days (to|until|before|to next|away from) earnings / (reports|next|until|to) earnings, earnings (are|report|date|), reports, report, (earnings|results) (are|is|) (due|out) in, due in
earnings surprise : earnings.surprise_pct earnings.surprise_zscore : (eps|last|) surprise, earnings surprise percent / (beat|missed) (its|the|) (estimates|estimate|) by, last by
consecutive beats : earnings.consecutive_beats : consecutive (beats|earnings beats), straight (beats|earnings beats), beats, beat (estimates|streak|), earnings consecutive beats
~streak : earnings.consecutive_beats earnings.consecutive_misses : (consecutive|straight) quarters, quarters in a row
consecutive misses : @stock.earnings.consecutive_misses : misses, missed, miss, straight misses
beat rate : earnings.beat_rate_8q : earnings beat rate, share of beats
~target : analyst.target_mean analyst.target_high analyst.target_low @pattern.*.target @playbook.*.target : targets
~price target : analyst.target_mean analyst.target_high analyst.target_low @pattern.*.target : analyst (price|) target, target price
&analyst target range : analyst.target_low analyst.target_high : (analyst|price|analysts'|) targets (range|ranging|run|ran|span), (price|) target range
^mean target : analyst.target_mean analyst.target_upside : (mean|average|consensus) (price|analyst|analyst price|) target, analyst target mean
^{high|low} target : analyst.target_{high|low} : ({highest|lowest}|street {high|low}) target, ({highest|lowest}|{high|low}) price target, street {high|low}
~upside : analyst.target_upside : (target|implied|analyst|analyst target) upside, upside to (the|) (mean|) target, downside (to (the|) (mean|) target|) : change analyst.target_mean last_price; change analyst.target_high last_price; change analyst.target_low last_price
analyst score : analyst.score : recommendation score, mean (recommendation|rating), consensus (score|rating)
~analysts : analyst.count analyst.num_analysts_eps analyst.strong_buy_count analyst.buy_count analyst.hold_count analyst.sell_count analyst.strong_sell_count : analyst (count|) : sum analyst.buy_count analyst.strong_buy_count; sum analyst.sell_count analyst.strong_sell_count
{buy|sell} ratings : analyst.{buy|sell}_count : {buys|sells}, {buy|sell} rating / rate it (a|) {buy|sell}, at {buy|sell} : sum analyst.{buy|sell}_count analyst.strong_{buy|sell}_count
{strong buy|hold} ratings : analyst.{strong_buy|hold}_count : {strong buy|hold} (rating|), {strong buys|holds}
EPS estimate : analyst.est_eps_avg analyst.est_eps_high analyst.est_eps_low analyst.est_fy2_eps_avg : estimated eps, earnings estimate, (consensus|mean) eps (estimate|)
revenue estimate : analyst.est_revenue_avg analyst.est_revenue_avg_bn : (estimated|consensus) revenue
insider {purchases|sales} : ownership.insider_{purchases|sales} : insider {buys|sells}, insider {purchase|sale}
~insider trades : ownership.insider_purchases ownership.insider_sales : purchases, sales
IV rank : options.iv_rank : implied volatility rank, rank of implied volatility, ivr
IV percentile : options.iv_percentile : implied volatility percentile
IV skew : options.iv_skew : skew, implied volatility skew
~implied volatility : options.iv_rank options.iv_percentile : iv, implied vol, at the money implied volatility
expected move : expected_move.day.move expected_move.day.move_pct : (daily|day's|today's|implied) expected move, expected move of the day, implied move
weekly expected move : expected_move.week.move expected_move.week.move_pct : expected move of the week
^expected move {low|high} : expected_move.day.{low|high} expected_move.week.{low|high} expected_move.next.{low|high} : {low|high} of the expected move
put/call ratio : options.put_call_ratio : put call, p/c ratio, put to call ratio, pcr
gamma regime : gex_regime :
^gamma flip : gex_gamma_flip @exposure.gamma_flip : gamma flip (level|point|strike), flip level, zero gamma
^{call|put} wall : @exposure.{call|put}_wall :
~strike : @exposure.call_wall @exposure.put_wall gex_gamma_flip :
open interest : options.chain_total_oi : (total open interest|oi)
option volume : options.chain_volume_1d : options volume, chain volume
options confluence score : options.options_confluence_score : options (confluence|score)
{bullish|bearish} score : {bullish|bearish}_confluence confluence_v5.{bull|bear} confluence_components.{bullish|bearish}_score : {bull|bear} score, ({bullish|bearish}|{bull|bear}) confluence (score|)
age of the data : @data.sessions_behind : sessions old
net score : net_confluence confluence_v5.net conviction_v5.current : net confluence (score|)
confluence score : confluence_score bullish_confluence bearish_confluence net_confluence : confluence
conviction : conviction_v5.current conviction_max_v5 : conviction score
pulse : pulse_net pulse_v5.net pulse_bull pulse_bear : pulse (score|net), net pulse
{bullish|bearish} pulse : pulse_{bull|bear} pulse_v5.{bull|bear} : pulse {bull|bear}
{bullish|bearish} entry score : {bullish|bearish}_entry_score entry_v2.{bull|bear} : {long|short} entry score
quality score : fundamental_quality_score fundamental_health_score : fundamental quality (score|), financial health (score|)
momentum health : momentum_health_v5.score : momentum (health|) score
news sentiment : news.sentiment_score @news.*.sentiment_score : sentiment (score|), tone (of the news|)
news items : news.count_24h news.count_7d : headlines, news (count|stories)
peer divergence : peer_divergence_v1.composite peer_divergence_v1.local peer_divergence_v1.medium peer_divergence_v1.broad @peers.composite : divergence (from peers|), composite divergence
~nearest flip : confluence_v5.nearest_flip.* :
~pattern : @pattern.*.* : candlestick
~analogs : @analogs.*.* @analogs.candidates : similar days, median return, middle half
VIX : regime_v5.vix @market.vix.* regime_v5.vix_percentile : volatility index, vix level, the vix
VIX percentile : regime_v5.vix_percentile @market.vix.percentile :
change of the VIX : @market.vix.change_1d_pct : vix change
share above the {50|200}-day average : @market.breadth.above_sma_{50|200}_pct : / of (the|all|) stocks (are|trade|sit|) above (their|its|the) {50|200} day (moving average|average|sma|ma)
stock regime confidence : regime_v5.confidence : regime confidence
market regime confidence : @market.regime.confidence :
breadth : regime_v5.breadth @market.breadth.above_sma_50_pct @market.breadth.above_sma_200_pct : market breadth, (of all|share of) stocks, stocks above (their|the|its) (50|fifty) day average
~new highs and lows : @market.breadth.new_highs @market.breadth.new_lows : new (one year|) (highs|high|lows|low)
~market index : @market.index.* : s&p (500|), spx, (the|) index, the market, nasdaq (100|), dow (jones|), russell 2000, (the|) sector
~rank of the sector : @sector.* @market.index.* : sector (ranks|rank), ranks
distance to the 20-day average : momentum_health_v5.distance_sma20_atr : stretch
~return against peers : @peers.return_pct @peers.implied_pct price.change_pct peer_divergence_v1.return_pct : implied by (its|the|) peers / the stock returned
~pattern confidence : @pattern.*.confidence :
~theme : @theme.*.magnitude : theme exposure
momentum slope : momentum_slope_60d : (60|sixty) day (momentum|) slope
pricing edge : options.pricing_edge_bull options.pricing_edge_bear :
`;

const TRAITS: Readonly<Record<string, Term['trait']>> = {
  '~': 'open',
  '^': 'level',
  '@': 'stock',
  '&': 'range',
  '?': 'unknown',
};

/** Every phrase of a template: `(a|b) c` is `a c` and `b c`. */
export function expanded(template: string): string[] {
  const [whole, choices] = /\(([^()]*)\)/.exec(template) ?? [];
  if (choices === undefined) return [template.trim().replaceAll(/ +(?='s)| (?= )/g, '')];
  return choices.split('|').flatMap((choice) => expanded(template.replace(whole!, choice)));
}

const listed = (text = ''): string[] => text.split(', ').filter(Boolean).flatMap(expanded);

/** `{high|low}` of a row: one row for each. */
function rowsOf(row: string): string[] {
  const [, choices = ''] = /\{([^{}]*)\}/.exec(row) ?? [];
  const each = (at: number): string =>
    row.replaceAll(/\{([^{}]*)\}/g, (_, all: string) => all.split('|')[at]!);
  return choices.split('|').map((_, at) => each(at));
}

const rowsIn = (text: string): string[] => text.trim().split('\n').flatMap(rowsOf);

/** Words by name, from rows `name : words`. */
export const wordTable = (rows: string): Readonly<Record<string, string>> =>
  Object.fromEntries(rowsIn(rows).map((row) => row.split(/ ?: ?/)));

const idOf = (path: string): string => (path.startsWith('@') ? path.slice(1) : `stock.${path}`);

function termOf(row: string): Term {
  const [head = '', facts = '', phrases = '', formulas = ''] = row.split(/ ?: ?/);
  const [, mark = '', name = ''] = /^([~^@&?]?)(.*)$/.exec(head)!;
  const [names, sayings] = phrases.split(/(?:^| )\/ /);
  return {
    name,
    facts: facts.split(' ').filter(Boolean).map(idOf),
    trait: TRAITS[mark] ?? null,
    formulas: formulas
      .split('; ')
      .filter(Boolean)
      .map((formula) => {
        const [kind, ...of] = formula.split(' ');
        return { kind: kind as Formula['kind'], of: of.map(idOf) };
      }),
    names: listed(names),
    sayings: listed(sayings),
  };
}

export const TERMS: readonly Term[] = rowsIn(ROWS).map(termOf);

/** Words for parts of names; other parts are words themselves, and an empty one is left out. */
const WORDS = wordTable(`
adv{20|30} : {twenty|thirty}-day average volume
adx : average directional index
atr : average true range
{bc|tc} : {bottom|top}
cpr : central pivot range
cvd : cumulative volume delta
dte : days to expiration
{ema|sma} : {exponential|simple} moving average
eps : earnings per share
est : estimated
ev : enterprise value over
fy2 : next fiscal year
gex : dealer gamma
hvn : high-volume node
ib : initial balance
ipo : initial public offering
iv : implied volatility
macd : moving average convergence divergence
nr7 : narrowest range of seven sessions
oi : open interest
orb : opening range
pct : percent
pd{c|h|l} : prior session {close|high|low}
{pe|peg} : price to earnings{| to growth}
poc : point of control
pp : point
r{1|2|3} : {first|second|third} resistance
rel : relative
ro{a|e|ic} : return on {assets|equity|invested capital}
rsi : relative strength index
s{1|2|3} : {first|second|third} support
sma20 : twenty-session average
ttm : trailing twelve months
usd : in dollars
v{1|2|44|5} :
va{h|l} : value area {high|low}
vcp : volatility contraction
vix : volatility index
vol : volume
vwap : volume-weighted average price
yoy : year over year
`);

/** Names that their parts alone would not explain. */
const WHOLE = wordTable(`
atr_1m_14 : average true range of minute bars
bar_1min_timestamp : newest minute bar
rel_volume : prior-day relative volume
ib_1_5x_{high|low} : initial balance {high|low} extended by half its range
ib_2x_{high|low} : initial balance {high|low} extended by its range
vwap_lower_{1|2} : volume-weighted average price less {one deviation|two deviations}
vwap_upper_{1|2} : volume-weighted average price plus {one deviation|two deviations}
`);

/** Blocks whose name says nothing that the field does not. */
const SILENT: ReadonlySet<string> = new Set(
  'fundamental levels moving_averages options ownership price technical'.split(' '),
);

/** Counts from zero on. */
export const COUNTS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen`.split(/\s+/);
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** A count below a thousand in words: `two-hundred-fifty-two`. */
export function numberWord(count: number): string {
  if (count < COUNTS.length) return COUNTS[count]!;
  const base = count < 100 ? 10 : 100;
  const first = Math.floor(count / base);
  const head = base === 10 ? TENS[first]! : `${COUNTS[first]}-hundred`;
  return count % base === 0 ? head : `${head}-${numberWord(count % base)}`;
}

const PERIODS: Readonly<Record<string, string>> = {
  '': 'session',
  d: 'day',
  h: 'hour',
  m: 'minute',
  q: 'quarter',
  w: 'week',
};

/** @param path a field of an answer, with dots between its names */
export function labelOf(path: string): string {
  const names = path.split('.').filter((name) => !SILENT.has(name));
  return names.map(nameInWords).filter(Boolean).join(' ');
}

/** One name: windows come first, as they are spoken. */
export function nameInWords(name: string): string {
  const whole = WHOLE[name];
  if (whole !== undefined) return whole;
  const pieces = name.toLowerCase().split(/[_\s]+/);
  const windows = pieces.flatMap((piece) => windowWord(piece) ?? []);
  const words = pieces.filter((piece) => windowWord(piece) === null).map((piece) => WORDS[piece] ?? piece);
  return [...windows, ...words].filter(Boolean).join(' ');
}

function windowWord(piece: string): string | null {
  const [, count, period] = /^([1-9]\d{0,2})([dhmqw]?)$/.exec(piece) ?? [];
  return count === undefined ? null : `${numberWord(Number(count))}-${PERIODS[period!]}`;
}

function wordsOf(path: string): FieldWords {
  const terms = TERMS.filter(({ facts: [first], trait }) => first === `stock.${path}` && trait !== 'open');
  // A range is of both of its ends, and the stock itself is no name of its price.
  const [own, ...others] = terms.filter(({ trait }) => trait !== 'range' && trait !== 'stock');
  const aliases = [own?.names ?? [], others.flatMap(({ name, names }) => [name, ...names])].flat();
  return { label: labelOf(path), shortName: own?.name ?? null, aliases: [...new Set(aliases)] };
}

const byPath = new Map(SCALAR_FIELDS.map(({ path }) => [path, wordsOf(path)]));

/** What a field is called, by its path. */
export const fieldWords = (path: string): FieldWords => byPath.get(path)!;

/** Inputs of the score that are fields: they have the short names of those. */
const INPUT_FIELDS: Readonly<Record<string, string>> = {
  iv_rank: 'options.iv_rank',
  iv_skew: 'options.iv_skew',
  vix: 'regime_v5.vix',
  adx_14: 'technical.adx_14',
  rsi_14: 'technical.rsi_14',
};

/** Names of the other inputs of the score, without a direction. */
const INPUT_WORDS = wordTable(`
{support|resistance}_atr : the distance to {support|resistance} in ATR
{support|resistance}_strength : {support|resistance} strength
percent_b : percent B
atr_compression_ratio : the ATR compression ratio
up_volume_share : the share of volume on up days
rel_vol_5d : five-day relative volume
vwap_atr : the distance to VWAP in ATR
volume_pace : volume pace
{bullish|bearish}_patterns : the weight of {bullish|bearish} patterns
trend_score : the trend score
days_{to|since}_earnings : days {to|since} earnings
surprise_pct : the earnings surprise in percent
news_sentiment : news sentiment
momentum_blend : the momentum blend in percent
momentum_slope_60d : the sixty-day momentum slope in percent a year
ema_spread_atr : the EMA spread in ATR
pricing_edge_{bull|bear} : the pricing edge of {calls|puts}
greek_lean : the directional bias of the greeks
orb_{high|low}_atr : the distance to the opening range {high|low} in ATR
intraday_return_atr : the return on the day in ATR
macd_gap_atr : the gap of MACD to its signal line in ATR
sma20_atr : the distance to the twenty-day SMA in ATR
`);

/** The name of an input of the score; null for one without a name, which no sentence mentions. */
export const inputWords = (input: string): string | null =>
  INPUT_WORDS[input] ?? byPath.get(INPUT_FIELDS[input] ?? '')?.shortName ?? null;
