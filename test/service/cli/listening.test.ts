import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/base/errors.ts';
import { whileListening } from '../../../src/cli/listen.ts';
import { freshApp } from '../../support/app.ts';

describe('a process that listens', () => {
  it('closes its port where what runs behind it fails, and says why', async () => {
    const { app } = await freshApp({ PORT: '0', TIGRAPH_SHUTDOWN_MS: '1000' });
    const server = await app.server();
    const damaged = new CodedError('data_damaged');
    let port = 0;
    const serving = whileListening(server, app.config, async () => {
      port = (server.server.address() as AddressInfo).port;
      expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
      throw damaged;
    });
    await expect(serving).rejects.toBe(damaged);
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
  });
});
