/** What Node, SQLite and PostgreSQL say of it; the embedded server's last lines come as text alone. */
const WORDS = /no space left on device|disk is full/i;
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', '53100']);

/** Whether a full disk is at the bottom of an error, whoever met it: a file of ours, a lock, or the database. */
export function isDiskFull(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (CODES.has((each as NodeJS.ErrnoException).code) || WORDS.test(each.message)) return true;
  }
  return false;
}
