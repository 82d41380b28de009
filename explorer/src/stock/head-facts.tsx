import type { ReactNode } from 'react';
import type { MarketContext, Stock } from '../shared/api/queries.ts';
import { bandTip, standsIn } from '../shared/expected-move.ts';
import type { Instant } from '../shared/instant.ts';
import { fullName, labelOf } from '../shared/levels.ts';
import { selects, useSelection } from '../shared/selection.tsx';
import { format, formatNumber, formatPrice } from '../shared/ui/number.tsx';
import { dueOf, gammaTip, gammaWords, stripOf } from './head-words.ts';
import { type Rung, useRungs } from './rungs.ts';

interface Props {
  readonly stock: Stock;
  readonly market: MarketContext | undefined;
  readonly asOf: Instant;
}

/** What is near, what was expected and what is due, in one line below the price. */
export function HeadFacts({ stock, market, asOf }: Props): ReactNode {
  const rungs = useRungs(stock, asOf);
  const gamma = gammaWords(stock);
  const [next, ...later] = dueOf(stock, market);
  return (
    <>
      <NextLevel sign="↑" word="above" rung={rungs?.above[0]} />
      <NextLevel sign="↓" word="below" rung={rungs?.below[0]} />
      <DayStrip stock={stock} />
      {next === undefined ? null : (
        <button type="button" className="plain due" data-tip={['Due:', next, ...later].join('\n')}>
          {next}
        </button>
      )}
      {gamma === null ? null : (
        <button type="button" className="plain" data-tip={gammaTip(stock)}>
          {gamma}
        </button>
      )}
    </>
  );
}

interface NextProps {
  readonly sign: string;
  readonly word: string;
  readonly rung: Rung | undefined;
}

/** `↑ VWAP 0.26 ATR`. */
function NextLevel({ sign, word, rung }: NextProps): ReactNode {
  const selection = useSelection();
  if (rung === undefined) return null;
  const { name, price, away, today } = rung;
  return (
    <button
      type="button"
      className="plain next-level"
      data-tip={`The next level ${word}: ${fullName(name)}\n${formatPrice(price)}, ${today}`}
      {...selects(selection, [name])}
      onClick={() => selection.keep([name])}
    >
      {sign} <span className="visually-hidden">{word}</span>
      {labelOf(name)} {away === null ? formatPrice(price) : `${formatNumber(away, 2)} ATR`}
    </button>
  );
}

const percent = (share: number): string => `${100 * share}%`;
const across = ([from, to]: readonly [number, number]) => ({
  left: percent(from),
  width: percent(to - from),
});

const gapWords = ({ price }: Stock): string =>
  price?.gap_pct == null ? '' : `, gap ${format('signed-percent', price.gap_pct)}`;

/** The day's range within what options expected of it. */
function DayStrip({ stock }: { readonly stock: Stock }): ReactNode {
  const strip = stripOf(stock);
  const found = stock.expected_move;
  const day = found?.day ?? null;
  const position = found?.day_position ?? null;
  const tip = [
    strip === null ? '' : `Day ${formatPrice(strip.low)} to ${formatPrice(strip.high)}${gapWords(stock)}.`,
    found == null || day === null ? '' : bandTip(found),
  ].filter(Boolean);
  if (tip.length === 0) return null;
  return (
    <button type="button" className="plain expected" data-tip={tip.join('\n')}>
      {strip === null ? null : (
        <span className="day-strip" aria-hidden="true">
          {strip.band === null ? null : <i className="band" style={across(strip.band)} />}
          <i className="day-range" style={across(strip.range)} />
          <i className="at" style={{ left: percent(strip.at) }} />
        </span>
      )}
      {day === null
        ? `day ${formatPrice(strip!.low)} to ${formatPrice(strip!.high)}`
        : `exp. ±${formatNumber(day.move_pct, 1)} %${position === null ? '' : `, ${standsIn(position)}`}`}
    </button>
  );
}
