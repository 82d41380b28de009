import { confluenceZones } from '../analysis/backtest/session-columns.ts';
import type { PlaybookInputs } from '../analysis/playbooks/inputs.ts';
import { PLAYBOOKS } from '../analysis/playbooks/library.ts';
import { matchPlaybooks, type PlaybookMatch, rewardRiskAt } from '../analysis/playbooks/match.ts';
import { PLAYBOOK_DIRECTIONS, textOf } from '../analysis/playbooks/playbook.ts';
import { sessionFigures } from '../analysis/playbooks/session-figures.ts';
import type { SessionPath } from '../analysis/scoring/session.ts';
import { inputInWords, say } from '../analysis/sentences.ts';
import { MINUTE_MS, type PriceRange, sliceBars } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, orNaN } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { type Known, nestedBlock } from './block.ts';
import { compression } from './compression.ts';
import { dayContext } from './day-context.ts';
import { instrumentOf } from './identity.ts';
import { levels } from './levels.ts';
import { type PlaybookParts, playbookInputs } from './playbook-inputs.ts';
import { priceVolume } from './price-volume.ts';
import { range3d } from './range-3d.ts';
import { record } from './record-beside.ts';
import { type ScoreState, scoreInputs, scoreState } from './score-inputs.ts';
import { technical } from './technical.ts';
import { volumeProfile } from './volume-profile.ts';

export const StrategyMatch = wire.record(
  'StrategyMatch',
  'One playbook that fits the stock at the instant.',
  {
    strategy: wire.string('Key of the playbook.'),
    name: wire.nullableString('Name of the playbook for people.'),
    direction: wire.oneOf(PLAYBOOK_DIRECTIONS, 'Direction that it would trade.'),
    match_score: wire.nullableNumber('How well the conditions are met, 0-100.', wire.HUNDRED),
    conditions_met: wire.listOf(wire.string('Condition.'), 'Conditions that hold.'),
    conditions_missed: wire.listOf(
      wire.string('Condition.'),
      'Conditions that do not hold or cannot be known.',
    ),
    trigger: wire.nullableNumber('Price that would start it, USD.'),
    stop: wire.nullableNumber('Price that would refute it, USD.'),
    target: wire.nullableNumber('Price that it aims at, USD.'),
    rr_ratio: wire.nullableNumber(
      'R, reward over risk of an entry at the trigger: the way to the target over the way to the stop; 1 at least, null without prices.',
    ),
    r_now: wire.nullableNumber(
      'R of an entry at the last price with the same stop and target; 1 at least, null where the playbook has no prices.',
    ),
    opposed_by: wire.listOf(
      wire.string('Key of a playbook.'),
      'Conflicts: playbooks that fit too and would trade the other way.',
    ),
    rationale: wire.nullableString('Why it fits, in a sentence that quotes its inputs.'),
    record,
  },
);

/** Playbooks that fit the stock now, best first; [] when none does and for an index, null without a last price. */
export const strategies = nestedBlock({
  name: 'strategies',
  include: 'strategies',
  schema: wire.listOf(StrategyMatch, 'Strategy match recommendations, best first.'),
  reads: [compression, dayContext, levels, priceVolume, range3d, scoreInputs, technical, volumeProfile],
  derive(view, known) {
    if (known(priceVolume).flat.last_price === null) return null;
    if (instrumentOf(view) === 'index') return [];
    const inputs = strategyInputs(view, known);
    return matchPlaybooks(inputs).map((match) => wireMatch(match, inputs));
  },
  // One node for each playbook; its fit on a stock-day belongs to the edge.
  relate: (matches) =>
    matches.flatMap(
      ({ strategy, match_score, direction, trigger, stop, target, rr_ratio, r_now, opposed_by }) => {
        const props = NODE_PROPS.get(strategy);
        if (props === undefined) return [];
        const edgeProps = { match_score, direction, trigger, stop, target, rr_ratio, r_now, opposed_by };
        return { type: 'MATCHES', label: 'Playbook', key: strategy, props, edgeProps };
      },
    ),
});

