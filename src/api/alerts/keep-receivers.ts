import { randomUUID } from 'node:crypto';
import { NotDelivered, type Target } from '../../alerts/channels/channel.ts';
import { CHANNELS, type ChannelName } from '../../alerts/channels/index.ts';
import { pushKeys } from '../../alerts/channels/push.ts';
import { isTimeZone, type Quiet } from '../../alerts/quiet.ts';
import { callerLeft } from '../../base/caller.ts';
import { CodedError, ValidationRefusal } from '../../base/errors.ts';
import { type Caller, ownerOf } from '../access/viewer.ts';
import { valueFault } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { PER_DAY, RECEIVERS_MAX } from './schema.ts';

type ReceiverContext = Pick<AppContext, 'database' | 'notifying' | 'scope'>;

export interface SentReceiver {
  readonly channel: ChannelName;
  readonly address: string;
  readonly keys?: Target | undefined;
  readonly quiet?: Quiet | undefined;
  readonly per_day?: number | undefined;
}

interface StoredReceiver {
  readonly id: string;
  readonly channel: ChannelName;
  readonly target: Target;
  readonly quiet: Quiet | null;
  readonly per_day: number;
  readonly failures: number;
  readonly disabled: string | null;
  readonly created_at: Date;
}

const COLUMNS = 'id, channel, target, quiet, per_day, failures, disabled, created_at';

/** Receivers of a caller, oldest first; all, or one. */
const readReceivers = (
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  id: string | null = null,
): Promise<StoredReceiver[]> =>
  database.query<StoredReceiver>(
    `select ${COLUMNS} from alert_receiver where owner = $1 and ($2::uuid is null or id = $2::uuid) order by created_at, id`,
    [ownerOf(caller) ?? '', id],
    { signal: callerLeft() },
  );

/** Keys are shown once, when a receiver is made. */
const wireReceiver = ({ target, ...rest }: StoredReceiver, secret: string | null = null) => ({
  ...rest,
  address: target.address!,
  secret,
});

export const listReceivers = async (context: Pick<AppContext, 'database'>, caller: Caller) => ({
  push_key: (await pushKeys(context.database)).public_key,
  receivers: (await readReceivers(context, caller)).map((row) => wireReceiver(row)),
});

/**
 * Keeps a receiver, new or in place of what it was. Another address gets another key, and is sent to again.
 *
 * @throws ValidationRefusal for an address that nothing may be sent to; CodedError conflict for more than are kept
 */
export async function putReceiver(
  context: ReceiverContext,
  id: string,
  { channel, address, keys, quiet, per_day = PER_DAY.byDefault }: SentReceiver,
  caller: Caller,
) {
  const { database, notifying, scope } = context;
  const [former] = await readReceivers(context, caller, id);
  const isSame = former?.channel === channel && former.target.address === address && keys === undefined;
  const secret = isSame ? undefined : CHANNELS[channel].secret?.();
  const target: Target = isSame ? former.target : { ...keys, address, ...(secret && { secret }) };
  const fault = CHANNELS[channel].fault(target, notifying);
  if (fault !== null) throw new ValidationRefusal([valueFault(['body', 'address'], address, fault)]);
  if (quiet !== undefined && !isTimeZone(quiet.time_zone)) {
    const says = `${quiet.time_zone} is no time zone; send a name such as America/New_York`;
    throw new ValidationRefusal([valueFault(['body', 'quiet', 'time_zone'], quiet.time_zone, says)]);
  }
  const [row] = await database.write<StoredReceiver>(
    `insert into alert_receiver as t (id, owner, channel, target, quiet, per_day, created_at)
     select $1::uuid, $2, $3, $4::json, $5::json, $6, $7::timestamptz
     where (select count(*) from alert_receiver where owner = $2 and id <> $1::uuid) < $8
     on conflict (id) do update set channel = excluded.channel, target = excluded.target, quiet = excluded.quiet,
       per_day = excluded.per_day, failures = case when $9 then t.failures else 0 end,
       disabled = case when $9 then t.disabled end
     where t.owner = excluded.owner returning ${COLUMNS}`,
    [
      id,
      ownerOf(caller) ?? '',
      channel,
      JSON.stringify(target),
      quiet === undefined ? null : JSON.stringify(quiet),
      per_day,
      new Date(scope.timers.now()),
      RECEIVERS_MAX,
      isSame,
    ],
  );
  if (row === undefined)
    throw new CodedError(
      'conflict',
      `You have ${RECEIVERS_MAX} receivers, and no more are kept; delete one first`,
    );
  return wireReceiver(row, secret);
}

const unknownReceiver = (id: string) =>
  new CodedError(
    'unknown_receiver',
    `You have no receiver ${id}; GET /api/graph/v1/alerts/receivers names yours`,
  );

/** @throws CodedError unknown_receiver */
export async function deleteReceiver({ database }: Pick<AppContext, 'database'>, id: string, caller: Caller) {
  const gone = await database.write<{ id: string }>(
    'delete from alert_receiver where owner = $1 and id = $2::uuid returning id',
    [ownerOf(caller) ?? '', id],
  );
  if (gone.length === 0) throw unknownReceiver(id);
  return { id };
}

/**
 * Sends a receiver a test at once. One that was disabled is sent to again once it takes it.
 *
 * @throws CodedError unknown_receiver
 */
export async function testReceiver(context: ReceiverContext, id: string, caller: Caller) {
  const { database, notifying, scope } = context;
  const [row] = await readReceivers(context, caller, id);
  if (row === undefined) throw unknownReceiver(id);
  const { timers } = scope;
  const message = {
    id: `test_${randomUUID()}`,
    type: 'alert.test',
    timestamp: new Date(timers.now()).toISOString(),
    subject: 'tigraph: a test',
    path: '/alerts',
    data: { says: 'This is a test: alerts will come like this.' },
  } as const;
  try {
    await CHANNELS[row.channel].send(row.target, message, { database, notifying, timers });
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    return { delivered: false, says: `It did not arrive: ${error.message}` };
  }
  await database.write('update alert_receiver set failures = 0, disabled = null where id = $1::uuid', [id]);
  return { delivered: true, says: 'It arrived.' };
}
