import { describe, expect, it } from 'vitest';
import { CLAIMS_MAX, TEXT_MAX, type Verification } from '../../../src/api/verify/schema.ts';
import type { Claim } from '../../../src/texts/verify/text-claim.ts';
import { bearer } from '../../support/access.ts';
import { expectDocumented, expectFaults, expectRefused } from '../../support/answers.ts';
import { CHAT_BEFORE, CHAT_OTHERS, chatServiceOnMarket } from '../../support/chat-service.ts';
import { words } from '../../support/tables.ts';

/** The contract of `POST /api/graph/v1/chat/verify`, by status. */

const URL = '/api/graph/v1/chat/verify';

const post = (payload: unknown, token?: string) =>
  service.server.inject({
    method: 'POST',
    url: URL,
    headers: { 'content-type': 'application/json', ...bearer(token) },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

async function verified(text: string, asked: object = {}, token?: string): Promise<Verification> {
  const response = await post({ symbol: 'ACME', text, ...asked }, token);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const stockOf = async (date?: string, token?: string) => {
  const response = await service.server.inject({
    url: `/api/graph/v1/stocks/ACME?include=levels${date === undefined ? '' : `&date=${date}`}`,
    headers: bearer(token),
  });
  return response.json();
};

const debateOf = async (query: string): Promise<string[]> => {
  const { debate_summary: debate } = (await service.get(query)).json();
  const { bull, bear, what_would_change: change } = debate;
  return [...bull.points, ...bear.points, ...change.bull, ...change.bear].map(
    ({ text }: { text: string }) => text,
  );
};

const isBorneOut = ({ verdict }: Claim): boolean => verdict === 'matches' || verdict === 'derivable';

const service = await chatServiceOnMarket();

describe('200', () => {
  it('finds what is true of a stock', async () => {
    const stock = await stockOf(CHAT_BEFORE);
    const { rsi_14: rsi, atr_14: atr, moving_averages: averages } = stock.technical;
    const draft = `ACME trades at $${stock.last_price.toFixed(2)}. RSI is ${rsi.toFixed(1)}, the ATR ${atr.toFixed(2)} and the 50-day average stands at ${averages.sma_50.toFixed(1)}.`;
    const answer = await verified(draft, { date: CHAT_BEFORE });
    expect(answer).toMatchObject({
      symbol: 'ACME',
      trade_date: CHAT_BEFORE,
      source: 'delayed',
      summary: { matches: 4, derivable: 0, contradicts: 0, unknown: 0 },
    });
    expect(answer.claims.map(({ fact }) => fact?.id)).toEqual(words`
      stock.last_price stock.technical.rsi_14 stock.technical.atr_14
      stock.technical.moving_averages.sma_50`);
    expect(answer.facts_known).toBeGreaterThan(200);
  });

  it('finds what is wrong, with what it should be', async () => {
    const { last_price: price, technical } = await stockOf(CHAT_BEFORE);
    const { claims, summary } = await verified(
      `The price is $${(price * 1.1).toFixed(2)} with an RSI of ${(technical.rsi_14 + 9).toFixed(1)}.`,
      { date: CHAT_BEFORE },
    );
    expect(summary.contradicts).toBe(2);
    expect(claims[0]).toMatchObject({ about: 'price', expected: Number(price.toFixed(2)) });
  });

  it('knows the other stocks of the market', async () => {
    const other = CHAT_OTHERS.at(-1)!;
    const { claims } = await verified(`${other} trades at 999.5. XYZQ is not listed; ACME trades at 999.5.`);
    expect(claims.map(({ verdict }) => verdict)).toEqual(['unknown', 'contradicts']);
    expect(claims[0]?.reason).toContain(other);
  });

  it.each([
    ['the running session', ''],
    ['a session that is over', `&date=${CHAT_BEFORE}`],
  ])('bears out every sentence of the debate of %s', async (_, query) => {
    const sentences = await debateOf(`?page_type=stock_detail&symbol=ACME&max_tokens=32000${query}`);
    expect(sentences.length).toBeGreaterThan(3);
    const asked = query === '' ? {} : { date: CHAT_BEFORE };
    for (const sentence of sentences) {
      const { claims } = await verified(sentence, asked);
      expect(
        claims.filter((claim) => !isBorneOut(claim)),
        sentence,
      ).toEqual([]);
    }
    const whole = await verified(sentences.join('\n'), asked);
    expect(whole.summary.contradicts).toBe(0);
    const { last_price: price } = await stockOf(query === '' ? undefined : CHAT_BEFORE);
    const planted = await verified(`${sentences.join('\n')}\nThe price is ${(price + 3).toFixed(2)}.`, asked);
    expect(planted.summary.contradicts).toBe(1);
  });

  it('holds the text of a delayed caller against what was known fifteen minutes ago', async () => {
    const token = await service.token(['chat:read', 'stock:read', 'market-data:realtime']);
    const [now, before] = [(await stockOf(undefined, token)).last_price, (await stockOf()).last_price];
    expect(now.toFixed(2)).not.toBe(before.toFixed(2));
    const draft = `The price is ${now.toFixed(2)}.`;
    const [delayed, live] = [await verified(draft), await verified(draft, {}, token)];
    expect([delayed.source, delayed.claims[0]?.verdict]).toEqual(['delayed', 'contradicts']);
    expect([live.source, live.claims[0]?.verdict]).toEqual(['realtime_sip', 'matches']);
    expect(JSON.stringify(delayed)).not.toContain(`"value":${Number(now.toFixed(2))},"unit":"USD","instant"`);
  });

  it('says the same of the same text, in the shape that is published', async () => {
    const draft = 'RSI of 50, down 3% on 2024-03-12; support at 95.5 and MSFT at 400.';
    const [one, other] = [
      await post({ symbol: 'acme', text: draft }),
      await post({ symbol: 'ACME', text: draft }),
    ];
    expect(one.body).toBe(other.body);
    expect(one.headers['cache-control']).toBe('no-store');
    await expectDocumented(service.server, URL, one.json(), 'post');
  });

  it.each(['No numbers here.', '\u0000\u202e🙂', "'; drop table node; --", '{{7*7}} <script>'])(
    'answers %j',
    async (text) => {
      const { claims } = await verified(text);
      expect(claims.filter(({ verdict }) => verdict === 'contradicts')).toEqual([]);
    },
  );

  it('takes the longest text', async () => {
    expect((await verified('x'.repeat(TEXT_MAX))).claims).toEqual([]);
    expect((await post({ symbol: 'ACME', text: '🙂'.repeat(TEXT_MAX) })).statusCode).toBe(200);
  });
});

describe('422', () => {
  it.each<[string, object, string]>([
    ['no symbol', { symbol: undefined }, 'symbol,missing'],
    ['no text', { text: undefined }, 'text,missing'],
    ['an empty text', { text: '' }, 'text,string_too_short'],
    ['a text too long', { text: 'x'.repeat(TEXT_MAX + 1) }, 'text,string_too_long'],
    ['a text that is none', { text: 5 }, 'text,string_type'],
    ['a symbol that is none', { symbol: 'A B' }, 'symbol,string_pattern_mismatch'],
    ['an unknown key', { draft: 1 }, 'draft,extra_forbidden'],
    ['too many numbers', { text: '187.34 '.repeat(CLAIMS_MAX + 1) }, 'text,too_long'],
  ])('for %s', async (_, part, fault) => {
    await expectFaults(post({ symbol: 'ACME', text: 'x', ...part }), `body,${fault}`);
  });

  it.each(['2024-02-30', '2024-3-1', 'today'])('for the date %s', async (date) => {
    const response = await post({ symbol: 'ACME', text: 'x', date });
    expect([response.statusCode, response.json().detail[0].loc]).toEqual([422, ['body', 'date']]);
  });

  it('for what is no JSON', async () => {
    const response = await post('{"symbol": "ACME", ');
    expect([response.statusCode, response.json().detail[0].type]).toEqual([422, 'json_invalid']);
  });
});

describe('other refusals', () => {
  it.each([
    ['a stock that nobody knows', { symbol: 'ZZZ', text: 'x' }, 404, 'unknown_symbol'],
    ['a date without a session', { symbol: 'ACME', text: 'x', date: '2024-03-10' }, 404, 'no_session'],
  ])('for %s', async (_, body, status, code) => {
    await expectRefused(post(body), status, code);
  });

  it('for a body beyond the limit', async () => {
    expect((await post({ symbol: 'ACME', text: 'x'.repeat(400_000) })).statusCode).toBe(413);
  });

  it('for a token without the scope, and one for other stocks', async () => {
    const without = await service.token(['stock:read']);
    const elsewhere = await service.token(['chat:read'], ['B0']);
    const body = { symbol: 'acme', text: 'x' };
    expect((await post(body, without)).json().code).toBe('insufficient_scope');
    expect((await post(body, elsewhere)).json().code).toBe('symbol_not_granted');
  });
});
