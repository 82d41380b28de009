/**
 * Sentences of traders about a stock, by the kind of fact that they speak of: true ones from its facts, and false twins, each
 * with another number, direction, measure or order.
 */

/** A number among the facts; a sentence whose fact is not known is left out. */
type Value = (id: string) => number;

type Kind = (value: Value, name: string) => readonly (readonly [truths: string[], falsehoods: string[]])[];

const usd = (value: number): string => `$${value.toFixed(2)}`;
const size = (value: number): string => Math.abs(value).toFixed(2);
/** Of two words the one that a sign asks for, and the other. */
const both = (isFirst: boolean, one: string, other: string): [string, string] =>
  isFirst ? [one, other] : [other, one];
/** The same sentence with the right word and with the wrong one. */
const turned = (
  [right, wrong]: readonly [string, string],
  write: (word: string) => string,
): [string[], string[]] => [[write(right)], [write(wrong)]];
const P = 'stock.price';
const T = 'stock.technical';
const L = 'stock.levels';
const A = 'stock.analyst';

const KINDS: Readonly<Record<string, Kind>> = {
  'the price': (v, name) => {
    const last = v('stock.last_price');
    const close = v(`${P}.regular.close`);
    return [
      [
        [
          `${name} closed at ${usd(close)}.`,
          `${name} is trading at ${usd(last)}.`,
          `Shares of ${name} finished at ${usd(close)}.`,
        ],
        [
          `${name} closed at ${usd(close * 1.02)}.`,
          `${name} is trading at ${usd(last * 0.97)}.`,
          `Shares of ${name} finished at ${usd(close + 3)}.`,
        ],
      ],
      [
        [`${name} sits at ${usd(last)}.`, `${name}'s last price is ${usd(last)}.`],
        [`${name} sits at ${usd(last * 1.04)}.`, `${name}'s last price is ${usd(last - 5)}.`],
      ],
    ];
  },
  'the change': (v, name) => {
    const change = v(`${P}.change`);
    const pct = v(`${P}.change_pct`);
    const close = v(`${P}.regular.close`);
    const [up, down] = both(pct > 0, 'up', 'down');
    return [
      turned([up, down], (word) => `${name} is ${word} ${size(change)} bucks today.`),
      turned([up, down], (word) => `${name} closed ${word} ${size(pct)}% at ${usd(close)}.`),
      turned([up, down], (word) => `${name} finished the day ${word} ${size(change)} points.`),
      turned(both(pct > 0, 'gained', 'lost'), (word) => `${name} ${word} ${size(pct)}% on the day.`),
      turned(both(pct > 0, 'rose', 'fell'), (word) => `${name} ${word} ${size(pct)}% to ${usd(close)}.`),
      [
        [`The change on the day is ${pct}%.`],
        [`The change on the day is ${-pct}%.`, `The change on the day is ${(pct * 1.6).toFixed(2)}%.`],
      ],
      [[`${name} is ${up} ${size(pct)}% today.`], [`${name} is ${up} ${size(pct * 1.5)}% today.`]],
      turned(both(pct > 0, 'gain', 'loss'), (word) => `The change of ${size(pct)}% is a ${word}.`),
    ];
  },
  'the open': (v, name) => {
    const open = v(`${P}.regular.open`);
    const gap = v(`${P}.gap_pct`);
    const previous = v(`${P}.previous_close`);
    const [over, under] = both(gap > 0, 'above', 'below');
    return [
      turned([over, under], (word) => `${name} opened ${size(gap)}% ${word} the prior close.`),
      turned(
        [over, under],
        (word) => `${name} opened at ${usd(open)}, ${size(gap)}% ${word} the previous close.`,
      ),
      turned(
        [over, under],
        (word) => `It opened ${usd(Math.abs(open - previous))} ${word} the prior close of ${usd(previous)}.`,
      ),
      turned(both(gap > 0, 'higher', 'lower'), (word) => `${name} opened ${size(gap)}% ${word}.`),
      turned(both(gap > 0, 'up', 'down'), (word) => `The gap of ${size(gap)}% is a gap ${word}.`),
      turned(both(gap > 0, 'up', 'down'), (word) => `${name} gapped ${word} ${size(gap)}% at the open.`),
      turned(
        both(gap > 0, 'upside', 'downside'),
        (word) => `There was a gap of ${size(gap)}% to the ${word}.`,
      ),
      [
        [`${name} opened at ${usd(open)}.`, `The open was ${usd(open)}.`],
        [`${name} opened at ${usd(open * 1.02)}.`, `The open was ${usd(open - 4)}.`],
      ],
    ];
  },
  'the price against the open': (v, name) => {
    const [open, last] = [v(`${P}.regular.open`), v('stock.last_price')];
    const [over, under] = both(last > open, 'above', 'below');
    const pct = size((last / open - 1) * 100);
    return [
      turned([over, under], (word) => `${name} closed ${pct}% ${word} the open.`),
      turned([over, under], (word) => `${name} trades ${word} its opening price of ${usd(open)}.`),
    ];
  },
  'the range of the day': (v, name) => {
    const [high, low, open, close] = ['high', 'low', 'open', 'close'].map((end) =>
      v(`${P}.regular.${end}`),
    ) as [number, number, number, number];
    return [
      [
        [
          `${name} traded between ${usd(low)} and ${usd(high)}.`,
          `The day's range was ${usd(low)} to ${usd(high)}.`,
          `The day's high was ${usd(high)} and the low ${usd(low)}.`,
        ],
        [
          `${name} traded between ${usd(low * 0.98)} and ${usd(high)}.`,
          `The day's range was ${usd(low)} to ${usd(high * 1.02)}.`,
          `The day's high was ${usd(low)} and the low ${usd(high)}.`,
        ],
      ],
      [
        [`The session high was ${usd(high)} and its low ${usd(low)}.`],
        [`The session high was ${usd(low)} and its low ${usd(high)}.`],
      ],
      [
        [`It opened at ${usd(open)} and closed at ${usd(close)}.`],
        [`It opened at ${usd(close)} and closed at ${usd(open)}.`],
      ],
      [
        [`Intraday high ${usd(high)}, intraday low ${usd(low)}.`],
        [`Intraday high ${usd(high * 1.01)}, intraday low ${usd(low)}.`],
      ],
    ];
  },
  'the session before': (v) => {
    const [high, low, close] = ['pdh', 'pdl', 'pdc'].map((end) => v(`${L}.${end}`)) as [
      number,
      number,
      number,
    ];
    return [
      [
        [`The previous session's high was ${usd(high)} and its low ${usd(low)}.`],
        [`The previous session's high was ${usd(low)} and its low ${usd(high)}.`],
      ],
      [
        [`Yesterday's high was ${usd(high)}.`, `The prior day's low is ${usd(low)}.`],
        [`Yesterday's high was ${usd(high * 1.02)}.`, `The prior day's low is ${usd(high)}.`],
      ],
      [
        [`The prior session closed at ${usd(close)}.`, `The previous close was ${usd(close)}.`],
        [`The prior session closed at ${usd(close + 2)}.`, `The previous close was ${usd(close * 0.98)}.`],
      ],
      [[`PDH ${usd(high)}, PDL ${usd(low)}.`], [`PDH ${usd(low)}, PDL ${usd(high)}.`]],
      [
        [`The prior day's range was ${usd(low)} to ${usd(high)}.`],
        [`The prior day's range was ${usd(low)} to ${usd(high * 1.03)}.`],
      ],
    ];
  },
  'weeks and months': (v) => {
    const [high, low, month] = ['prior_week_high', 'prior_week_low', 'prior_month_high'].map((end) =>
      v(`${L}.${end}`),
    ) as [number, number, number];
    return [
      [
        [
          `Last week's high was ${usd(high)} and last week's low ${usd(low)}.`,
          `The prior week's high is ${usd(high)}.`,
        ],
        [
          `Last week's high was ${usd(low)} and last week's low ${usd(high)}.`,
          `The prior week's high is ${usd(high * 1.03)}.`,
        ],
      ],
      [[`The prior month high is ${usd(month)}.`], [`The prior month high is ${usd(month * 1.02)}.`]],
    ];
  },
  pivots: (v) => {
    const [r1, r2, s1, s2, pp] = ['r1', 'r2', 's1', 's2', 'pp'].map((end) => v(`${L}.pivot_${end}`)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return [
      [
        [`R1 is ${usd(r1)} and support S1 ${usd(s1)}.`, `R1 at ${usd(r1)} with S1 at ${usd(s1)}.`],
        [`R1 is ${usd(s1)} and support S1 ${usd(r1)}.`, `R1 at ${usd(s1)} with S1 at ${usd(r1)}.`],
      ],
      [
        [`The pivot is ${usd(pp)}.`, `The pivot point sits at ${usd(pp)}.`],
        [`The pivot is ${usd(r1)}.`, `The pivot point sits at ${usd(s2)}.`],
      ],
      [
        [`Resistance R2 is at ${usd(r2)}.`, `S2 comes in at ${usd(s2)}.`],
        [`Resistance R2 is at ${usd(r1)}.`, `S2 comes in at ${usd(s1)}.`],
      ],
      [
        [`Pivot resistance R1 is ${usd(r1)}, R2 ${usd(r2)}.`],
        [`Pivot resistance R1 is ${usd(r2)}, R2 ${usd(r1)}.`],
      ],
    ];
  },
  VWAP: (v, name) => {
    const [vwap, last] = [v(`${L}.vwap`), v('stock.last_price')];
    const [over, under] = both(last > vwap, 'above', 'below');
    return [
      [
        [`VWAP is ${usd(vwap)}.`, `The session VWAP sits at ${usd(vwap)}.`],
        [`VWAP is ${usd(vwap * 1.02)}.`, `The session VWAP sits at ${usd(vwap - 3)}.`],
      ],
      turned([over, under], (word) => `${name} closed ${word} VWAP at ${usd(vwap)}.`),
      turned([over, under], (word) => `${name} trades ${size((last / vwap - 1) * 100)}% ${word} VWAP.`),
    ];
  },
  'the opening range': (v) => {
    const [high, low] = ['high', 'low'].map((end) => v(`${L}.orb_15m_${end}`)) as [number, number];
    const [ibHigh, ibLow] = ['high', 'low'].map((end) => v(`${L}.ib_${end}`)) as [number, number];
    return [
      [
        [
          `The 15-minute opening range high is ${usd(high)} and its low ${usd(low)}.`,
          `The 15-minute opening range ran from ${usd(low)} to ${usd(high)}.`,
        ],
        [
          `The 15-minute opening range high is ${usd(low)} and its low ${usd(high)}.`,
          `The 15-minute opening range ran from ${usd(low * 0.98)} to ${usd(high)}.`,
        ],
      ],
      [
        [
          `The initial balance high is ${usd(ibHigh)}.`,
          `The initial balance ran from ${usd(ibLow)} to ${usd(ibHigh)}.`,
        ],
        [
          `The initial balance high is ${usd(ibLow)}.`,
          `The initial balance ran from ${usd(ibLow)} to ${usd(ibHigh * 1.02)}.`,
        ],
      ],
    ];
  },
  'the value area': (v) => {
    const [poc, vah, val] = ['poc', 'vah', 'val'].map((end) => v(`${L}.prior_${end}`)) as [
      number,
      number,
      number,
    ];
    return [
      [
        [
          `The prior point of control is ${usd(poc)}.`,
          `The prior value area ran from ${usd(val)} to ${usd(vah)}.`,
          `Prior VAH is ${usd(vah)} and prior VAL ${usd(val)}.`,
        ],
        [
          `The prior value area ran from ${usd(val * 0.97)} to ${usd(vah)}.`,
          `Prior VAH is ${usd(val)} and prior VAL ${usd(vah)}.`,
        ],
      ],
    ];
  },
  RSI: (v, name) => {
    const [rsi, adx] = [v(`${T}.rsi_14`), v(`${T}.adx_14`)];
    return [
      [
        [
          `RSI is ${rsi}.`,
          `${name}'s RSI sits at ${rsi}.`,
          `The 14-day RSI reads ${rsi}, with ADX at ${adx}.`,
        ],
        [
          `RSI is ${(rsi + 9).toFixed(1)}.`,
          `${name}'s RSI sits at ${(rsi - 8).toFixed(1)}.`,
          `The 14-day RSI reads ${adx}, with ADX at ${rsi}.`,
        ],
      ],
      [
        [`ADX is ${adx}.`, `ADX is ${adx} and RSI ${rsi}.`, `RSI of ${rsi} and an ADX of ${adx}.`],
        [
          `ADX is ${(adx + 6).toFixed(1)}.`,
          `ADX is ${rsi} and RSI ${adx}.`,
          `RSI of ${adx} and an ADX of ${rsi}.`,
        ],
      ],
      [[`${name} has an RSI of ${rsi}.`], [`${name} has an RSI of ${(rsi + 7).toFixed(1)}.`]],
    ];
  },
  MACD: (v, name) => {
    const [macd, signal] = [v(`${T}.macd`), v(`${T}.macd_signal`)];
    const [over, under] = both(macd > signal, 'above', 'below');
    const text = (one: number) => one.toFixed(2);
    return [
      [
        [
          `MACD is ${text(macd)} against a signal of ${text(signal)}.`,
          `MACD is ${text(macd)} versus a signal line of ${text(signal)}.`,
          `${name}'s MACD stands at ${text(macd)}, its signal line at ${text(signal)}.`,
        ],
        [
          `MACD is ${text(signal)} against a signal of ${text(macd)}.`,
          `MACD is ${text(signal)} versus a signal line of ${text(macd)}.`,
          `${name}'s MACD stands at ${text(signal)}, its signal line at ${text(macd)}.`,
        ],
      ],
      turned([over, under], (word) => `MACD is ${word} its signal line of ${text(signal)}.`),
      turned(both(macd > 0, 'positive', 'negative'), (word) => `MACD is ${word} at ${text(macd)}.`),
    ];
  },
  ATR: (v, name) => {
    const atr = v(`${T}.atr_14`);
    const [high, low] = [v(`${P}.regular.high`), v(`${P}.regular.low`)];
    return [
      [
        [
          `ATR is ${usd(atr)}.`,
          `${name}'s 14-day ATR is ${usd(atr)}.`,
          `The average true range is ${usd(atr)}.`,
        ],
        [
          `ATR is ${usd(atr * 1.3)}.`,
          `${name}'s 14-day ATR is ${usd(atr * 0.7)}.`,
          `The average true range is ${usd((high - low) * 2.2)}.`,
        ],
      ],
    ];
  },
  'Bollinger bands': (v) => {
    const [upper, lower] = ['upper', 'lower'].map((end) => v(`${T}.bollinger.${end}`)) as [number, number];
    return [
      [
        [
          `The upper Bollinger band is ${usd(upper)} and the lower ${usd(lower)}.`,
          `The upper Bollinger band sits at ${usd(upper)}.`,
          `The Bollinger bands run from ${usd(lower)} to ${usd(upper)}.`,
        ],
        [
          `The upper Bollinger band is ${usd(lower)} and the lower ${usd(upper)}.`,
          `The upper Bollinger band sits at ${usd(lower)}.`,
          `The Bollinger bands run from ${usd(lower)} to ${usd(upper * 1.04)}.`,
        ],
      ],
    ];
  },
  averages: (v, name) => {
    const [sma50, sma200, ema9, last] = [
      v(`${T}.moving_averages.sma_50`),
      v(`${T}.moving_averages.sma_200`),
      v(`${T}.moving_averages.ema_9`),
      v('stock.last_price'),
    ];
    return [
      [
        [
          `The 50-day average is ${usd(sma50)}.`,
          `The 200-day SMA sits at ${usd(sma200)}.`,
          `The 9 EMA is ${usd(ema9)}.`,
        ],
        [
          `The 50-day average is ${usd(sma200)}.`,
          `The 200-day SMA sits at ${usd(sma50)}.`,
          `The 9 EMA is ${usd(sma200)}.`,
        ],
      ],
      turned(
        both(last > sma50, 'above', 'below'),
        (word) => `${name} is ${word} its 50-day average of ${usd(sma50)}.`,
      ),
      turned(
        both(last > sma200, 'above', 'below'),
        (word) => `${name} trades ${size((last / sma200 - 1) * 100)}% ${word} its 200-day average.`,
      ),
      [
        [`The 50-day average is ${usd(sma50)} and the 200-day ${usd(sma200)}.`],
        [`The 50-day average is ${usd(sma200)} and the 200-day ${usd(sma50)}.`],
      ],
      turned(
        both(sma50 > sma200, 'above', 'below'),
        (word) => `The 50-day average of ${usd(sma50)} is ${word} the 200-day average of ${usd(sma200)}.`,
      ),
    ];
  },
  volume: (v, name) => {
    const [volume, relative] = [v('stock.volume'), v('stock.rel_volume')];
    const millions = (volume / 1e6).toFixed(1);
    return [
      [
        [
          `Volume was ${millions} million shares.`,
          `${name} traded ${millions}M shares.`,
          `Volume is ${millions}M, ${relative} times the usual.`,
        ],
        [
          `Volume was ${((volume / 1e6) * 1.3).toFixed(1)} million shares.`,
          `${name} traded ${((volume / 1e6) * 0.7).toFixed(1)}M shares.`,
          `Volume is ${millions}M, ${(relative + 0.6).toFixed(2)} times the usual.`,
        ],
      ],
      [
        [`Relative volume is ${relative}.`, `Relative volume of ${relative}x.`, `RVOL sits at ${relative}.`],
        [
          `Relative volume is ${(relative + 0.5).toFixed(2)}.`,
          `Relative volume of ${(relative * 2).toFixed(2)}x.`,
          `RVOL sits at ${(relative + 0.4).toFixed(2)}.`,
        ],
      ],
    ];
  },
  options: (v) => {
    const [rank, ratio, flip] = [
      v('stock.options.iv_rank'),
      v('stock.options.put_call_ratio'),
      v('exposure.gamma_flip'),
    ];
    const [calls, puts] = [v('exposure.call_wall'), v('exposure.put_wall')];
    return [
      [
        [`IV rank is ${rank}%.`, `IV rank sits at ${rank}.`, `The put/call ratio is ${ratio}.`],
        [
          `IV rank is ${((rank + 20) % 100).toFixed(2)}%.`,
          `IV rank sits at ${((rank + 33) % 100).toFixed(2)}.`,
          `The put/call ratio is ${(ratio + 0.4).toFixed(2)}.`,
        ],
      ],
      [
        [`The gamma flip is at ${usd(flip)}.`, `Zero gamma sits at ${usd(flip)}.`],
        [`The gamma flip is at ${usd(flip * 1.04)}.`, `Zero gamma sits at ${usd(flip * 0.95)}.`],
      ],
      [
        [
          `The call wall is ${usd(calls)} and the put wall ${usd(puts)}.`,
          `The call wall sits at ${usd(calls)}.`,
        ],
        [
          `The call wall is ${usd(calls * 1.05)} and the put wall ${usd(puts)}.`,
          `The call wall sits at ${usd(calls * 0.9)}.`,
        ],
      ],
    ];
  },
  earnings: (v, name) => {
    const [surprise, beats] = [v('stock.earnings.surprise_pct'), v('stock.earnings.consecutive_beats')];
    if (beats <= 0) return [];
    return [
      turned(
        both(surprise > 0, 'beat', 'missed'),
        (word) => `${name} ${word} estimates by ${size(surprise)}%.`,
      ),
      [
        [
          `${name} has beaten estimates ${beats} quarters in a row.`,
          `That makes ${beats} consecutive beats.`,
          `The earnings surprise was ${surprise}%.`,
        ],
        [
          `${name} has beaten estimates ${beats + 3} quarters in a row.`,
          `That makes ${beats + 2} consecutive beats.`,
          `The earnings surprise was ${(surprise + 4).toFixed(2)}%.`,
        ],
      ],
      turned(
        both(surprise > 0, 'beat', 'miss'),
        (word) => `The earnings surprise of ${size(surprise)}% was a ${word}.`,
      ),
    ];
  },
  'earnings ahead': (v, name) => {
    const days = v('stock.earnings.days_until');
    return [
      [
        [`Earnings are due in ${days} days.`, `${name} reports in ${days} days.`],
        [`Earnings are due in ${days + 6} days.`, `${name} reports in ${days + 9} days.`],
      ],
    ];
  },
  analysts: (v, name) => {
    const [mean, upside, high, low] = [
      v(`${A}.target_mean`),
      v(`${A}.target_upside`),
      v(`${A}.target_high`),
      v(`${A}.target_low`),
    ];
    const [right, wrong] = both(upside > 0, 'upside', 'downside');
    return [
      [
        [`The mean target is ${usd(mean)}.`, `The average price target for ${name} is ${usd(mean)}.`],
        [
          `The mean target is ${usd(mean * 1.06)}.`,
          `The average price target for ${name} is ${usd(high * 1.1)}.`,
        ],
      ],
      turned([right, wrong], (word) => `The mean target implies ${size(upside)}% ${word}.`),
      turned([right, wrong], (word) => `The target upside of ${size(upside)}% is a ${word}.`),
      [
        [
          `Analyst targets range from ${usd(low)} to ${usd(high)}.`,
          `The high target is ${usd(high)} and the low target ${usd(low)}.`,
        ],
        [
          `The high target is ${usd(low)} and the low target ${usd(high)}.`,
          `Analyst targets range from ${usd(low)} to ${usd(high * 1.1)}.`,
        ],
      ],
    ];
  },
  'in passing': (v, name) => {
    const [last, pct, rsi, sma50, vol] = [
      v('stock.last_price'),
      v(`${P}.change_pct`),
      v(`${T}.rsi_14`),
      v(`${T}.moving_averages.sma_50`),
      v('stock.rel_volume'),
    ];
    const [open, high, low, previous] = [
      v(`${P}.regular.open`),
      v(`${P}.regular.high`),
      v(`${P}.regular.low`),
      v(`${P}.previous_close`),
    ];
    const [up, down] = both(pct > 0, 'up', 'down');
    const [side, other] = both(last > sma50, 'above', 'below');
    return [
      turned(
        [up, down],
        (word) => `${name} closed at ${usd(last)}, ${word} ${size(pct)}% on the day, with an RSI of ${rsi}.`,
      ),
      turned(
        [side, other],
        (word) => `At ${usd(last)}, ${name} is ${word} its 50-day average of ${usd(sma50)}.`,
      ),
      turned([up, down], (word) => `${name} (${word} ${size(pct)}%) trades at ${usd(last)}.`),
      turned(
        [up, down],
        (word) => `${name} ended ${word} ${usd(Math.abs(last - previous))} at ${usd(last)}.`,
      ),
      turned(
        both(pct > 0, 'gain', 'decline'),
        (word) => `A ${size(pct)}% ${word} left ${name} at ${usd(last)}.`,
      ),
      turned(
        both(pct > 0, 'climbed', 'slid'),
        (word) => `${name} ${word} from ${usd(previous)} to ${usd(last)}.`,
      ),
      turned(
        both(last > open, 'above', 'below'),
        (word) => `${name} closed ${usd(Math.abs(last - open))} ${word} its open.`,
      ),
      turned(
        both(last > previous, 'above', 'below'),
        (word) => `${name} trades ${size((last / previous - 1) * 100)}% ${word} the prior close.`,
      ),
      [
        [
          `With a session high of ${usd(high)} and a session low of ${usd(low)}, ${name} closed at ${usd(last)}.`,
          `${name} opened at ${usd(open)} and closed at ${usd(last)}.`,
          `${name}: close ${usd(last)}, RSI ${rsi}, relative volume ${vol}.`,
        ],
        [
          `With a session high of ${usd(low)} and a session low of ${usd(high)}, ${name} closed at ${usd(last)}.`,
          `${name} opened at ${usd(last)} and closed at ${usd(open)}.`,
          `${name}: close ${usd(open)}, RSI ${vol}, relative volume ${rsi}.`,
        ],
      ],
      [
        [
          `RSI at ${rsi} and relative volume at ${vol}.`,
          `${name} trades with an RSI of ${rsi} on relative volume of ${vol}.`,
        ],
        [
          `RSI at ${vol} and relative volume at ${rsi}.`,
          `${name} trades with an RSI of ${(rsi + 6).toFixed(1)} on relative volume of ${vol}.`,
        ],
      ],
    ];
  },
  'directions behind their number': (v, name) => {
    const [gap, pct, surprise] = [v(`${P}.gap_pct`), v(`${P}.change_pct`), v('stock.earnings.surprise_pct')];
    return [
      turned(both(gap > 0, 'up', 'down'), (word) => `The opening gap of ${size(gap)}% was ${word}.`),
      turned(both(gap > 0, 'up', 'down'), (word) => `A gap of ${size(gap)}%, a gap ${word}.`),
      turned(both(gap > 0, 'higher', 'lower'), (word) => `The gap was ${size(gap)}% ${word}.`),
      turned(both(gap > 0, 'upward', 'downward'), (word) => `The gap of ${size(gap)}% was ${word}.`),
      turned(both(pct > 0, 'rise', 'drop'), (word) => `The day's change of ${size(pct)}% was a ${word}.`),
      turned(both(pct > 0, 'up', 'down'), (word) => `${name} moved ${size(pct)}% ${word} today.`),
      turned(
        both(pct > 0, 'advance', 'decline'),
        (word) => `The move of ${size(pct)}% on the day is a ${word}.`,
      ),
      turned(
        both(surprise > 0, 'beat', 'miss'),
        (word) => `The earnings surprise of ${size(surprise)}% is a ${word}.`,
      ),
      turned(
        both(surprise > 0, 'positive', 'negative'),
        (word) => `The earnings surprise of ${size(surprise)}% is ${word}.`,
      ),
    ];
  },
  'another date': (v, name) => {
    const close = v(`${P}.regular.close`);
    return [
      [
        [],
        [
          `On January 5, ${name} closed at ${usd(close)}.`,
          `A week ago ${name} closed at ${usd(close)}.`,
          `Yesterday ${name} closed at ${usd(close)}.`,
          `${name} will close at ${usd(close)} tomorrow.`,
          `${name} did not close at ${usd(close)}.`,
        ],
      ],
    ];
  },
  'another stock': (v, name) => {
    const [close, rsi] = [v(`${P}.regular.close`), v(`${T}.rsi_14`)];
    return [
      [
        [],
        [
          `MSFT closed at ${usd(close)}.`,
          `Microsoft closed at ${usd(close)}.`,
          `${name} Hospitality closed at ${usd(close)}.`,
          `MSFT's RSI is ${rsi}, unlike that of ${name}.`,
          `The VIX closed at ${usd(close)}.`,
        ],
      ],
    ];
  },
  ratings: (v, name) => {
    const [buys, holds, count] = [v(`${A}.buy_count`), v(`${A}.hold_count`), v(`${A}.count`)];
    return [
      [
        [
          `${buys} analysts rate ${name} a buy and ${holds} a hold.`,
          `${count} analysts cover ${name}.`,
          `There are ${buys} buy ratings and ${holds} hold ratings.`,
        ],
        [
          `${buys + 4} analysts rate ${name} a buy and ${holds + 3} a hold.`,
          `There are ${buys + 17} buy ratings and ${holds} hold ratings.`,
        ],
      ],
    ];
  },
  valuation: (v, name) => {
    const pe = v('stock.fundamental.pe_ratio');
    return [
      [
        [`${name} trades at ${pe} times earnings.`, `The P/E is ${pe}.`, `Its P/E ratio of ${pe}.`],
        [
          `${name} trades at ${(pe * 1.3).toFixed(2)} times earnings.`,
          `The P/E is ${(pe + 6).toFixed(2)}.`,
          `Its P/E ratio of ${(pe - 4).toFixed(2)}.`,
        ],
      ],
    ];
  },
  ownership: (v) => {
    const [sales, purchases] = [v('stock.ownership.insider_sales'), v('stock.ownership.insider_purchases')];
    return [
      [
        [`There were ${sales} insider sales and ${purchases} insider purchases.`, `Insider sales: ${sales}.`],
        [
          `There were ${sales + 5} insider sales and ${purchases} insider purchases.`,
          `Insider sales: ${sales + 4}.`,
        ],
      ],
    ];
  },
  scores: (v, name) => {
    const [bull, bear, net] = [
      v('stock.bullish_confluence'),
      v('stock.bearish_confluence'),
      v('stock.net_confluence'),
    ];
    return [
      [
        [
          `The bull score is ${bull} against a bear score of ${bear}.`,
          `The net score is ${net}.`,
          `${name} has a net confluence of ${net}.`,
        ],
        [
          `The bull score is ${bear} against a bear score of ${bull}.`,
          `The net score is ${(-net).toFixed(1)}.`,
          `${name} has a net confluence of ${(net + 12).toFixed(1)}.`,
        ],
      ],
      [
        [
          `Bullish confluence is ${bull} and bearish confluence ${bear}.`,
          `The bearish score of ${bear} beats the bullish score of ${bull}.`,
        ].slice(0, bear > bull ? 2 : 1),
        [`Bullish confluence is ${bear} and bearish confluence ${bull}.`],
      ],
    ];
  },
  peers: (v, name) => {
    const composite = v('stock.peer_divergence_v1.composite');
    const [own, implied] = [v('peers.return_pct'), v('peers.implied_pct')];
    return [
      [
        [`Peer divergence is ${composite}.`, `The peer divergence stands at ${composite} deviations.`],
        [
          `Peer divergence is ${(composite + 1.1).toFixed(2)}.`,
          `The peer divergence stands at ${(-composite + 0.4).toFixed(2)} deviations.`,
        ],
      ],
      [
        [`${name} returned ${own}% against ${implied}% implied by its peers.`],
        [
          `${name} returned ${(own + 2).toFixed(2)}% against ${(implied - 2).toFixed(2)}% implied by its peers.`,
        ],
      ],
    ];
  },
  'the market': (v) => {
    const [vix, percentile, breadth] = [
      v('market.vix.level'),
      v('market.vix.percentile'),
      v('market.breadth.above_sma_50'),
    ];
    const change = v('market.vix.change_1d_pct');
    return [
      [
        [
          `The VIX is at ${vix}.`,
          `VIX closed at ${vix}.`,
          `The VIX stands at ${vix}, in the ${percentile} percentile.`,
        ].slice(0, 2),
        [`The VIX is at ${(vix + 4).toFixed(2)}.`, `VIX closed at ${(vix * 0.8).toFixed(2)}.`],
      ],
      [
        [`${(breadth * 100).toFixed(1)}% of stocks are above their 50-day average.`],
        [`${((breadth * 100 + 17) % 100).toFixed(1)}% of stocks are above their 50-day average.`],
      ],
      turned(both(change > 0, 'rose', 'fell'), (word) => `The VIX ${word} ${size(change)}%.`),
    ];
  },
  'levels near': (v) => {
    const [support, resistance] = ['support', 'resistance'].map((side) =>
      v(`stock.level_ladder.nearest_${side}.price`),
    ) as [number, number];
    return [
      [
        [
          `The nearest support is ${usd(support)} and the nearest resistance ${usd(resistance)}.`,
          `Nearest support sits at ${usd(support)}.`,
        ],
        [
          `The nearest support is ${usd(resistance * 1.01)} and the nearest resistance ${usd(support * 0.98)}.`,
          `Nearest support sits at ${usd(support * 0.95)}.`,
        ],
      ],
    ];
  },
  records: (v) => {
    const rate = v('record.level.prior_day.rate');
    const [n, chance] = [v('record.level.prior_day.n'), v('record.level.prior_day.chance')];
    const pivots = v('record.level.pivot.rate');
    return [
      [
        [
          `Prior-day levels hold ${rate.toFixed(0)} % of the time.`,
          `Prior-day levels held ${rate.toFixed(1)}% of the time.`,
          `Pivot levels hold ${pivots.toFixed(1)}% of the time.`,
        ],
        [
          `Prior-day levels hold ${(rate + 12).toFixed(0)} % of the time.`,
          `Prior-day levels held ${(rate - 9).toFixed(1)}% of the time.`,
          `Pivot levels hold ${(pivots + 8).toFixed(1)}% of the time.`,
        ],
      ],
      [
        [
          `Prior-day levels hold ${rate.toFixed(1)}% of the time against a chance of ${chance.toFixed(1)}%.`,
          `Prior-day levels were counted ${n} times.`,
        ],
        [`Prior-day levels hold ${chance.toFixed(1)}% of the time against a chance of ${rate.toFixed(1)}%.`],
      ],
    ];
  },
};

/** The sentences of a stock: those whose facts are all known. */
export function sentencesOf(known: ReadonlyMap<string, unknown>, name: string) {
  const value: Value = (id) => {
    const found = known.get(id);
    if (typeof found !== 'number') throw new Unknown();
    return found;
  };
  return Object.entries(KINDS).flatMap(([kind, write]) => {
    try {
      const pairs = write(value, name);
      return [
        {
          kind,
          truths: pairs.flatMap(([truths]) => truths),
          falsehoods: pairs.flatMap(([, falsehoods]) => falsehoods),
        },
      ];
    } catch (error) {
      if (error instanceof Unknown) return [];
      throw error;
    }
  });
}

class Unknown extends Error {}
