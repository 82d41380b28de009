import { appendFileSync } from 'node:fs';

/**
 * Places in the program behind each durable step, with what is safe there and what is not yet. With
 * `TIGRAPH_FAULT=NAME:N` the process kills itself at the N-th passage, as a power cut would; a test does so at each.
 */
export const FAULT_POINTS = {
  'cluster.written': 'The files of a new database are synced under another name; there is no database yet.',
  'cluster.renamed': 'A new database has its name; it is empty.',
  'database.written': 'The embedded server has written to a file; nothing of that need be on the disk.',
  'database.synced':
    'The embedded server has synced a file; where it was the log, a commit holds of which nobody was told.',
  'migration.committed': 'A migration has changed the schema, and is noted; later ones are missing.',
  'installation.named': 'The installation has its identifier.',
  'prefix.marked': 'The prefix of a bucket is marked as that of the installation; no segment lies there.',
  'segment.written': 'A segment file is written under another name; nothing of it need be on the disk.',
  'segment.synced': 'A segment file is on the disk under another name.',
  'segment.renamed': 'A segment file has its name; the name need not be on the disk.',
  'segment.stored': 'A segment file is safe; the manifest does not name it.',
  'segment.uploaded': 'A segment file is safe in the bucket; the manifest does not name it.',
  'upload.part-written': 'A part of a file that is brought over HTTP is in a file; its caller has no answer.',
  'manifest.committed':
    'Segments, rows, chains, facts and finished units of one flush are visible, and what they touch is due; nothing of it is derived.',
  'minutes.committed': 'Minutes of the running session are on the tape; nothing of them is derived.',
  'minute-market.stored': 'The market at a minute is stored; no stock-day of that minute is.',
  'alerts.judged':
    'What rules made of a minute is stored: firings, their deliveries, what rules remember; nothing is delivered.',
  'alerts.attempted': 'An alert may have reached its receiver; the outbox does not say so.',
  'alerts.delivered': 'The outbox says what became of a delivery.',
  'minutes.forgotten': 'Minutes of ended sessions are gone: their rows lie in segments.',
  'session.finalized':
    'Rows of an ended session are visible in a segment, and are rows of the database no more.',
  'touched.cleared': 'What was derived is due no more.',
  'days.committed':
    'Some stock-days are stored with facts, screen rows, nodes and edges, and announced; others of the pass are not.',
  'peers.claimed': 'Dates are marked as being measured against their peers; nothing is measured.',
  'topology.committed': 'The peers of a month are stored with their edges; no date is measured.',
  'peer-days.committed': 'Some divergences of a date are stored; the date counts as unmeasured.',
  'peers.measured': 'A date is measured and announced; its stock-days may be older.',
  'peers.settled': 'All stock-days of measured dates follow from the new divergences.',
  'markets.committed': 'Markets of dates are stored; their stock-days may be older.',
  'markets.settled': 'All stock-days of dates follow from the new markets.',
  'markets.compared': 'Dates whose market another process has replaced meanwhile are due again.',
  'catalogue.stored': 'The fields of screen rows are known; older stock-days may lack rows of them.',
  'screen-rows.filled': 'Some older stock-days have their screen row; the catalogue counts as unfilled.',
  'catalogue.filled': 'Every stock-day has a screen row of the catalogue.',
  'state-years.committed': 'Some years of states are stored; their symbols still count as outdated.',
  'state-sources.committed': 'The states of some symbols are up to date.',
  'histories.committed':
    'The scalar values of a stock in a quarter are stored for histories; those of others are not.',
  'claims.committed':
    'Claims of some trade dates are stored, of whole symbol-days with their sums; the dates still count as touched.',
  'playbooks.committed': 'The playbooks of the library are nodes.',
  'text-model.committed': 'A model of embeddings is known; no text has its vector.',
  'text-vectors.committed': 'Some texts have their vectors; others have none.',
  'text-model.completed': 'Every text has its vector; vectors of older models remain.',
  'text-vectors.dropped': 'Some vectors of an older model are gone; the model is still known.',
  'text-model.dropped': 'An older model is gone with all of its vectors.',
  'days.dropped': 'Some stock-days that are no longer kept are gone; others remain.',
  'date.dropped': 'The market and the divergences of a date that is no longer kept are gone.',
  'month.created': 'A month has its partitions on a PostgreSQL server; they are empty.',
  'month.dropped': 'The partitions of a month that is no longer kept are gone from a PostgreSQL server.',
  'client.created': 'A client is stored; its secret has not been shown.',
  'client.revoked': 'A client is revoked, and announced; the command has not said so.',
  'grant.created': 'A grant is stored; its identifier has not been shown.',
  'grant.revoked': 'A grant is revoked, and announced; the command has not said so.',
  'signing-key.rotated': 'A new key signs; no token of it has been given out.',
  'signing-keys.dropped': 'No key is stored: every token has ended.',
  'audit.saved': 'Calls of token holders are in the audit trail; their number is not in the budgets.',
  'usage.saved': 'The calls of grants count in their budgets.',
  'run.queued': 'A backtest run is queued; its caller has no answer.',
  'run.taken': 'A run is leased to this process; nothing of it is computed.',
  'run.noted': 'A run knows the data that it is computed from.',
  'run.advanced': 'The lease and the progress of a run are renewed.',
  'slice.written': 'The outcome of a symbol is written under another name.',
  'slice.stored': 'The outcome of a symbol has its name: it is not computed again.',
  'run.ended': 'A run is completed or failed, and announced; its files remain.',
  'run.released': 'A run is queued again with what is computed of it.',
  'run.cancelled': 'A run is cancelled, and announced; its caller has no answer.',
  'runs.expired': 'Runs that ended long ago are gone; their files may remain.',
  'slice.committed': 'A worker has stored the outcome of a symbol in the database; the leader has no answer.',
  'slices.dropped': 'The outcomes of an ended run are gone from the database.',
  'announcements.published': 'Announcements went over the bus, and out of the database.',
  'backup.claimed': 'The place of a backup is empty and locked; it holds no record, and so no backup.',
  'backup.copied': 'The embedded database is copied beside the backup; nothing of it is in the backup.',
  'backup.table-stored': 'The rows of a table are in the backup; it has no record.',
  'backup.segment-stored': 'A segment is in the backup; it has no record.',
  'backup.part-stored': 'A part of a large file is in the bucket; the file is not.',
  'backup.recorded': 'The record is stored, and with it the backup is whole; the lock remains.',
  'backup.unlocked': 'The backup is whole and unlocked; the command has not said so.',
  'restore.marked': 'The data directory is marked as half restored; nothing is in it.',
  'restore.named': 'The identifier of the restored installation is chosen.',
  'restore.emptied': 'What an interrupted restore had left is gone.',
  'restore.segment-stored': 'A segment is on the tape; no row is in the database.',
  'restore.rows-loaded': 'Some rows are in the database; the directory counts as half restored.',
  'restore.committed': 'All rows are in the database and proven; the directory counts as half restored.',
  'restore.unmarked': 'The store is restored; its schema may be that of an older program.',
} as const;

