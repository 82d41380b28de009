import type { AnyFact, InsiderTransaction } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import { inventedWord } from './simulated-company.ts';
import type { Stream } from './simulated-random.ts';
import { closeOn, type Life, MINUTE_MS, returnBefore, rounded, streamOf, traitOf } from './simulated-life.ts';

const TITLES = [
  'Chief Executive Officer',
  'Chief Financial Officer',
  'Director',
  'General Counsel',
  'Chief Operating Officer',
];
/** Chance of a transaction in a session: some six a year. */
const CHANCE = 0.024;
/** A Form 4 is due on the second business day after the transaction. */
const FILED_SESSIONS_AFTER = 2;
/** Chances of the codes in an ordinary time: sale, grant, exercise, withheld for tax; the rest are purchases. */
const SALE = 0.42;
const GRANT = 0.6;
const EXERCISE = 0.73;
const TAX = 0.87;

/** Transactions of five insiders from a session on; they buy more after falls and sell more after rises. */
export function insiderFacts(life: Life, fromSession: number): AnyFact[] {
  const { schedule, path } = life;
  const stream = streamOf(life, 'insiders');
  const facts: AnyFact[] = [];
  for (
    let session = Math.max(fromSession, path.firstSession + 1);
    session < path.firstSession + path.rows;
    session++
  ) {
    const drawn = stream(schedule.day[session]!);
    if (drawn.uniform() >= CHANCE) continue;
    const filed = schedule.sessions[session + FILED_SESSIONS_AFTER];
    if (filed === undefined) continue;
    const knownAt = filed.close + Math.floor(30 + 150 * drawn.uniform()) * MINUTE_MS;
    facts.push(factOf('insider_transaction', knownAt, transaction(life, session, drawn)));
  }
  return facts;
}

function transaction(life: Life, session: number, drawn: Stream): InsiderTransaction {
  const row = session - life.path.firstSession;
  const who = Math.floor(drawn.uniform() * TITLES.length);
  const code = codeOf(drawn.uniform(), returnBefore(life, row, 60));
  const close = closeOn(life, row, row);
  const dollars = 40_000 * Math.exp(1.2 * drawn.normal()) * (code === 'P' ? 1 : 3);
  const given = code === 'A';
  return {
    date: life.schedule.sessions[session]!.tradeDate,
    owner: ownerOf(life, who),
    title: TITLES[who]!,
    code,
    shares: Math.max(10, Math.round(dollars / close)),
    price: given ? null : rounded(code === 'M' ? 0.6 * close : close * (1 + 0.002 * drawn.normal()), 2),
    direction: code === 'S' || code === 'F' ? 'disposed' : 'acquired',
  };
}

/** A fall moves chance from sales to purchases, a rise the other way. */
function codeOf(share: number, trend: number): string {
  const leaning = Math.min(0.25, Math.max(-0.25, trend));
  const moved = share - leaning * 0.6;
  if (moved < SALE) return 'S';
  if (moved < GRANT) return 'A';
  if (moved < EXERCISE) return 'M';
  return moved < TAX ? 'F' : 'P';
}

function ownerOf(life: Life, who: number): string {
  const word = (purpose: string): string =>
    inventedWord((part) => traitOf(life, part), `insider ${who} ${purpose}`);
  return `${word('given')} ${word('family')} (simulated)`;
}
