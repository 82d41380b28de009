import { gapMinutesOf, newTrack, outcomeOf, trackBars } from '../../analysis/level-state.ts';
import { madeInMinutes } from '../../analysis/levels.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { Type } from '../../base/type.ts';
import { defineAlert } from '../kind.ts';
import type { Moment } from '../moment.ts';
import { fieldName, quantity } from '../words.ts';

const ATR = 'technical.daily_atr.14';
/** Levels that hold still over a session; those that move with price are crossed. */
const STILL =
  /^levels\.(?:pivot_\w+|cpr_\w+|ib_(?!range|developing)\w+|orb_\d+m_(?:high|low)|pd[hlc]|prior_\w+_(?:high|low)|prior_(?:poc|vah|val)|overnight_\w+)$/;

const parameters = Type.Object(
  {
    became: Type.Enum(['touched', 'held', 'broken'], {
      default: 'broken',
      description: 'What becomes of it, as the ladder says it.',
    }),
    price: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'A price of your own; else `level`.' }),
    ),
    level: Type.Optional(
      Type.String({
        maxLength: 120,
        'x-field': true,
        examples: ['levels.pdh'],
        description: 'A level that holds still over the session, such as levels.pdh.',
      }),
    ),
  },
  { additionalProperties: false },
);

const FATES = { breaks: 'broken', holds: 'held', touches: 'touched' };

/** What became of a level at the moment before. `atr` is that of the session before, which the close must not move. */
interface State {
  readonly atr: number | null;
  readonly touched: boolean;
  readonly holds: number;
  readonly broken: boolean;
}

const UNSEEN = { touched: false, holds: 0, broken: false };

function stateAt(moment: Moment, price: number, fromMinute: number, atr: number | null): State {
  const { bars, rows, barMs, session, at } = moment;
  if (atr === null || !(atr > 0) || !(price > 0) || rows === 0) return { atr, ...UNSEEN };
  const track = newTrack();
  const gapMinutes = gapMinutesOf(barMs / MINUTE_MS);
  trackBars(track, { bars, atr, gapMinutes }, price, { from: 0, to: rows }, fromMinute);
  const { state, touched, holds } = outcomeOf(track, bars, at >= session.close ? rows - 1 : -1);
  return { atr, touched: touched >= 0, holds, broken: state === 'broken' };
}

/** A level of the ladder or a price of one's own is touched, holds or breaks, by the definitions of the ladder and the records. */
export const level = defineAlert({
  name: 'level',
  title: 'a level is touched, holds or breaks',
  description:
    'A level, or a price of your own, is touched, held (price went 0.25 ATR back) or broken (0.25 ATR beyond) in the regular session, as the ladder and the [records](records.md) say it. VWAP, averages and the developing profile move: those are crossed.',
  parameters,
  example: { became: 'broken', level: 'levels.pdh' },
  phrases: [
    { pattern: /^(?<became>breaks|holds|touches)\s+(?<price>.+)$/, words: FATES, example: 'breaks 219.80' },
    {
      pattern: /^(?<became>breaks|holds|touches)\s+(?<level>.+)$/,
      words: FATES,
      example: 'holds the prior day low',
    },
  ],
  check({ price, level: path }) {
    if ((price === undefined) === (path === undefined))
      return ['It watches a `price` or a `level`: send one of them.'];
    if (path === undefined || STILL.test(path)) return [];
    return [`${path} is no level that holds still over a session; use the kind crosses for it.`];
  },
  fields: ({ level: path }) => [ATR, 'last_price', ...(path === undefined ? [] : [path])],
  judge({ became, price, level: path }, before: State | null, moment, isFirst) {
    const own = moment.number(ATR);
    const atr = isFirst || before === null ? (Number.isNaN(own) ? null : own) : before.atr;
    const past = isFirst || before === null ? UNSEEN : before;
    const made = path === undefined ? 0 : madeInMinutes(path.slice('levels.'.length));
    // A range that forms is not what price comes to.
    const isMade = moment.at >= moment.session.open + made * MINUTE_MS;
    const at = path === undefined ? price! : isMade ? moment.number(path) : Number.NaN;
    const state = stateAt(moment, at, made, atr);
    const isNew = {
      touched: state.touched && !past.touched,
      held: state.holds > past.holds,
      broken: state.broken && !past.broken,
    }[became];
    if (!isNew) return { state, fired: null };
    const name = path === undefined ? quantity(at) : `${fieldName(path)} (${quantity(at)})`;
    const times = became === 'held' && state.holds > 1 ? ` ${state.holds}x` : '';
    const now = quantity(moment.number('last_price'));
    return { state, fired: `${name} ${became}${times}, price ${now}` };
  },
  sentence: ({ became, price, level: path }) =>
    `${path === undefined ? quantity(price!) : fieldName(path)} is ${became}`,
});
