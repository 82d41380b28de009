import { isCoded } from '../../src/base/errors.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';

/**
 * A second process on a data directory: opens it, says `open`, then obeys the lines of its standard input.
 *
 * `commit NAME` commits rows (NAME, 0), (NAME, 1), … without end and says each one's number once it is acknowledged.
 * `query SQL` says the rows as JSON. `close` closes in good order. `exit` leaves without a message.
 */
const [dataDirectory] = process.argv.slice(2);
const database = await openDatabase({ dataDirectory: dataDirectory! });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say('open');

const orders: Record<string, (argument: string) => Promise<void> | void> = {
  commit: (name) => commitForEver(database, name),
  query: async (sql) => say(JSON.stringify(await database.query(sql))),
  close: async () => {
    await database.close();
    process.exit(0);
  },
  exit: () => process.exit(0),
};

// The tests take databases away from under this process; that it cannot go on then is no news.
process.on('uncaughtException', (error) => {
  if (!isCoded(error, 'database_unavailable')) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

let rest = '';
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop()!;
  for (const line of lines) {
    const [order, ...words] = line.split(' ');
    await orders[order!]!(words.join(' '));
  }
}

async function commitForEver(target: Database, name: string): Promise<never> {
  // The body makes each commit span pages, so that a kill finds one half written.
  const body = 'x'.repeat(5_000);
  for (let number = 0; ; number++) {
    await target.transaction(async (transaction) => {
      await transaction.query('insert into kept (writer, number, body) values ($1, $2, $3)', [
        name,
        number,
        body,
      ]);
      await transaction.query(
        'insert into kept_count (writer, rows) values ($1, 1) on conflict (writer) do update set rows = kept_count.rows + 1',
        [name],
      );
    });
    say(String(number));
  }
}
