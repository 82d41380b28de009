import type { Static, TObject, TProperties } from 'typebox';
import { address, secret } from '../../base/setting.ts';
import { Type } from '../../base/type.ts';
import type { Vendor, Wiring } from './vendor.ts';

/**
 * A vendor: its settings under the names by which its factory takes them, and the factory, loaded for who has its keys. The
 * keys are the secret settings; all of them choose the vendor.
 */
const vendor = <Settings extends TProperties>(
  settings: Settings,
  load: () => Promise<(access: Required<Static<TObject<Settings>>>, wiring: Wiring) => Vendor>,
) => ({
  settings,
  open: async (access: object, wiring: Wiring): Promise<Vendor> => (await load())(access as never, wiring),
});

/** Every vendor by name; settings, their documentation and what `serve` follows come of it. */
export const VENDORS: Readonly<Record<string, ReturnType<typeof vendor>>> = {
  alpaca: vendor(
    {
      keyId: secret('ALPACA_KEY_ID', 'Key of Alpaca: its market is streamed in place of a simulated one.'),
      secretKey: secret('ALPACA_SECRET_KEY', 'Secret to the key of Alpaca; needed with it.'),
      feed: Type.Enum(['iex', 'sip', 'delayed_sip'], {
        env: 'ALPACA_FEED',
        default: 'iex',
        description: 'What Alpaca streams: IEX alone (every plan), all exchanges, or all 15 minutes late.',
      }),
      dataUrl: address('ALPACA_DATA_URL', 'https://data.alpaca.markets', 'Host of market data.'),
      tradingUrl: address(
        'ALPACA_TRADING_URL',
        'https://paper-api.alpaca.markets',
        'Host of assets and clock; for the key of a live account `https://api.alpaca.markets`.',
      ),
      streamUrl: address('ALPACA_STREAM_URL', 'wss://stream.data.alpaca.markets', 'Host of its streams.'),
    },
    async () => (await import('./alpaca.ts')).alpacaVendor,
  ),
  massive: vendor(
    {
      apiKey: secret('MASSIVE_API_KEY', 'Key of Massive: its market in place of a simulated one.'),
      feed: Type.Enum(['end_of_day', 'delayed', 'realtime'], {
        env: 'MASSIVE_FEED',
        default: 'end_of_day',
        description:
          'What the plan of Massive gives: sessions that are over, a stream 15 minutes late, or at once.',
      }),
      url: address('MASSIVE_URL', 'https://api.massive.com', 'Host of its REST interface.'),
      streamUrl: address(
        'MASSIVE_STREAM_URL',
        'wss://delayed.massive.com',
        'Host of its streams; with `realtime` `wss://socket.massive.com`.',
      ),
    },
    async () => (await import('./massive.ts')).massiveVendor,
  ),
};
