import { confluenceZones } from '../analysis/backtest/session-columns.ts';
import type { PlaybookInputs } from '../analysis/playbooks/inputs.ts';
import { PLAYBOOKS } from '../analysis/playbooks/library.ts';
import { matchPlaybooks, type PlaybookMatch } from '../analysis/playbooks/match.ts';
import { PLAYBOOK_DIRECTIONS, textOf } from '../analysis/playbooks/playbook.ts';
import { sessionFigures } from '../analysis/playbooks/session-figures.ts';
import type { SessionPath } from '../analysis/scoring/session.ts';
import { inputInWords, say } from '../analysis/sentences.ts';
import { MINUTE_MS, sliceBars } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, orNaN } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { type Known, nestedBlock } from './block.ts';
import { compression } from './compression.ts';
import { dayContext } from './day-context.ts';
import { instrumentOf } from './identity.ts';
import { levels } from './levels.ts';
import { priceVolume } from './price-volume.ts';
import { range3d } from './range-3d.ts';
import { type ScoreState, scoreInputs, scoreState } from './score-inputs.ts';
import { technical } from './technical.ts';
import { volumeProfile } from './volume-profile.ts';

const StrategyMatch = wire.record('StrategyMatch', 'One playbook that fits the stock at the instant.', {
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
  opposed_by: wire.listOf(
    wire.string('Key of a playbook.'),
    'Conflicts: playbooks that fit too and would trade the other way.',
  ),
  rationale: wire.nullableString('Why it fits, in a sentence that quotes its inputs.'),
});

/** Playbooks that fit the stock now, best first; [] when none does and for an index, null without a last price. */
export const strategies = nestedBlock({
  name: 'strategies',
  include: 'strategies',
  schema: wire.listOf(StrategyMatch, 'Strategy match recommendations, best first.'),
  reads: [compression, dayContext, levels, priceVolume, range3d, scoreInputs, technical, volumeProfile],
  derive(view, known) {
    if (known(priceVolume).flat.last_price === null) return null;
    if (instrumentOf(view) === 'index') return [];
    const inputs = playbookInputs(view, known, scoreState(known));
    return matchPlaybooks(inputs).map((match) => wireMatch(match, inputs));
  },
  // One node for each playbook; its fit on a stock-day belongs to the edge.
  relate: (matches) =>
    matches.flatMap(({ strategy, match_score, direction, trigger, stop, target, rr_ratio, opposed_by }) => {
      const props = NODE_PROPS.get(strategy);
      if (props === undefined) return [];
      const edgeProps = { match_score, direction, trigger, stop, target, rr_ratio, opposed_by };
      return { type: 'MATCHES', label: 'Playbook', key: strategy, props, edgeProps };
    }),
});

/** The whole library as nodes of the graph, with the text that searches compare, whether a stock fits or not. */
export const PLAYBOOK_TEXTS = PLAYBOOKS.map((playbook) => {
  const { strategy, name, direction, timeframe, signal, summary } = playbook;
  return { key: strategy, props: { name, direction, timeframe, signal, summary }, text: textOf(playbook) };
});

const NODE_PROPS = new Map(PLAYBOOK_TEXTS.map(({ key, props }) => [key, props]));

function playbookInputs(view: StockView, known: Known, { inputs, path, daily }: ScoreState): PlaybookInputs {
  const indicators = known(technical).nested;
  const averages = indicators?.moving_averages;
  const day = known(levels).nested;
  const range = known(range3d).nested;
  const quiet = known(compression).nested;
  const price = orNaN(known(priceVolume).flat.last_price);
  const above = path.prices.findIndex((level) => level > price);
  const split = above === -1 ? path.prices.length : above;
  // An opening range counts once its window has closed: until then it grows with the price that would break it.
  const orb = day?.orb_15m_status == null ? null : day;
  const balance = day === null || day.ib_developing ? null : day;
  const [orbHigh, orbLow] = [orNaN(orb?.orb_15m_high), orNaN(orb?.orb_15m_low)];
  return {
    price,
    vwap: orNaN(day?.vwap),
    vwap_atr: inputs.vwap_atr,
    orb_high: orbHigh,
    orb_low: orbLow,
    orb_lean: inputs.orb_lean,
    ib_high: orNaN(balance?.ib_high),
    ib_low: orNaN(balance?.ib_low),
    ib_range: orNaN(balance?.ib_range),
    ...figuresOf(path, orbHigh, orbLow),
    intraday_return_atr: inputs.intraday_return_atr,
    rotation_score: orNaN(known(dayContext).nested?.rotation_score),
    trend_score: orNaN(known(dayContext).nested?.trend_score),
    volume_pace: inputs.volume_pace,
    rel_vol_5d: inputs.rel_vol_5d,
    ema_9: orNaN(averages?.ema_9),
    ema_20: orNaN(averages?.ema_20),
    sma_20: orNaN(averages?.sma_20),
    sma_50: orNaN(averages?.sma_50),
    sma_200: orNaN(averages?.sma_200),
    atr: daily.atr,
    adx_14: inputs.adx_14,
    rsi_14: inputs.rsi_14,
    support: orNaN(path.prices[split - 1]),
    resistance: orNaN(path.prices[split]),
    support_atr: inputs.support_atr,
    resistance_atr: inputs.resistance_atr,
    ...zonesAround(view, known, path.input.priorAtr, price),
    range_3d_high: orNaN(range?.high),
    range_3d_low: orNaN(range?.low),
    narrow_session: quiet === null ? Number.NaN : Number(quiet.is_nr7 || quiet.is_inside_day),
    atr_compression_ratio: inputs.atr_compression_ratio,
    surprise_pct: inputs.surprise_pct,
    days_since_earnings: inputs.days_since_earnings,
    days_to_earnings: inputs.days_to_earnings,
  };
}

function figuresOf({ input, rows, barMs, vwap }: SessionPath, orbHigh: number, orbLow: number) {
  return sessionFigures({
    bars: sliceBars(input.intraday, rows),
    isMinutes: barMs === MINUTE_MS,
    vwap,
    orbHigh,
    orbLow,
    dailyAtr: input.priorAtr,
  });
}

/** The nearest zones, as in the backtest, that are entirely below or above the price. */
function zonesAround(view: StockView, known: Known, priorAtr: number, price: number) {
  const zones = confluenceZones(view, known(volumeProfile).nested?.prior ?? null, priorAtr);
  const below = zones.find(({ high }) => high <= price);
  const above = zones.findLast(({ low }) => low >= price);
  return {
    support_zone_high: orNaN(below?.high),
    support_zone_low: orNaN(below?.low),
    support_zone_families: orNaN(below?.families.length),
    resistance_zone_high: orNaN(above?.high),
    resistance_zone_low: orNaN(above?.low),
    resistance_zone_families: orNaN(above?.families.length),
  };
}

function wireMatch(
  { playbook, score, met, missed, trigger, stop, target, rewardRisk, opposedBy }: PlaybookMatch,
  inputs: PlaybookInputs,
) {
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
    opposed_by: [...opposedBy],
    rationale: others === '' ? holds : `${holds} ${say('playbook.opposed', { others })}`,
  };
}
