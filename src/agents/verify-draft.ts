import { date, freeText, symbol } from './arguments.ts';
import { type Cell, input, picked, type Sourced, stockLink, tool } from './tool.ts';

interface Verification extends Sourced {
  readonly symbol: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly claims: readonly {
    readonly text: string;
    readonly verdict: string;
    readonly expected: Cell;
    readonly reason: string;
    readonly fact: { readonly id: string; readonly value: Cell } | null;
  }[];
}

export const verifyDraft = tool({
  name: 'verify_draft',
  title: 'Verify a draft',
  description:
    'Checks every number and date of your draft about one stock against the facts. Call it before you answer.',
  input: input({ symbol, text: freeText(1, 20_000), date }),
  example: { symbol: 'NVDA', text: 'NVDA trades at $100 with an RSI of 50.' },
  budget: 3_000,
  async run({ symbol, text, date }, fetch) {
    const body = { symbol, text, ...(date === undefined ? {} : { date }) };
    const found = await fetch<Verification>({ method: 'POST', path: '/chat/verify', body });
    return {
      ...picked(found, 'as_of', 'source', 'symbol', 'summary'),
      columns: ['quote', 'verdict', 'expected', 'fact', 'value', 'reason'],
      rows: found.claims.map(({ text: quote, verdict, expected, fact, reason }) => [
        quote,
        verdict,
        expected,
        fact?.id ?? null,
        fact?.value ?? null,
        reason,
      ]),
      link: stockLink(symbol, date),
    };
  },
  rest({ text }, kept, { rows = [] }) {
    let end = 0;
    for (const [quote] of rows.slice(0, kept)) end = text.indexOf(String(quote), end) + String(quote).length;
    // With the sentence that the next figure is in, unless it is the whole of the text.
    const sentence = Math.max(text.lastIndexOf('. ', end), text.lastIndexOf('\n', end)) + 1;
    return { text: text.slice(sentence === 0 ? end : sentence).trimStart() };
  },
});
