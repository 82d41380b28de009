import { Option } from 'commander';
import type { Answer } from '../agents/ask.ts';
import type { Credentials, Send } from '../agents/login.ts';
import { CodedError, isCoded } from '../base/errors.ts';
import { realTimers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import type { Define } from './command.ts';
import { stopSignal } from './stop-signal.ts';

interface Options {
  readonly url?: string;
  readonly clientId?: string;
  readonly grant?: string;
}

export const define: Define = (command, call) => {
  command
    .option('--url <address>', 'a running service; without it the data directory is opened, beside one too')
    .addOption(
      new Option('--client-id <id>', 'client that logs in; without one the data is delayed').env(
        'TIGRAPH_CLIENT_ID',
      ),
    )
    .addOption(new Option('--grant <id>', 'one of its grants; by default its only one').env('TIGRAPH_GRANT'))
    .action((options: Options) => call((config) => speak(options, config)));
};

async function speak(options: Options, config: Config): Promise<number> {
  const { url } = options;
  const stop = stopSignal();
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  if (url !== undefined) {
    const home = url.replace(/\/+$/, '');
    const close = await serveWith(options, home, sendTo(home));
    await ended;
    await close();
    return 0;
  }
  const opened = Promise.withResolvers<Send>();
  // A failure is told to whoever asks, and when the command ends.
  opened.promise.catch(() => {});
  const home = config.publicUrl ?? `http://localhost:${config.port}`;
  const close = await serveWith(options, home, async (path, init) => {
    try {
      return await (await opened.promise)(path, init);
    } catch (error) {
      if (isCoded(error)) return { status: 503, body: { code: error.code, detail: error.message } };
      throw error;
    }
  });
  try {
    await withData(config, ended, opened.resolve);
  } catch (error) {
    opened.reject(error);
    await ended;
    throw error;
  } finally {
    await close();
  }
  return 0;
}

/** Opens the data directory until the other side ends. Lists of tools are answered meanwhile, for which clients wait. */
async function withData(config: Config, ended: Promise<void>, onOpen: (send: Send) => void): Promise<void> {
  const { withApp } = await import('./with-app.ts');
  // Standard output belongs to the protocol.
  await withApp({ ...config, logLevel: 'silent' }, async (app) => {
    const server = await app.server();
    onOpen(async (path, { body, ...init }) => {
      const sent = { ...init, url: path, ...(body !== undefined && { payload: body }) } as const;
      const { statusCode, body: text } = await server.inject(sent as never);
      return { status: statusCode, body: JSON.parse(text) };
    });
    await ended;
    await server.close();
  });
}

const sendTo =
  (home: string): Send =>
  async (path, init) => {
    // A redirect would take the secret, or a token, to where nobody said that they should go.
    const response = await fetch(`${home}${path}`, { ...init, redirect: 'manual' }).catch(() => null);
    if (response === null) return unreachable(home);
    const to = response.headers.get('location');
    return response.status >= 300 && response.status < 400 ? elsewhere(home, to) : answerOf(response);
  };

const elsewhere = (home: string, to: string | null): Answer => ({
  status: 502,
  body: {
    code: 'redirected',
    detail: `${home} sends callers on to ${to ?? 'another address'}: give --url the address of the service itself`,
  },
});

const unreachable = (home: string): Answer => ({
  status: 503,
  body: { code: 'unreachable', detail: `No service answers at ${home}; is it running?` },
});

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.json().catch(() => null),
});

/**
 * Null for a caller without a token. A host may hand on settings that its user left empty. The secret comes from the
 * environment alone: what stands in a command every user of the machine can read.
 */
function credentialsOf({ clientId = '', grant }: Options): Credentials | null {
  const clientSecret = process.env.TIGRAPH_CLIENT_SECRET ?? '';
  if (clientId === '' && clientSecret === '') return null;
  if (clientId === '' || clientSecret === '') {
    // Delayed data in silence would be taken for real time.
    throw new CodedError('bad_setting', 'TIGRAPH_CLIENT_ID and TIGRAPH_CLIENT_SECRET need one another.');
  }
  return { clientId, clientSecret, grant: grant || undefined };
}

/** Speaks over standard input and output. @returns ends it */
async function serveWith(options: Options, home: string, send: Send): Promise<() => Promise<void>> {
  const [{ serveStdio }, { createMcpServer }, { askBy }, { programVersion }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../agents/mcp-server.ts'),
    import('../agents/login.ts'),
    import('../app.ts'),
  ]);
  const ask = askBy(send, credentialsOf(options), realTimers);
  const speaking = serveStdio(() => createMcpServer({ ask, home, version: programVersion() }));
  return () => speaking.close();
}