export type FaultPoint = keyof typeof FAULT_POINTS;

/** What `TIGRAPH_FAULT` may be: a point and a passage, or a file that gets the name of each point that is passed. */
export const FAULT_PATTERN = `^((${Object.keys(FAULT_POINTS).join('|').replaceAll('.', '\\.')}):[1-9]\\d*|trace:.+)$`;

interface Fault {
  readonly name: string;
  /** A passage of the point; for `trace` a file. */
  readonly what: string;
}

/** The settings refuse a wrong one; threads have no settings, and read the variable itself. */
const fault = faultOf(process.env.TIGRAPH_FAULT?.trim() ?? '');
/** Of the point in this thread: each counts its own. */
let passages = 0;

function faultOf(text: string): Fault | null {
  if (!new RegExp(FAULT_PATTERN).test(text)) return null;
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), what: text.slice(colon + 1) };
}

/** Says that a durable step has been done; without `TIGRAPH_FAULT` it does nothing. */
export function at(point: FaultPoint): void {
  if (fault !== null) pass(fault, point);
}

function pass({ name, what }: Fault, point: FaultPoint): void {
  if (name === 'trace') appendFileSync(what, `${point}\n`);
  else if (name === point && ++passages === Number(what)) process.kill(process.pid, 'SIGKILL');
}
