import { useQuery } from '@tanstack/react-query';
import { type ClaimRecord, recordsQuery } from './api/queries.ts';
import type { Instant } from './instant.ts';

/** How often what is claimed came true, beside the claim. */

const whole = (share: number): string => `${Math.round(100 * share)}`;
export const VERBS: Readonly<Record<ClaimRecord['kind'], string>> = {
  level: 'held',
  pattern: 'reached the target',
  playbook: 'made money',
  swing_playbook: 'made money',
  score: 'beat the median',
  divergence: 'closed',
  expiration: 'beat the premium',
  expected_move: 'stayed within',
};

/** `203 of 412 held, 43 to 56 %, chance 47`; with too few `88 of 258 held (1 day: too few)`. */
export function recordWords({
  kind,
  n,
  dates,
  low,
  high,
  chance,
  simulated,
  ...record
}: Pick<ClaimRecord, 'kind' | 'n' | 'dates' | 'true' | 'low' | 'high' | 'chance' | 'simulated'>): string {
  const counted = `${record.true.toLocaleString('en-US')} of ${n.toLocaleString('en-US')} ${VERBS[kind]}`;
  if (n === 0) return 'none yet';
  const note = simulated ? ', simulated data' : '';
  if (low === null || high === null || chance === null)
    return `${counted} (${dates} ${dates === 1 ? 'day' : 'days'}: too few)${note}`;
  return `${counted}, ${whole(low)} to ${whole(high)} %, chance ${whole(chance)}${note}`;
}

/** Fewer stocks of about one score are no share. */
const BIN_MIN = 30;

/** How many of the highest and of the lowest scored came true, beside the score; empty for what is no probability. */
export function reliabilityWords({ key, reliability }: Pick<ClaimRecord, 'key' | 'reliability'>): string {
  const bins = (reliability?.bins ?? []).filter(({ n }) => n >= BIN_MIN);
  const [low, high] = [bins[0], bins.at(-1)];
  if (low === undefined || high === undefined || low === high) return '';
  const beat = key.startsWith('bearish') ? 'fell behind' : 'beat';
  const of = ({ forecast, observed }: typeof low): string =>
    `${whole(forecast)} on average, ${whole(observed)} in 100`;
  return `Of the highest scored, ${of(high)} ${beat} the median; of the lowest, ${of(low)}. Of a probability both numbers would agree.`;
}

/** Words for the record of an id; empty while it is not known, and where nothing was claimed yet. */
function useRecordWords(asOf: Instant): (id: string, of: string) => readonly string[] {
  const { data } = useQuery(recordsQuery(asOf));
  return (id, of) => {
    const record = data?.records.find((one) => one.id === id);
    return record === undefined || record.n === 0 ? [] : [`${of}: ${recordWords(record)}`];
  };
}

/** The record of an id in words; null while nothing was claimed. */
export function useRecord(asOf: Instant, id: string): string | null {
  const { data } = useQuery(recordsQuery(asOf));
  const record = data?.records.find((one) => one.id === id);
  return record === undefined || record.n === 0 ? null : recordWords(record);
}

/** The record of a level's family in words, and of the pattern whose boundary it is. */
export function useLevelRecord(
  asOf: Instant,
): (level: { readonly name: string; readonly family: string }) => readonly string[] {
  const wordsFor = useRecordWords(asOf);
  return ({ name, family }) => {
    const type = family === 'pattern' ? name.replace(/_(counter_)?trigger$/, '') : '';
    return [
      ...wordsFor(`level.${family}`, 'Such levels'),
      ...(type === '' ? [] : wordsFor(`pattern.${type}`, 'The pattern')),
    ];
  };
}

/** How often levels of a kind held against chance, in few words; null while nothing was claimed of them. */
export const rateWords = ({
  n,
  rate,
  chance,
  low,
}: Pick<ClaimRecord, 'n' | 'rate' | 'chance' | 'low'>): string | null =>
  n === 0
    ? null
    : rate === null || chance === null || low === null
      ? 'too few'
      : `held ${whole(rate)} %, chance ${whole(chance)}`;

/** The rate of a level's kind against chance. */
export function useLevelRate(asOf: Instant): (family: string) => string | null {
  const { data } = useQuery(recordsQuery(asOf));
  return (family) => {
    const record = data?.records.find(({ id }) => id === `level.${family}`);
    return record === undefined ? null : rateWords(record);
  };
}

/** The record of the trades of a playbook in words. */
export function usePlaybookRecord(asOf: Instant): (strategy: string) => readonly string[] {
  const wordsFor = useRecordWords(asOf);
  return (strategy) => [
    ...wordsFor(`playbook.${strategy}`, 'Such trades'),
    ...wordsFor(`swing_playbook.${strategy}`, 'Such trades'),
  ];
}
