import type { Static } from 'typebox';
import type { AppContext } from '../context/app-context.ts';
import { sendUncached } from '../http/answer.ts';
import { callerOf } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import {
  deleteWatchlist,
  getWatchlist,
  type ListContent,
  listWatchlists,
  putWatchlist,
} from './keep-watchlists.ts';
import {
  RemovedAnswer,
  WATCHLIST_BODY_BYTES,
  WatchlistAnswer,
  WatchlistBody,
  WatchlistPath,
  WatchlistsAnswer,
} from './schema.ts';

const URL_OF_LISTS = '/api/graph/v1/watchlists';
const URL_OF_ONE = `${URL_OF_LISTS}/:name`;
const MADE_UP = {
  name: 'my twelve',
  symbols: ['SIMX'],
  screen: null,
  changed_at: '2026-01-05T12:00:00.000Z',
};

const nameIn = ({ params }: { readonly params: unknown }): string =>
  (params as Static<typeof WatchlistPath>).name;

export const watchlistRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'GET',
    url: URL_OF_LISTS,
    operationId: 'listWatchlists',
    tag: 'watchlists',
    summary: 'Your lists of stocks',
    description: 'The lists of the client behind the token, or those of all callers without one.',
    scope: 'stock:read',
    answer: WatchlistsAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify({ watchlists: await listWatchlists(context, callerOf(request)) })),
  },
  {
    method: 'GET',
    url: URL_OF_ONE,
    operationId: 'getWatchlist',
    tag: 'watchlists',
    summary: 'A list with its stocks',
    description: 'Of a list that fills itself the stocks that pass its screen now.',
    scope: 'stock:read',
    params: WatchlistPath,
    answer: WatchlistAnswer,
    example: () => ({ answer: MADE_UP }),
    refusals: [401, 403, 404, 410, 429, 503, 504],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify(await getWatchlist(context, nameIn(request), callerOf(request)))),
  },
  {
    method: 'PUT',
    url: URL_OF_ONE,
    operationId: 'putWatchlist',
    tag: 'watchlists',
    summary: 'Write a list',
    description:
      'Keeps symbols, or a screen by which the list fills itself, in place of what the list held. A symbol without data is refused by its name, and nothing is written then.',
    scope: 'stock:read',
    params: WatchlistPath,
    body: WatchlistBody,
    bodyLimitBytes: WATCHLIST_BODY_BYTES,
    answer: WatchlistAnswer,
    example: ({ symbols }) => ({ body: { symbols }, answer: { ...MADE_UP, symbols } }),
    refusals: [401, 403, 404, 409, 410, 429, 503, 504],
    async handler(request, reply) {
      const content = request.body as ListContent;
      const list = await putWatchlist(context, nameIn(request), content, callerOf(request));
      return sendUncached(reply, JSON.stringify(list));
    },
  },
  {
    method: 'DELETE',
    url: URL_OF_ONE,
    operationId: 'deleteWatchlist',
    tag: 'watchlists',
    summary: 'Delete a list',
    description: 'The stocks stay, the list is gone.',
    scope: 'stock:read',
    params: WatchlistPath,
    answer: RemovedAnswer,
    example: () => ({ answer: { name: MADE_UP.name } }),
    refusals: [401, 403, 404, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify(await deleteWatchlist(context, nameIn(request), callerOf(request)))),
  },
];
