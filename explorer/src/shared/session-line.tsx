import type { ReactNode } from 'react';
import { formatPrice } from './ui/number.tsx';

/** 15-minute bars of a whole session: a line of a running one leaves the rest of its width empty. */
const BARS = 26;
const WIDTH = 64;
const HEIGHT = 18;

interface Props {
  /** Undefined while they are not known. */
  readonly closes: readonly number[] | undefined;
  /** A row of a screen, for `price.regular.open`. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** The path of a session by its 15-minute closes, from its open where that is known, as the range of the day beside it. */
export function SessionLine({ closes = [], row }: Props): ReactNode {
  const open = row['price.regular.open'];
  const prices = typeof open === 'number' ? [open, ...closes] : closes;
  const [first, last] = [prices[0], prices.at(-1)];
  if (first === undefined || last === undefined || closes.length < 2)
    return <span className="session-line" />;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const yOf = (price: number): number => 1 + (1 - (price - low) / (high - low || 1)) * (HEIGHT - 2);
  const points = prices.map((price, at) => `${((at / BARS) * WIDTH).toFixed(1)},${yOf(price).toFixed(1)}`);
  return (
    <span
      className={last >= first ? 'session-line up' : 'session-line down'}
      data-tip={`Session by closes of 15 minutes: ${formatPrice(first)} to ${formatPrice(last)}, low ${formatPrice(low)}, high ${formatPrice(high)}`}
    >
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </span>
  );
}
