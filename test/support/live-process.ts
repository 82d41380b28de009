/** A process that runs a simulated session without waiting and prints each processed minute, until it is killed. */

import { openApp } from '../../src/app.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { steppingClock } from '../../src/base/clock.ts';
import { loadConfig } from '../../src/config.ts';
import { simulatedLiveFeed } from '../../src/market/feeds/simulated-live.ts';
import { runLiveSession } from '../../src/pipeline/live-session.ts';

const { options, market, tradeDate, takenUp } = JSON.parse(process.argv[2]!);
const calendar = newYorkCalendar();
const session = calendar.session(tradeDate)!;
const settings = { TIGRAPH_DATA_DIR: options.dataDirectory, DATABASE_URL: options.databaseUrl };
const app = await openApp(
  loadConfig({ ...settings, LOG_LEVEL: 'silent', TIGRAPH_WORKERS: '1' }),
  steppingClock(session.preOpen),
);
await runLiveSession(app.context, simulatedLiveFeed(market, session, calendar, { now: () => takenUp }), {
  onMinute: ({ at }) => void process.send!(at),
});
await app.close();
