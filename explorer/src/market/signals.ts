/** What the rules of the regime say together, in the colour of the side that they speak for. */

interface Rule {
  readonly rule: string;
  readonly supports: readonly string[];
  readonly says: string;
}

const SIDES: Readonly<Record<string, readonly [word: string, tone: 'up' | 'down']>> = {
  trend_up: ['bullish', 'up'],
  trend_down: ['bearish', 'down'],
};

/** `All 8 signals bearish`, `6 of 8 signals bullish`, `5 of 8 signals for a range`. */
export function signalsOf(rules: readonly Rule[], regime: string) {
  const supporting = rules.filter(({ supports }) => supports.includes(regime));
  const others = rules.filter((rule) => !supporting.includes(rule));
  const [word, tone] = SIDES[regime] ?? [
    `for ${NOUNS[regime] ?? regime.replaceAll('_', ' ')}`,
    'neutral' as const,
  ];
  const count = others.length === 0 ? `All ${rules.length}` : `${supporting.length} of ${rules.length}`;
  return {
    headline: rules.length === 0 ? '' : `${count} ${rules.length === 1 ? 'signal' : 'signals'} ${word}`,
    supporting,
    others,
    tone,
  };
}

const NOUNS: Readonly<Record<string, string>> = {
  range: 'a range',
  volatile: 'high volatility',
  transition: 'a transition',
};
