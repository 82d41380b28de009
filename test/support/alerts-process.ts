import { systemClock } from '../../src/base/clock.ts';
import { Scope } from '../../src/base/scope.ts';
import { openDatabase } from '../../src/database/database.ts';
import { fireAndDeliver, keepRule } from './alert-deliveries.ts';

/** A process that delivers what a rule fires on a data directory; with `TIGRAPH_FAULT` it kills itself on the way. */
const [dataDirectory, received] = process.argv.slice(2) as [string, string];
const database = await openDatabase({ dataDirectory });
const scope = new Scope('alerts');
const notifying = { allowsPrivate: true, smtpUrl: undefined, smtpFrom: undefined, publicUrl: undefined };
await keepRule(database);
await fireAndDeliver({ database, scope, clock: systemClock, delayMs: 0, notifying }, received, () => {});
await scope.close();
await database.close();
