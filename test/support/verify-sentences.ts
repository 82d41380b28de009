/**
 * Sentences of traders about a stock, by the kind of fact that they speak of: true ones from its facts, and false twins, each
 * with another number, direction, measure or order.
 */

/** Numbers among the facts, of one place; the sentences of a kind are left out where one of its facts is not known. */
type Values = <Names extends readonly string[]>(
  place: string,
  ...names: Names
) => { [At in keyof Names]: number };

interface Sentence {
  readonly truth?: string | undefined;
  readonly falsehood?: string | undefined;
}

type Part = string | number;
type Twins = readonly [truth: Part, falsehood: Part];

/** A sentence and its false twin, which differ where two values are given; a truth alone where none are. Dollars have cents. */
function said(texts: TemplateStringsArray, ...parts: readonly (Part | Twins)[]): Sentence {
  const write = (twin: 0 | 1): string =>
    String.raw(
      { raw: texts },
      ...parts.map((part, at) => {
        const value = typeof part === 'object' ? part[twin] : part;
        return typeof value === 'number' && texts[at]!.endsWith('$') ? value.toFixed(2) : value;
      }),
    );
  const hasTwin = parts.some((part) => typeof part === 'object');
  return { truth: write(0), ...(hasTwin && { falsehood: write(1) }) };
}

/** A sentence that is false. */
const denied = (...sentence: Parameters<typeof said>): Sentence => ({ falsehood: said(...sentence).truth });

const size = (value: number): string => Math.abs(value).toFixed(2);
/** Of two words the one that a sign asks for, and the other. */
const both = (isFirst: boolean, one: string, other: string): Twins => (isFirst ? [one, other] : [other, one]);
/** Each of two numbers in the place of the other. */
const swapped = <Value extends Part>(one: Value, other: Value) =>
  [[one, other] as const, [other, one] as const] as const;
const [S, P, T, L, A] = ['stock', 'stock.price', 'stock.technical', 'stock.levels', 'stock.analyst'] as const;
const AVERAGES = `${T}.moving_averages`;

