import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';

const SYMBOL = fromJsonSchema<{ symbol: string }>({
  type: 'object',
  properties: { symbol: { type: 'string', maxLength: 20, description: 'Ticker' } },
  required: ['symbol'],
});

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the user asks, of a symbol. */
  ask(symbol: string): string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'morning_brief',
    title: 'Morning brief',
    description: 'Both sides of a stock before the open, with a fact behind every figure.',
    ask: (symbol) =>
      `Brief me on ${symbol} before the open. Call brief and explain, say what speaks for each side and what would change it, cite the fact of every figure, and run verify_draft over the text before you show it.`,
  },
  {
    name: 'check_my_draft',
    title: 'Check my draft',
    description: 'What the facts contradict in a text of yours.',
    ask: (symbol) =>
      `I will give you a draft about ${symbol}. Run verify_draft over it, list what it contradicts with the right figure, and leave my words otherwise as they are.`,
  },
  {
    name: 'why_this_level',
    title: 'Why this level',
    description: 'The levels nearest to the price, and where they come from.',
    ask: (symbol) =>
      `Which levels of ${symbol} are nearest to its price, and why? Read levels and level_ladder with get_stock, and the walls and gamma flip with get_options. Give the distance of each and its fields.`,
  },
];

/** What users choose from a menu. */
export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, ask } of PROMPTS) {
    server.registerPrompt(name, { title, description, argsSchema: SYMBOL }, ({ symbol }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: ask(symbol) } }],
    }));
  }
}