/** The whole library as nodes of the graph, with the text that searches compare, whether a stock fits or not. */
export const PLAYBOOK_TEXTS = PLAYBOOKS.map((playbook) => {
  const { strategy, name, direction, timeframe, signal, summary } = playbook;
  return { key: strategy, props: { name, direction, timeframe, signal, summary }, text: textOf(playbook) };
});

const NODE_PROPS = new Map(PLAYBOOK_TEXTS.map(({ key, props }) => [key, props]));

/** What playbooks are matched against at the instant of a view. */
export const strategyInputs = (view: StockView, known: Known): PlaybookInputs =>
  playbookInputs(partsOf(view, known, scoreState(known)));

function partsOf(view: StockView, known: Known, { inputs, path, daily }: ScoreState): PlaybookParts {
  const day = known(levels).nested;
  const quiet = known(compression).nested;
  // An opening range counts once its window has closed: until then it grows with the price that would break it.
  const orb = day?.orb_15m_status == null ? null : day;
  const balance = day === null || day.ib_developing ? null : day;
  const openingRange = { high: orNaN(orb?.orb_15m_high), low: orNaN(orb?.orb_15m_low) };
  return {
    price: orNaN(known(priceVolume).flat.last_price),
    vwap: orNaN(day?.vwap),
    openingRange,
    initialBalance: {
      high: orNaN(balance?.ib_high),
      low: orNaN(balance?.ib_low),
      range: orNaN(balance?.ib_range),
    },
    fast: inputs,
    figures: figuresOf(path, openingRange),
    day: known(dayContext).nested,
    technical: known(technical).nested,
    atr: daily.atr,
    levels: path.prices,
    zones: confluenceZones(view, known(volumeProfile).nested?.prior ?? null, path.input.priorAtr),
    range: known(range3d).nested,
    isNarrow: quiet === null ? null : quiet.is_nr7 || quiet.is_inside_day,
    atrCompressionRatio: inputs.atr_compression_ratio,
    relVol5d: inputs.rel_vol_5d,
    results: inputs,
  };
}

function figuresOf({ input, rows, barMs, vwap }: SessionPath, openingRange: PriceRange) {
  return sessionFigures({
    bars: sliceBars(input.intraday, rows),
    isMinutes: barMs === MINUTE_MS,
    vwap,
    orbHigh: openingRange.high,
    orbLow: openingRange.low,
    dailyAtr: input.priorAtr,
  });
}

function wireMatch(match: PlaybookMatch, inputs: PlaybookInputs) {
  const { playbook, score, met, missed, trigger, stop, target, rewardRisk, opposedBy } = match;
  const quoted = [...new Set(met.flatMap((each) => each.inputs))].map((name) =>
    inputInWords(name, inputs[name]),
  );
  const [count, figures] = [playbook.conditions.length, quoted.join(', ')];
  const holds =
    missed.length === 0
      ? say('playbook.all_met', { count, figures })
      : say('playbook.some_met', { met: met.length, count, figures });
  const others = opposedBy.map((other) => other.replaceAll('_', ' ')).join(', ');
  return {
    strategy: playbook.strategy,
    name: playbook.name,
    direction: playbook.direction,
    match_score: score,
    conditions_met: met.map(({ name }) => name),
    conditions_missed: missed.map(({ name }) => name),
    trigger: finiteOrNull(trigger),
    stop: finiteOrNull(stop),
    target: finiteOrNull(target),
    rr_ratio: finiteOrNull(rewardRisk),
    r_now: finiteOrNull(rewardRiskAt(match, inputs.price)),
    opposed_by: [...opposedBy],
    rationale: others === '' ? holds : `${holds} ${say('playbook.opposed', { others })}`,
  };
}
