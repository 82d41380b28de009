import { canonicalSymbol } from '../../base/symbols.ts';
import { requireSymbols } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { CONTENT_TYPE, VARY } from '../http/answer.ts';
import { callerOf } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { VerifyAnswer, VerifyBody } from './schema.ts';
import { verifyText } from './verify-text.ts';

/** The longest text with each of its signs written as an escape of two. */
const VERIFY_BODY_BYTES = 262_144;

export function verifyRoutes(context: AppContext): readonly RouteEntry[] {
  return [
    {
      method: 'POST',
      onlyReads: true,
      url: '/api/graph/v1/chat/verify',
      operationId: 'verifyText',
      tag: 'chat',
      summary: 'A drafted text compared with the facts',
      description:
        'Finds the numbers and dates of a text about a stock and says of each whether it is a fact, follows from facts, contradicts one, or cannot be judged. By rules alone: the same text and the same facts have the same answer.',
      scope: 'chat:read',
      body: VerifyBody,
      bodyLimitBytes: VERIFY_BODY_BYTES,
      answer: VerifyAnswer,
      example: ({ symbol, date }) => ({
        body: {
          symbol,
          text: `${symbol} trades at $100 with an RSI of 50.`,
          ...(date === null ? {} : { date }),
        },
      }),
      refusals: [401, 403, 404, 429, 503, 504],
      async handler(request, reply) {
        const caller = callerOf(request);
        const body = request.body as VerifyBody;
        const symbol = canonicalSymbol(body.symbol);
        requireSymbols(caller, [symbol]);
        const answer = await verifyText(context, { ...body, symbol }, caller);
        return reply
          .header('content-type', CONTENT_TYPE)
          .header('cache-control', 'no-store')
          .header('vary', VARY)
          .send(JSON.stringify(answer));
      },
    },
  ];
}
