import { MINUTE_MS } from '../../base/dates.ts';
import { Type } from '../../base/type.ts';
import { defineAlert } from '../kind.ts';

const parameters = Type.Object(
  {
    minutes: Type.Integer({
      minimum: 2,
      maximum: 120,
      default: 5,
      description: 'Minutes of the session without a bar.',
    }),
  },
  { additionalProperties: false },
);

interface State {
  /** End of the newest bar; of none the open. */
  readonly last: number;
  readonly isSaid: boolean;
}

/** No bar has come for some minutes of the session: of a busy stock, its feed is silent. */
export const silent = defineAlert({
  name: 'silent',
  title: 'falls silent',
  description:
    'No bar comes for some minutes of the regular session. Of a stock that trades in each minute, such as SPY, its feed has fallen silent.',
  parameters,
  example: { minutes: 5 },
  phrases: [
    {
      pattern: /^(?:is silent|has no (?:bar|trade))(?:\s+for)?\s+(?<minutes>\d+)\s*(?:min|minutes|m)$/,
      example: 'has no trade for 5 minutes',
    },
  ],
  countsSilence: true,
  fields: () => [],
  judge({ minutes }, before: State | null, { at, isBar, session }, isFirst) {
    if (isBar) return { state: { last: at, isSaid: false }, fired: null };
    const { last, isSaid } = isFirst || before === null ? { last: session.open, isSaid: false } : before;
    const due = last + minutes * MINUTE_MS;
    if (isSaid || at < due || due > session.close) return { state: { last, isSaid }, fired: null };
    return { state: { last, isSaid: true }, fired: `no bar for ${minutes} minutes`, at: due };
  },
  sentence: ({ minutes }) => `no bar comes for ${minutes} minutes`,
});
