import { Option } from 'commander';
import { type Answer, type Ask, type Request as Asked, addressOf } from '../agents/ask.ts';
import { CodedError } from '../base/errors.ts';
import { realTimers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import type { Define } from './command.ts';
import { stopSignal } from './stop-signal.ts';
import { withApp } from './with-app.ts';

interface Options {
  readonly url?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly grant?: string;
}

/** A request to the service, by its path. */
type Send = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Answer>;

export const define: Define = (command, call) => {
  command
    .option(
      '--url <address>',
      'a running service; without it the data directory is opened, which no other process may serve',
    )
    .addOption(
      new Option('--client-id <id>', 'client that logs in; without one the data is delayed').env(
        'TIGRAPH_CLIENT_ID',
      ),
    )
    .addOption(new Option('--client-secret <secret>', 'its secret').env('TIGRAPH_CLIENT_SECRET').hideHelp())
    .addOption(new Option('--grant <id>', 'one of its grants; by default its only one').env('TIGRAPH_GRANT'))
    .action((options: Options) => call((config) => speak(options, config)));
};

async function speak(options: Options, config: Config): Promise<number> {
  const { url } = options;
  if (url !== undefined) {
    const home = url.replace(/\/+$/, '');
    return serveWith(options, home, async (path, init) => {
      const response = await fetch(`${home}${path}`, init).catch(() => null);
      return response === null ? unreachable(home) : answerOf(response);
    });
  }
  // Standard output belongs to the protocol.
  return withApp({ ...config, logLevel: 'silent' }, async (app) => {
    const server = await app.server();
    try {
      return await serveWith(options, `http://localhost:${config.port}`, async (path, { body, ...init }) => {
        const sent = { ...init, url: path, ...(body !== undefined && { payload: body }) } as const;
        const { statusCode, body: text } = await server.inject(sent as never);
        return { status: statusCode, body: JSON.parse(text) };
      });
    } finally {
      await server.close();
    }
  });
}

const unreachable = (home: string): Answer => ({
  status: 503,
  body: { code: 'unreachable', detail: `No service answers at ${home}; is it running?` },
});

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.json().catch(() => null),
});

/** Speaks over standard input and output until either side ends. */
async function serveWith(options: Options, home: string, send: Send): Promise<number> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServer } = await import('../agents/mcp-server.ts');
  const { programVersion } = await import('../app.ts');
  const ask = asking(send, loginOf(options, send));
  const stop = stopSignal();
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const speaking = serveStdio(() => createMcpServer({ ask, home, version: programVersion() }));
  await ended;
  await speaking.close();
  return 0;
}

type Login = (() => Promise<string>) | null;

const asking =
  (send: Send, login: Login): Ask =>
  async (request: Asked) => {
    const { method = 'GET', body } = request;
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (login !== null) headers.authorization = `Bearer ${await login()}`;
    return send(addressOf(request), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };

/** A token is renewed this long before it ends. */
const EARLY_MS = 60_000;

/** Gives a token that is good, from the one before or a new exchange; null without credentials. */
function loginOf({ clientId, clientSecret, grant }: Options, send: Send): Login {
  if (clientId === undefined || clientSecret === undefined) return null;
  let token = '';
  let renewAt = 0;
  return async () => {
    if (realTimers.now() < renewAt) return token;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      agent_id: 'tigraph-mcp',
      ...(grant !== undefined && { grant_id: grant }),
    });
    const { status, body } = await send('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const answer = body as { access_token: string; expires_in: number; error_description?: string };
    if (status !== 200) throw new CodedError('invalid_client', answer?.error_description);
    token = answer.access_token;
    renewAt = realTimers.now() + answer.expires_in * 1_000 - EARLY_MS;
    return token;
  };
}