const KINDS: Readonly<Record<string, (v: Values, name: string) => readonly Sentence[]>> = {
  'the price': (v, name) => {
    const [last] = v(S, 'last_price');
    const [close] = v(`${P}.regular`, 'close');
    return [
      said`${name} closed at $${[close, close * 1.02]}.`,
      said`${name} is trading at $${[last, last * 0.97]}.`,
      said`Shares of ${name} finished at $${[close, close + 3]}.`,
      said`${name} sits at $${[last, last * 1.04]}.`,
      said`${name}'s last price is $${[last, last - 5]}.`,
    ];
  },
  'the change': (v, name) => {
    const [change, pct] = v(P, 'change', 'change_pct');
    const [close] = v(`${P}.regular`, 'close');
    const up = both(pct > 0, 'up', 'down');
    return [
      said`${name} is ${up} ${size(change)} bucks today.`,
      said`${name} closed ${up} ${size(pct)}% at $${close}.`,
      said`${name} finished the day ${up} ${size(change)} points.`,
      said`${name} ${both(pct > 0, 'gained', 'lost')} ${size(pct)}% on the day.`,
      said`${name} ${both(pct > 0, 'rose', 'fell')} ${size(pct)}% to $${close}.`,
      said`The change on the day is ${[pct, -pct]}%.`,
      denied`The change on the day is ${(pct * 1.6).toFixed(2)}%.`,
      said`${name} is ${up[0]} ${[size(pct), size(pct * 1.5)]}% today.`,
      said`The change of ${size(pct)}% is a ${both(pct > 0, 'gain', 'loss')}.`,
    ];
  },
  'the open': (v, name) => {
    const [open] = v(`${P}.regular`, 'open');
    const [gap, previous] = v(P, 'gap_pct', 'previous_close');
    const over = both(gap > 0, 'above', 'below');
    const up = both(gap > 0, 'up', 'down');
    return [
      said`${name} opened ${size(gap)}% ${over} the prior close.`,
      said`${name} opened at $${open}, ${size(gap)}% ${over} the previous close.`,
      said`It opened $${Math.abs(open - previous)} ${over} the prior close of $${previous}.`,
      said`${name} opened ${size(gap)}% ${both(gap > 0, 'higher', 'lower')}.`,
      said`The gap of ${size(gap)}% is a gap ${up}.`,
      said`${name} gapped ${up} ${size(gap)}% at the open.`,
      said`There was a gap of ${size(gap)}% to the ${both(gap > 0, 'upside', 'downside')}.`,
      said`${name} opened at $${[open, open * 1.02]}.`,
      said`The open was $${[open, open - 4]}.`,
    ];
  },
  'the price against the open': (v, name) => {
    const [open] = v(`${P}.regular`, 'open');
    const [last] = v(S, 'last_price');
    const over = both(last > open, 'above', 'below');
    return [
      said`${name} closed ${size((last / open - 1) * 100)}% ${over} the open.`,
      said`${name} trades ${over} its opening price of $${open}.`,
    ];
  },
  'the range of the day': (v, name) => {
    const [high, low, open, close] = v(`${P}.regular`, 'high', 'low', 'open', 'close');
    const [upper, lower] = swapped(high, low);
    const [first, last] = swapped(open, close);
    return [
      said`${name} traded between $${[low, low * 0.98]} and $${high}.`,
      said`The day's range was $${low} to $${[high, high * 1.02]}.`,
      said`The day's high was $${upper} and the low $${lower}.`,
      said`The session high was $${upper} and its low $${lower}.`,
      said`It opened at $${first} and closed at $${last}.`,
      said`Intraday high $${[high, high * 1.01]}, intraday low $${low}.`,
    ];
  },
  'the session before': (v) => {
    const [high, low, close] = v(L, 'pdh', 'pdl', 'pdc');
    const [upper, lower] = swapped(high, low);
    return [
      said`The previous session's high was $${upper} and its low $${lower}.`,
      said`Yesterday's high was $${[high, high * 1.02]}.`,
      said`The prior day's low is $${lower}.`,
      said`The prior session closed at $${[close, close + 2]}.`,
      said`The previous close was $${[close, close * 0.98]}.`,
      said`PDH $${upper}, PDL $${lower}.`,
      said`The prior day's range was $${low} to $${[high, high * 1.03]}.`,
    ];
  },
  'weeks and months': (v) => {
    const [high, low, month] = v(L, 'prior_week_high', 'prior_week_low', 'prior_month_high');
    const [upper, lower] = swapped(high, low);
    return [
      said`Last week's high was $${upper} and last week's low $${lower}.`,
      said`The prior week's high is $${[high, high * 1.03]}.`,
      said`The prior month high is $${[month, month * 1.02]}.`,
    ];
  },
  pivots: (v) => {
    const [r1, r2, s1, s2, pp] = v(L, 'pivot_r1', 'pivot_r2', 'pivot_s1', 'pivot_s2', 'pivot_pp');
    return [
      said`R1 is $${[r1, s1]} and support S1 $${[s1, r1]}.`,
      said`R1 at $${[r1, s1]} with S1 at $${[s1, r1]}.`,
      said`The pivot is $${[pp, r1]}.`,
      said`The pivot point sits at $${[pp, s2]}.`,
      said`Resistance R2 is at $${[r2, r1]}.`,
      said`S2 comes in at $${[s2, s1]}.`,
      said`Pivot resistance R1 is $${[r1, r2]}, R2 $${[r2, r1]}.`,
    ];
  },
  VWAP: (v, name) => {
    const [vwap] = v(L, 'vwap');
    const [last] = v(S, 'last_price');
    const over = both(last > vwap, 'above', 'below');
    return [
      said`VWAP is $${[vwap, vwap * 1.02]}.`,
      said`The session VWAP sits at $${[vwap, vwap - 3]}.`,
      said`${name} closed ${over} VWAP at $${vwap}.`,
      said`${name} trades ${size((last / vwap - 1) * 100)}% ${over} VWAP.`,
    ];
  },
  'the opening range': (v) => {
    const [high, low] = v(L, 'orb_15m_high', 'orb_15m_low');
    const [ibHigh, ibLow] = v(L, 'ib_high', 'ib_low');
    return [
      said`The 15-minute opening range high is $${[high, low]} and its low $${[low, high]}.`,
      said`The 15-minute opening range ran from $${[low, low * 0.98]} to $${high}.`,
      said`The initial balance high is $${[ibHigh, ibLow]}.`,
      said`The initial balance ran from $${ibLow} to $${[ibHigh, ibHigh * 1.02]}.`,
    ];
  },
  'the value area': (v) => {
    const [poc, vah, val] = v(L, 'prior_poc', 'prior_vah', 'prior_val');
    return [
      said`The prior point of control is $${poc}.`,
      said`The prior value area ran from $${[val, val * 0.97]} to $${vah}.`,
      said`Prior VAH is $${[vah, val]} and prior VAL $${[val, vah]}.`,
    ];
  },
  RSI: (v, name) => {
    const [rsi, adx] = v(T, 'rsi_14', 'adx_14');
    const [strength, trend] = swapped(rsi, adx);
    return [
      said`RSI is ${[rsi, (rsi + 9).toFixed(1)]}.`,
      said`${name}'s RSI sits at ${[rsi, (rsi - 8).toFixed(1)]}.`,
      said`The 14-day RSI reads ${strength}, with ADX at ${trend}.`,
      said`ADX is ${[adx, (adx + 6).toFixed(1)]}.`,
      said`ADX is ${trend} and RSI ${strength}.`,
      said`RSI of ${strength} and an ADX of ${trend}.`,
      said`${name} has an RSI of ${[rsi, (rsi + 7).toFixed(1)]}.`,
    ];
  },
  MACD: (v, name) => {
    const [macd, signal] = v(T, 'macd', 'macd_signal');
    const [one, other] = swapped(macd.toFixed(2), signal.toFixed(2));
    return [
      said`MACD is ${one} against a signal of ${other}.`,
      said`MACD is ${one} versus a signal line of ${other}.`,
      said`${name}'s MACD stands at ${one}, its signal line at ${other}.`,
      said`MACD is ${both(macd > signal, 'above', 'below')} its signal line of ${other[0]}.`,
      said`MACD is ${both(macd > 0, 'positive', 'negative')} at ${one[0]}.`,
    ];
  },
  ATR: (v, name) => {
    const [atr] = v(T, 'atr_14');
    const [high, low] = v(`${P}.regular`, 'high', 'low');
    return [
      said`ATR is $${[atr, atr * 1.3]}.`,
      said`${name}'s 14-day ATR is $${[atr, atr * 0.7]}.`,
      said`The average true range is $${[atr, (high - low) * 2.2]}.`,
    ];
  },
  'Bollinger bands': (v) => {
    const [upper, lower] = v(`${T}.bollinger`, 'upper', 'lower');
    return [
      said`The upper Bollinger band is $${[upper, lower]} and the lower $${[lower, upper]}.`,
      said`The upper Bollinger band sits at $${[upper, lower]}.`,
      said`The Bollinger bands run from $${lower} to $${[upper, upper * 1.04]}.`,
    ];
  },
  averages: (v, name) => {
    const [sma50, sma200, ema9] = v(AVERAGES, 'sma_50', 'sma_200', 'ema_9');
    const [last] = v(S, 'last_price');
    const [over50, over200] = [sma50, sma200].map((average) => both(last > average, 'above', 'below'));
    const [middle, long] = swapped(sma50, sma200);
    return [
      said`The 50-day average is $${middle}.`,
      said`The 200-day SMA sits at $${long}.`,
      said`The 9 EMA is $${[ema9, sma200]}.`,
      said`${name} is ${over50!} its 50-day average of $${sma50}.`,
      said`${name} trades ${size((last / sma200 - 1) * 100)}% ${over200!} its 200-day average.`,
      said`The 50-day average is $${middle} and the 200-day $${long}.`,
      said`The 50-day average of $${sma50} is ${both(sma50 > sma200, 'above', 'below')} the 200-day average of $${sma200}.`,
    ];
  },
  volume: (v, name) => {
    const [volume, relative] = v(S, 'volume', 'rel_volume');
    const [millions, more, fewer] = [1, 1.3, 0.7].map((factor) => ((volume / 1e6) * factor).toFixed(1)) as [
      string,
      string,
      string,
    ];
    return [
      said`Volume was ${[millions, more]} million shares.`,
      said`${name} traded ${[millions, fewer]}M shares.`,
      said`Volume is ${millions}M, ${[relative, (relative + 0.6).toFixed(2)]} times the usual.`,
      said`Relative volume is ${[relative, (relative + 0.5).toFixed(2)]}.`,
      said`Relative volume of ${[relative, (relative * 2).toFixed(2)]}x.`,
      said`RVOL sits at ${[relative, (relative + 0.4).toFixed(2)]}.`,
    ];
  },
  options: (v) => {
    const [rank, ratio] = v(`${S}.options`, 'iv_rank', 'put_call_ratio');
    const [flip, calls, puts] = v('exposure', 'gamma_flip', 'call_wall', 'put_wall');
    return [
      said`IV rank is ${[rank, ((rank + 20) % 100).toFixed(2)]}%.`,
      said`IV rank sits at ${[rank, ((rank + 33) % 100).toFixed(2)]}.`,
      said`The put/call ratio is ${[ratio, (ratio + 0.4).toFixed(2)]}.`,
      said`The gamma flip is at $${[flip, flip * 1.04]}.`,
      said`Zero gamma sits at $${[flip, flip * 0.95]}.`,
      said`The call wall is $${[calls, calls * 1.05]} and the put wall $${puts}.`,
      said`The call wall sits at $${[calls, calls * 0.9]}.`,
    ];
  },
  earnings: (v, name) => {
    const [surprise, beats] = v(`${S}.earnings`, 'surprise_pct', 'consecutive_beats');
    if (beats <= 0) return [];
    return [
      said`${name} ${both(surprise > 0, 'beat', 'missed')} estimates by ${size(surprise)}%.`,
      said`${name} has beaten estimates ${[beats, beats + 3]} quarters in a row.`,
      said`That makes ${[beats, beats + 2]} consecutive beats.`,
      said`The earnings surprise was ${[surprise, (surprise + 4).toFixed(2)]}%.`,
      said`The earnings surprise of ${size(surprise)}% was a ${both(surprise > 0, 'beat', 'miss')}.`,
    ];
  },
  'earnings ahead': (v, name) => {
    const [days] = v(`${S}.earnings`, 'days_until');
    return [
      said`Earnings are due in ${[days, days + 6]} days.`,
      said`${name} reports in ${[days, days + 9]} days.`,
    ];
  },
  analysts: (v, name) => {
    const [mean, upside, high, low] = v(A, 'target_mean', 'target_upside', 'target_high', 'target_low');
    const side = both(upside > 0, 'upside', 'downside');
    return [
      said`The mean target is $${[mean, mean * 1.06]}.`,
      said`The average price target for ${name} is $${[mean, high * 1.1]}.`,
      said`The mean target implies ${size(upside)}% ${side}.`,
      said`The target upside of ${size(upside)}% is a ${side}.`,
      said`Analyst targets range from $${low} to $${[high, high * 1.1]}.`,
      said`The high target is $${[high, low]} and the low target $${[low, high]}.`,
    ];
  },
  'in passing': (v, name) => {
    const [last, volume] = v(S, 'last_price', 'rel_volume');
    const [pct, previous] = v(P, 'change_pct', 'previous_close');
    const [open, high, low] = v(`${P}.regular`, 'open', 'high', 'low');
    const [rsi] = v(T, 'rsi_14');
    const [sma50] = v(AVERAGES, 'sma_50');
    const up = both(pct > 0, 'up', 'down');
    const over = (than: number): Twins => both(last > than, 'above', 'below');
    return [
      said`${name} closed at $${last}, ${up} ${size(pct)}% on the day, with an RSI of ${rsi}.`,
      said`At $${last}, ${name} is ${over(sma50)} its 50-day average of $${sma50}.`,
      said`${name} (${up} ${size(pct)}%) trades at $${last}.`,
      said`${name} ended ${up} $${Math.abs(last - previous)} at $${last}.`,
      said`A ${size(pct)}% ${both(pct > 0, 'gain', 'decline')} left ${name} at $${last}.`,
      said`${name} ${both(pct > 0, 'climbed', 'slid')} from $${previous} to $${last}.`,
      said`${name} closed $${Math.abs(last - open)} ${over(open)} its open.`,
      said`${name} trades ${size((last / previous - 1) * 100)}% ${over(previous)} the prior close.`,
      said`With a session high of $${[high, low]} and a session low of $${[low, high]}, ${name} closed at $${last}.`,
      said`${name} opened at $${[open, last]} and closed at $${[last, open]}.`,
      said`${name}: close $${[last, open]}, RSI ${[rsi, volume]}, relative volume ${[volume, rsi]}.`,
      said`RSI at ${[rsi, volume]} and relative volume at ${[volume, rsi]}.`,
      said`${name} trades with an RSI of ${[rsi, (rsi + 6).toFixed(1)]} on relative volume of ${volume}.`,
    ];
  },
  'directions behind their number': (v, name) => {
    const [gap, pct] = v(P, 'gap_pct', 'change_pct');
    const [surprise] = v(`${S}.earnings`, 'surprise_pct');
    return [
      said`The opening gap of ${size(gap)}% was ${both(gap > 0, 'up', 'down')}.`,
      said`A gap of ${size(gap)}%, a gap ${both(gap > 0, 'up', 'down')}.`,
      said`The gap was ${size(gap)}% ${both(gap > 0, 'higher', 'lower')}.`,
      said`The gap of ${size(gap)}% was ${both(gap > 0, 'upward', 'downward')}.`,
      said`The day's change of ${size(pct)}% was a ${both(pct > 0, 'rise', 'drop')}.`,
      said`${name} moved ${size(pct)}% ${both(pct > 0, 'up', 'down')} today.`,
      said`The move of ${size(pct)}% on the day is a ${both(pct > 0, 'advance', 'decline')}.`,
      said`The earnings surprise of ${size(surprise)}% is a ${both(surprise > 0, 'beat', 'miss')}.`,
      said`The earnings surprise of ${size(surprise)}% is ${both(surprise > 0, 'positive', 'negative')}.`,
    ];
  },
  'another date': (v, name) => {
    const [close] = v(`${P}.regular`, 'close');
    return [
      denied`On January 5, ${name} closed at $${close}.`,
      denied`A week ago ${name} closed at $${close}.`,
      denied`Yesterday ${name} closed at $${close}.`,
      denied`${name} will close at $${close} tomorrow.`,
      denied`${name} did not close at $${close}.`,
    ];
  },
  'another stock': (v, name) => {
    const [close] = v(`${P}.regular`, 'close');
    const [rsi] = v(T, 'rsi_14');
    return [
      denied`MSFT closed at $${close}.`,
      denied`Microsoft closed at $${close}.`,
      denied`${name} Hospitality closed at $${close}.`,
      denied`MSFT's RSI is ${rsi}, unlike that of ${name}.`,
      denied`The VIX closed at $${close}.`,
    ];
  },
  ratings: (v, name) => {
    const [buys, holds, count] = v(A, 'buy_count', 'hold_count', 'count');
    return [
      said`${[buys, buys + 4]} analysts rate ${name} a buy and ${[holds, holds + 3]} a hold.`,
      said`${count} analysts cover ${name}.`,
      said`There are ${[buys, buys + 17]} buy ratings and ${holds} hold ratings.`,
    ];
  },
  valuation: (v, name) => {
    const [pe] = v(`${S}.fundamental`, 'pe_ratio');
    return [
      said`${name} trades at ${[pe, (pe * 1.3).toFixed(2)]} times earnings.`,
      said`The P/E is ${[pe, (pe + 6).toFixed(2)]}.`,
      said`Its P/E ratio of ${[pe, (pe - 4).toFixed(2)]}.`,
    ];
  },
  ownership: (v) => {
    const [sales, purchases] = v(`${S}.ownership`, 'insider_sales', 'insider_purchases');
    return [
      said`There were ${[sales, sales + 5]} insider sales and ${purchases} insider purchases.`,
      said`Insider sales: ${[sales, sales + 4]}.`,
    ];
  },
  scores: (v, name) => {
    const [bull, bear, net] = v(S, 'bullish_confluence', 'bearish_confluence', 'net_confluence');
    return [
      said`The bull score is ${[bull, bear]} against a bear score of ${[bear, bull]}.`,
      said`The net score is ${[net, (-net).toFixed(1)]}.`,
      said`${name} has a net confluence of ${[net, (net + 12).toFixed(1)]}.`,
      said`Bullish confluence is ${[bull, bear]} and bearish confluence ${[bear, bull]}.`,
      ...(bear > bull ? [said`The bearish score of ${bear} beats the bullish score of ${bull}.`] : []),
    ];
  },
  peers: (v, name) => {
    const [composite] = v(`${S}.peer_divergence_v1`, 'composite');
    const [own, implied] = v('peers', 'return_pct', 'implied_pct');
    const [more, less] = [(own + 2).toFixed(2), (implied - 2).toFixed(2)];
    return [
      said`Peer divergence is ${[composite, (composite + 1.1).toFixed(2)]}.`,
      said`The peer divergence stands at ${[composite, (-composite + 0.4).toFixed(2)]} deviations.`,
      said`${name} returned ${[own, more]}% against ${[implied, less]}% implied by its peers.`,
    ];
  },
  'the market': (v) => {
    const [vix, change] = v('market.vix', 'level', 'change_1d_pct');
    const [breadth] = v('market.breadth', 'above_sma_50_pct');
    const above = [breadth, (breadth + 17) % 100].map((pct) => pct.toFixed(1)) as [string, string];
    return [
      said`The VIX is at ${[vix, (vix + 4).toFixed(2)]}.`,
      said`VIX closed at ${[vix, (vix * 0.8).toFixed(2)]}.`,
      said`${above}% of stocks are above their 50-day average.`,
      said`The VIX ${both(change > 0, 'rose', 'fell')} ${size(change)}%.`,
    ];
  },
  'levels near': (v) => {
    const ladder = `${S}.level_ladder`;
    const [support, resistance] = v(ladder, 'nearest_support.price', 'nearest_resistance.price');
    const [lower, upper] = [[support, resistance * 1.01] as const, [resistance, support * 0.98] as const];
    return [
      said`The nearest support is $${lower} and the nearest resistance $${upper}.`,
      said`Nearest support sits at $${[support, support * 0.95]}.`,
    ];
  },
  records: (v) => {
    const [rate, n, chance] = v('record.level.prior_day', 'rate', 'n', 'chance');
    const [pivots] = v('record.level.pivot', 'rate');
    const [one, other] = swapped(rate.toFixed(1), chance.toFixed(1));
    return [
      said`Prior-day levels hold ${[rate.toFixed(0), (rate + 12).toFixed(0)]} % of the time.`,
      said`Prior-day levels held ${[rate.toFixed(1), (rate - 9).toFixed(1)]}% of the time.`,
      said`Pivot levels hold ${[pivots.toFixed(1), (pivots + 8).toFixed(1)]}% of the time.`,
      said`Prior-day levels hold ${one}% of the time against a chance of ${other}%.`,
      said`Prior-day levels were counted ${n} times.`,
    ];
  },
};

/** The sentences of a stock: those whose facts are all known. */
export function sentencesOf(known: ReadonlyMap<string, unknown>, name: string) {
  const values: Values = (place, ...names) =>
    names.map((each) => {
      const found = known.get(`${place}.${each}`);
      if (typeof found !== 'number') throw new Unknown();
      return found;
    }) as { [At in keyof typeof names]: number };
  return Object.entries(KINDS).flatMap(([kind, write]) => {
    try {
      const sentences = write(values, name);
      return [
        {
          kind,
          truths: sentences.flatMap(({ truth }) => truth ?? []),
          falsehoods: sentences.flatMap(({ falsehood }) => falsehood ?? []),
        },
      ];
    } catch (error) {
      if (error instanceof Unknown) return [];
      throw error;
    }
  });
}

class Unknown extends Error {}
