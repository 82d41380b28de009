import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { subscriber } from '../support/push-message.ts';
import { type Service, startService } from './service.ts';
import { browser, openPage } from './support.ts';

/** Where alerts go, as a reader sets it, and a notification as a browser shows it. */

let service: Service;

beforeAll(async () => {
  if (browser === null) return;
  service = await startService(null, { TIGRAPH_ALERTS_PRIVATE: 'true' });
});

afterAll(async () => {
  if (browser === null) return;
  await service.close();
});

/** A push service, which only keeps what it is sent. */
async function openPushService() {
  const sent: Buffer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      sent.push(Buffer.concat(parts));
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { sent, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/one` };
}

/** Hands the worker of a page what a push service would, as the browser has opened it. */
async function pusherOf(page: Page): Promise<(text: string) => Promise<unknown>> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [own] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (data) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: service.base, registrationId, data });
}

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: string;
}

/** Notes what the worker of a page has the browser show: without a desktop it shows nothing. */
async function watchShown(page: Page): Promise<() => Promise<Shown[]>> {
  const [worker] = page.context().serviceWorkers();
  await worker!.evaluate(() => {
    const scope = globalThis as unknown as {
      shown: object[];
      registration: { showNotification(title: string, options: object): Promise<void> };
    };
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options });
    };
  });
  return () => worker!.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);
}

describe.skipIf(browser === null)('a browser as a receiver of alerts', () => {
  it('asks for nothing before a click, and says what a refusal means', async () => {
    const { page, faults } = await openPage(`${service.base}/alerts`, { isFirstVisit: true }, [404]);
    await page.evaluate(() => {
      Object.assign(window, { asked: 0 });
      Notification.requestPermission = async () => {
        (window as unknown as { asked: number }).asked++;
        return 'denied';
      };
    });
    const asked = () => page.evaluate(() => (window as unknown as { asked: number }).asked);
    await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
    expect(await asked()).toBe(0);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/Notifications of this page are blocked: allow them/).waitFor();
    expect(await asked()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('subscribes, is sent what it alone can read, and shows it under its id', async () => {
    const { sent, endpoint } = await openPushService();
    const reader = subscriber();
    const { page, faults } = await openPage(
      `${service.base}/alerts`,
      {
        isFirstVisit: true,
        permissions: ['notifications'],
      },
      [404],
    );
    // A browser without a network has no push service; this one is ours.
    await page.evaluate(
      (subscription) => {
        PushManager.prototype.subscribe = async () =>
          ({ toJSON: () => subscription }) as unknown as PushSubscription;
      },
      { endpoint, keys: reader.keys },
    );
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/^browser \(127\.0\.0\.1/).waitFor();
    await page.getByRole('button', { name: /^Test browser/ }).click();
    await page.getByText(/It arrived\.$/).waitFor();
    const text = reader.read(sent[0]!);
    const push = await pusherOf(page);
    const shown = await watchShown(page);
    const alert = {
      id: 'fir_1',
      title: 'ACME: price crossed above VWAP',
      body: 'ACME, when',
      path: '/stocks/ACME',
      at: '2024-03-05T15:00:00Z',
    };
    for (const message of [text, JSON.stringify(alert), JSON.stringify(alert)]) await push(message);
    await expect.poll(async () => (await shown()).length).toBe(3);
    const [test, ...fired] = await shown();
    expect(test).toMatchObject({ title: 'tigraph: a test', data: '/alerts' });
    // Under one tag the browser shows one.
    const { title, body, path: data, id: tag } = alert;
    expect(fired).toMatchObject([
      { title, body, tag, data },
      { title, body, tag, data },
    ]);
    expect(faults).toEqual([]);
  });

  it('waits in quiet hours and has a budget, as its reader sets them', async () => {
    const { page, faults } = await openPage(`${service.base}/alerts`, { isFirstVisit: true }, [404]);
    await page.getByLabel('How', { exact: true }).selectOption('webhook');
    await page.getByLabel('Address').fill('https://alerts.example/hook');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/shown this once/).waitFor();
    await page.getByRole('button', { name: /^Hours and budget of webhook/ }).click();
    await page.getByRole('checkbox', { name: 'quiet hours' }).check();
    await page.getByLabel('from').fill('21:30');
    await page.getByLabel('Time zone').selectOption('Europe/Athens');
    await page.getByLabel('at most').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'webhook https://alerts.example' });
    await expect
      .poll(() => row.textContent())
      .toMatch(/on, quiet 21:30 to 07:00 Europe\/Athens, at most 7 a day/);
    expect(faults).toEqual([]);
  });
});
