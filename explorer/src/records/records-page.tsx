import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Claim, type ClaimRecord, claimsQuery, recordsQuery } from '../shared/api/queries.ts';
import { dayOf, type Instant, minuteOf, noonOf, wordsOf } from '../shared/instant.ts';
import { familyWords, fullName, inWords } from '../shared/levels.ts';
import { recordWords, reliabilityWords, VERBS } from '../shared/records.ts';
import { ABSENT, RECORDED } from '../shared/sentences.ts';
import { More } from '../shared/ui/more.tsx';
import { formatNumber, formatPrice } from '../shared/ui/number.tsx';
import { Answered, Missing } from '../shared/ui/states.tsx';
import { TabList } from '../shared/ui/tab-list.tsx';
import { Table } from '../shared/ui/table.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { BuildRecords } from './build-records.tsx';
import './records.css';

type Kind = Exclude<ClaimRecord['kind'], 'swing_playbook'>;
/** A playbook belongs to one list however long it holds. */
const kindOf = ({ kind }: Pick<ClaimRecord, 'kind'>): Kind => (kind === 'swing_playbook' ? 'playbook' : kind);
const KINDS = Object.fromEntries(
  Object.keys(VERBS)
    .map((kind) => kindOf({ kind: kind as ClaimRecord['kind'] }))
    .map((kind) => [kind, `${inWords(kind)}s`]),
) as Record<Kind, string>;

/** Kinds of day as they were a minute before a claim. */
const OF_DAY = {
  trending: 'trending so far',
  rotational: 'rotational so far',
  uncertain: 'undecided so far',
} as const;
/** What could be read before the open, and of claims within a session also the kind of day. */
const REGIMES = {
  COMPLACENT: 'VIX complacent',
  NORMAL: 'VIX normal',
  ELEVATED: 'VIX elevated',
  EXTREME_FEAR: 'VIX in extreme fear',
  long_gamma: 'index long gamma',
  neutral_gamma: 'index neutral gamma',
  short_gamma: 'index short gamma',
  ...OF_DAY,
} as const;
const WITHIN_A_DAY: ReadonlySet<Kind> = new Set(['level', 'playbook']);

const VERDICTS: Readonly<Record<ClaimRecord['verdict'], string>> = {
  edge_shown: 'edge shown',
  no_edge_shown: 'no edge shown',
  worse_than_chance: 'worse than chance',
  too_few: 'too few',
  explored: 'explored',
};

const TONES: Readonly<Record<string, string>> = { edge_shown: 'up', worse_than_chance: 'down' };

/** What is called first, then by how far the interval of the edge is above nothing; what has no rate last. */
function byEvidence(one: ClaimRecord, other: ClaimRecord): number {
  const rank = ({ verdict, rate }: ClaimRecord): number =>
    verdict === 'edge_shown' ? 0 : rate === null ? 2 : 1;
  return (
    rank(one) - rank(other) ||
    (other.edge_low ?? -1) - (one.edge_low ?? -1) ||
    other.n - one.n ||
    (one.id < other.id ? -1 : 1)
  );
}

const nameOf = ({ kind, key }: ClaimRecord): string =>
  kind === 'level' ? familyWords(key) : inWords(key.replace(/\.(\d+)d$/, ', $1 sessions').replace('.', ', '));

