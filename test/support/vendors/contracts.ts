/** A contract as a vendor knows it; prices in dollars. */
export interface ContractOfDouble {
  /** `AAPL240419C00170000`. */
  readonly name: string;
  readonly expiration: string;
  readonly strike: number;
  readonly right: 'call' | 'put';
  readonly bid: number;
  readonly ask: number;
  readonly volume: number;
  readonly openInterest: number;
}

/** Contracts around a price, which trade more as the day goes on. */
export function contractsOf(symbol: string, spot: number, minuteOfDay: number): ContractOfDouble[] {
  const strikes = Array.from({ length: 5 }, (_, place) => Math.round(spot) + place - 2);
  return ['2024-03-15', '2024-04-19'].flatMap((expiration) =>
    strikes.flatMap((strike) =>
      (['call', 'put'] as const).map((right): ContractOfDouble => {
        const worth = Math.max(0, right === 'call' ? spot - strike : strike - spot) + 1;
        const letter = right === 'call' ? 'C' : 'P';
        const digits = String(strike * 1_000).padStart(8, '0');
        return {
          name: `${symbol}${expiration.slice(2).replaceAll('-', '')}${letter}${digits}`,
          expiration,
          strike,
          right,
          bid: worth - 0.05,
          ask: worth + 0.05,
          volume: minuteOfDay,
          openInterest: 100 + strike,
        };
      }),
    ),
  );
}
