import type { ReactNode } from 'react';
import type { Stock } from '../shared/api/queries.ts';
import { dayOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { WARNINGS } from '../shared/sentences.ts';
import { Panel } from '../shared/ui/panel.tsx';

/** A gate that no fund or index can have asks nothing of its reader. */
const NO_WARNING = /_gate_not_applicable$/;

/** What a warning says; scores that are old have their day, which two warnings may speak of. */
function warningWords(warning: string, { confluence_v5, updated_at }: Stock): string | null {
  if (!/^(?:score|conviction)_stale$/.test(warning)) return WARNINGS[warning] ?? inWords(warning);
  // Where there is no score none is old.
  if (confluence_v5 == null || (confluence_v5.bull === null && confluence_v5.bear === null)) return null;
  // They are no newer than the prices that they were computed from.
  return `Scores are of ${dayOf(Math.min(Date.parse(confluence_v5.computed_at), Date.parse(updated_at)))}`;
}

const MARKS: Readonly<Record<string, readonly [tone: string, sign: string]>> = {
  passed: ['up', '✓'],
  failed: ['down', '✕'],
};

function Mark({ status }: { readonly status: string }): ReactNode {
  const [tone, sign] = MARKS[status] ?? [undefined, '?'];
  return (
    <span className={tone} aria-hidden="true">
      {sign}
    </span>
  );
}

/** Gates, warnings and the day's kind: what stands between a score and a trade. */
export function Standing({ stock }: { readonly stock: Stock }): ReactNode {
  const gates = stock.entry_v2?.gates ?? [];
  const failed = gates.filter(({ status }) => status !== 'passed');
  const warnings = (stock.score_warnings ?? []).filter((warning) => !NO_WARNING.test(warning));
  const said = [...new Set(warnings.flatMap((warning) => warningWords(warning, stock) ?? []))];
  const { day_context: day } = stock;
  return (
    <Panel
      label="Gates and warnings"
      title="Gates"
      small={
        gates.length === 0
          ? 'judged while the market is open'
          : failed.length === 0
            ? `all ${gates.length} passed`
            : `${failed.length} of ${gates.length} not passed`
      }
    >
      <ul className="gates">
        {gates.map(({ gate, status, reason }) => (
          <li key={gate}>
            <Mark status={status} />{' '}
            <button type="button" className="plain" data-tip={reason}>
              {inWords(gate)}
            </button>
            {status === 'passed' ? null : <small>{reason}</small>}
          </li>
        ))}
      </ul>
      {warnings.length === 0 ? null : (
        <ul className="warnings caution">
          {said.map((warning) => (
            <li key={warning}>⚠ {warning}</li>
          ))}
        </ul>
      )}
      {day === null || day === undefined ? null : (
        <p className="day">
          {inWords(day.day_type)} day · {inWords(day.day_type_detail).toLowerCase()}
          {day.strategy_bias === null ? '' : ` · ${inWords(day.strategy_bias).toLowerCase()}`}
        </p>
      )}
    </Panel>
  );
}
