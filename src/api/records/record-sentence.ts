import type { Verdict } from '../../analysis/records/verdicts.ts';
import { EDGE_MIN } from '../../records/estimate/estimate.ts';
import { FEWEST } from '../../records/estimate/record.ts';
import { RECORD_KINDS } from '../../records/index.ts';
import { inWords, withoutHorizon } from '../../records/kind.ts';
import { levelName } from '../../records/level.ts';
import type { WireBest, WireRecord } from './load-records.ts';

/** What a record says to a trader, in his words and with its counts. */

const VERDICT: Readonly<Record<Exclude<Verdict, 'too_few'>, string>> = {
  edge_shown: 'Edge shown',
  no_edge_shown: 'No edge shown',
  worse_than_chance: 'Worse than chance',
  explored: 'A filter of your own: no verdict',
};

const SIMULATED = ' SIMULATED data: no evidence about any market.';

const count = (value: number): string => value.toLocaleString('en-US');
const whole = (share: number): string => `${Math.round(100 * share)}`;
const points = (edge: number): string => {
  const value = Math.round(100 * edge);
  return `${value > 0 ? '+' : ''}${value === 0 ? 0 : value}`;
};
const inR = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(2)} R`;
const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`;

/** The best of those tested, and how often the best of as many without an edge looks as good. */
export function bestSentence({ kind, key, edge, p, of, simulated }: WireBest): string {
  const { tested: cells, cell = inWords } = RECORD_KINDS[kind].says;
  const tested = `Of ${of} ${cells} tested`;
  const note = simulated ? SIMULATED : '';
  if (edge <= EDGE_MIN) return `${tested} none was a point better than chance.${note}`;
  const sessions = /\.(\d+)d$/.exec(key)?.[1];
  const within = sessions === undefined ? '' : ` over ${plural(Number(sessions), 'session')}`;
  const best = cell(withoutHorizon(key));
  const often = p < 0.01 ? 'less than once' : plural(Math.round(100 * p), 'time');
  const over = `${points(edge)} ${Math.round(100 * edge) === 1 ? 'point' : 'points'} over chance`;
  return `${tested} the best is ${best}${within}, ${over}; by luck alone the best looks as good ${often} in 100.${note}`;
}

/** Where other families stand at the same prices, an edge of theirs is one of these. */
function sharedSentence(shared: WireRecord['shared_with']): string[] {
  const said = shared.map(({ key, share }) => `${levelName(key)} ${whole(share)} %`);
  return said.length === 0 ? [] : [`Touches of other families too: ${said.join(', ')}.`];
}

export function recordSentence(record: WireRecord): string {
  const { kind, n, dates, rate, low, high, chance, horizon_sessions: sessions } = record;
  const { says } = RECORD_KINDS[kind];
  const subject = says.subject(record.key);
  const of = `${count(record.true)} of ${count(n)}`;
  const what = says.counted === undefined ? '' : ` ${says.counted(n)}`;
  const within = sessions === 0 ? '' : ` within ${plural(sessions, 'session')}`;
  const simulated = record.simulated ? SIMULATED : '';
  if (rate === null) {
    const fewest = `${FEWEST.rate.events} on ${FEWEST.rate.dates} dates and ${FEWEST.edge.controls} controls`;
    return `${subject} ${of}${what}${within}: too few, ${plural(n, 'event')} on ${plural(dates, 'date')}; a rate takes ${fewest}.${simulated}`;
  }
  const interval = `(${whole(rate)} %, ${whole(low!)} to ${whole(high!)})`;
  const verdict = record.verdict === 'too_few' ? 'Too few dates for a verdict' : VERDICT[record.verdict];
  const edge =
    record.edge_low === null ? '' : ` (${points(record.edge_low)} to ${points(record.edge_high!)} points)`;
  return [
    `${subject} ${of}${what}${within} ${interval} on ${plural(dates, 'date')}.`,
    `Chance ${whole(chance!)} %.`,
    ...(record.mean_r === null ? [] : [`Mean ${inR(record.mean_r)}, chance ${inR(record.chance_r!)}.`]),
    `${verdict}${edge}.`,
    ...sharedSentence(record.shared_with),
    ...(record.undecided + record.gap === 0 ? [] : [`${count(record.undecided + record.gap)} undecided.`]),
    ...(record.tested === 0 || record.verdict === 'too_few' ? [] : [`1 of ${record.tested} tested.`]),
    `Formula ${record.formula_version}, unchanged since ${record.released_at}: ${count(record.since.n)} of these since.`,
  ]
    .join(' ')
    .concat(simulated);
}
