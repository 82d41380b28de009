import { createClient } from '@tigraph/client';

/** The one connection of the page to its service. */
export const client = createClient({ baseUrl: '' });