/** How often what was claimed came true, and how often by chance. */
export function RecordsPage(): ReactNode {
  const { as_of: asOf } = useSearch({ from: '/records' });
  const [kind, setKind] = useState<Kind>('level');
  const [regime, setRegime] = useState('');
  const asked = useQuery(recordsQuery(asOf, regime));
  useTitle('Records');
  return (
    <div className="records-page">
      <h1>
        Records{' '}
        <small>
          {asked.data === undefined ? '' : `of what closed by ${wordsOf(Date.parse(asked.data.as_of))}`}
        </small>
      </h1>
      <p className="note">
        How many claims came true, with a 95 % interval over dates; the tick is how many would have by chance.
      </p>
      <TabList className="panel-head" label="Kind" titles={KINDS} chosen={kind} onChoose={setKind} />
      <label className="regime">
        Days{' '}
        <select value={regime} onChange={({ target }) => setRegime(target.value)}>
          <option value="">all</option>
          {Object.entries(REGIMES).map(([value, words]) => (
            <option key={value} value={value} disabled={value in OF_DAY && !WITHIN_A_DAY.has(kind)}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Answered asked={asked} rows={14}>
        {({ records, best }) => (
          <>
            {best
              .filter((own) => kindOf(own) === kind)
              .map(({ says }) => (
                <p className="note" key={says}>
                  {says}
                </p>
              ))}
            {records.some(({ simulated }) => simulated) ? <Recorded kind={kind} /> : null}
            <RecordList
              records={records.filter((record) => kindOf(record) === kind)}
              isChosen={regime !== ''}
              asOf={asOf}
            />
          </>
        )}
      </Answered>
    </div>
  );
}

/** What recorded markets showed of a kind, beside a made-up one that is evidence of none. */
function Recorded({ kind }: { readonly kind: Kind }): ReactNode {
  const known = RECORDED.records.filter((record) => record.kind === kind);
  if (known.length === 0) return null;
  return (
    <section className="recorded" aria-label="Recorded markets">
      <h2>
        Recorded markets <small>of their sessions up to {dayOf(noonOf(RECORDED.until))}</small>
      </h2>
      <ul>
        {known.map(({ words, n, chance, true: held }) => (
          <li key={words}>
            {words}: {formatNumber((100 * held) / n, 0)} % of {n.toLocaleString('en-US')} {VERBS[kind]},
            chance {chance} %
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RecordListProps {
  readonly records: readonly ClaimRecord[];
  /** Whether only some days are looked at. */
  readonly isChosen: boolean;
  readonly asOf: Instant;
}

function RecordList({ records, isChosen, asOf }: RecordListProps): ReactNode {
  const [open, setOpen] = useState<string | null>(null);
  if (records.every(({ n }) => n === 0))
    return (
      <Missing reason={isChosen ? ABSENT.recordsChosen : ABSENT.records} height={120}>
        {isChosen ? null : <BuildRecords />}
      </Missing>
    );
  const isSimulated = records.some(({ simulated }) => simulated);
  return (
    <>
      {records.every(({ verdict }) => verdict === 'too_few') && !isChosen ? <BuildRecords /> : null}
      {isSimulated ? <p className="note warn">SIMULATED data: no evidence about any market.</p> : null}
      <ul className="records">
        {records.toSorted(byEvidence).map((record) => (
          <li key={record.id}>
            <button
              type="button"
              className="record"
              aria-expanded={open === record.id}
              data-tip={open === record.id ? undefined : record.says}
              onClick={() => setOpen(open === record.id ? null : record.id)}
            >
              <span className="name">{nameOf(record)}</span>
              <Scale record={record} />
              {/* The note above says of all that they are simulated. */}
              <span className="counts">{recordWords({ ...record, simulated: false })}</span>
              <em className={TONES[record.verdict]}>
                {/* Counts that are too few say so. */}
                {record.low === null && record.verdict === 'too_few' ? '' : VERDICTS[record.verdict]}
              </em>
            </button>
            {open === record.id ? <Claims record={record} asOf={asOf} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ScaleProps {
  readonly record: ClaimRecord;
}

/** Rate, interval and chance from 0 to 100 %; grey where no edge is called. */
function Scale({ record: { rate, low, high, chance, verdict } }: ScaleProps): ReactNode {
  if (rate === null || low === null || high === null || chance === null)
    return <span className="scale hatched" aria-hidden="true" />;

  return (
    <span className={`scale ${TONES[verdict] ?? ''}`} aria-hidden="true">
      <i className="interval" style={{ left: `${100 * low}%`, width: `${100 * (high - low)}%` }} />
      <i className="rate" style={{ left: `${100 * rate}%` }} />
      <i className="chance" style={{ left: `${100 * chance}%` }} />
    </span>
  );
}

const OUTCOMES = { false: 'Misses', true: 'Hits', all: 'All' } as const;

/** The claims behind a record, each a way to the chart at its minute. */
function Claims({ record, asOf }: { readonly record: ClaimRecord; readonly asOf: Instant }): ReactNode {
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>('false');
  const asked = useInfiniteQuery(claimsQuery(record.id, outcome, asOf));
  return (
    <div className="claims">
      <p>
        {record.says} {reliabilityWords(record)}
      </p>
      <TabList label="Claims" titles={OUTCOMES} chosen={outcome} onChoose={setOutcome} />
      <Answered asked={asked} rows={4}>
        {({ pages }) => <ClaimTable record={record} claims={pages.flatMap(({ events }) => events)} />}
      </Answered>
      <More asked={asked} words="Older" />
    </div>
  );
}

interface ClaimTableProps {
  readonly record: ClaimRecord;
  readonly claims: readonly Claim[];
}

function ClaimTable({ record, claims }: ClaimTableProps): ReactNode {
  if (claims.length === 0) return <Missing reason="There is none." />;
  return (
    <Table
      heads={['Stock', 'When', 'Claim', 'Price', 'Outcome']}
      caption={<caption className="visually-hidden">Claims, the newest first</caption>}
    >
      {claims.map((claim) => (
        <tr key={`${claim.symbol} ${claim.begun_at} ${claim.claim}`}>
          <th scope="row">
            <Link
              to="/stocks/$symbol"
              params={{ symbol: claim.symbol }}
              search={{ as_of: minuteOf(Date.parse(claim.decided_at ?? claim.begun_at)) }}
            >
              {claim.symbol}
            </Link>
          </th>
          <td>{wordsOf(Date.parse(claim.begun_at))}</td>
          <td>{record.kind === 'level' ? fullName(claim.claim) : claim.claim.replaceAll(',', ', ')}</td>
          <td>{claim.price === null ? '–' : formatPrice(claim.price)}</td>
          <td>{outcomeOf(claim)}</td>
        </tr>
      ))}
    </Table>
  );
}

const OUTCOME: Readonly<Record<string, string>> = {
  true: 'hit',
  false: 'missed',
  undecided: 'undecided',
  gap: 'hole in the bars',
  open: 'open',
};

function outcomeOf({ outcome, ambiguous, r }: Claim): string {
  const words =
    r === null ? OUTCOME[outcome] : `${r > 0 ? 'made' : 'lost'} ${formatNumber(Math.abs(r), 2)} R`;
  return `${words}${ambiguous ? ', both ways in one bar' : ''}`;
}
