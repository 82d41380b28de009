import { matchPlaybooks, type PlaybookInputs, type PlaybookMatch } from '../analysis/scoring/index.ts';
import { listOf, nullableNumber, nullableString, oneOf, record, string } from '../base/schema.ts';
import { defineBlock, type Known } from './block.ts';
import { compression } from './compression.ts';
import { dayContext } from './day-context.ts';
import { levels } from './levels.ts';
import { priceVolume } from './price-volume.ts';
import { range3d } from './range-3d.ts';
import { orNaN, type ScoreState, scoreInputs, scoreState } from './score-inputs.ts';
import { technical } from './technical.ts';
import { finiteOrNull } from './wire.ts';

const StrategyMatch = record('StrategyMatch', 'One playbook that fits the stock at the instant.', {
  strategy: string('Key of the playbook.'),
  name: nullableString('Name of the playbook for people.'),
  direction: oneOf(['bullish', 'bearish', 'neutral'], 'Direction that it would trade.'),
  match_score: nullableNumber('How well the conditions are met, 0-100.', { minimum: 0, maximum: 100 }),
  conditions_met: listOf(string('Condition.'), 'Conditions that hold.'),
  conditions_missed: listOf(string('Condition.'), 'Conditions that do not hold or cannot be known.'),
  trigger: nullableNumber('Price that would start it, USD.'),
  stop: nullableNumber('Price that would refute it, USD.'),
  target: nullableNumber('Price that it aims at, USD.'),
  rationale: nullableString('Why it fits, in a sentence that quotes its inputs.'),
});

/** Playbooks that fit the stock now; [] when none does, null without a last price. */
export const strategies = defineBlock({
  name: 'strategies',
  include: 'strategies',
  schema: listOf(StrategyMatch, 'Strategy match recommendations, best first.'),
  flat: {},
  reads: [compression, dayContext, levels, priceVolume, range3d, scoreInputs, technical],
  derive(_view, known) {
    if (known(priceVolume).flat.last_price === null) return { nested: null, flat: {} };
    const inputs = playbookInputs(known, scoreState(known));
    return { nested: matchPlaybooks(inputs).map((match) => wireMatch(match, inputs)), flat: {} };
  },
});

function playbookInputs(known: Known, { inputs, path, daily }: ScoreState): PlaybookInputs {
  const indicators = known(technical).nested;
  const averages = indicators?.moving_averages;
  const day = known(levels).nested;
  const range = known(range3d).nested;
  const quiet = known(compression).nested;
  const price = orNaN(known(priceVolume).flat.last_price);
  const above = path.prices.findIndex((level) => level > price);
  const split = above === -1 ? path.prices.length : above;
  return {
    price,
    atr: daily.atr,
    vwap: orNaN(day?.vwap),
    vwap_atr: inputs.vwap_atr,
    orb_high: orNaN(day?.orb_15m_status == null ? null : day.orb_15m_high),
    orb_low: orNaN(day?.orb_15m_status == null ? null : day.orb_15m_low),
    orb_lean: inputs.orb_lean,
    intraday_return_atr: inputs.intraday_return_atr,
    trend_score: orNaN(known(dayContext).nested?.trend_score),
    rotation_score: orNaN(known(dayContext).nested?.rotation_score),
    volume_pace: inputs.volume_pace,
    rel_vol_5d: inputs.rel_vol_5d,
    ema_9: orNaN(averages?.ema_9),
    ema_20: orNaN(averages?.ema_20),
    sma_20: orNaN(averages?.sma_20),
    sma_50: orNaN(averages?.sma_50),
    sma_200: orNaN(averages?.sma_200),
    adx_14: inputs.adx_14,
    rsi_14: inputs.rsi_14,
    support: orNaN(path.prices[split - 1]),
    resistance: orNaN(path.prices[split]),
    support_atr: inputs.support_atr,
    resistance_atr: inputs.resistance_atr,
    range_3d_high: orNaN(range?.high),
    range_3d_low: orNaN(range?.low),
    narrow_session: quiet === null ? Number.NaN : Number(quiet.is_nr7 || quiet.is_inside_day),
    atr_compression_ratio: inputs.atr_compression_ratio,
    surprise_pct: inputs.surprise_pct,
    days_since_earnings: inputs.days_since_earnings,
    days_to_earnings: inputs.days_to_earnings,
  };
}

function wireMatch(
  { playbook, score, met, missed, trigger, stop, target }: PlaybookMatch,
  inputs: PlaybookInputs,
) {
  const quoted = [...new Set(met.flatMap((each) => each.inputs))].map(
    (name) => `${name} ${Number(inputs[name].toPrecision(4))}`,
  );
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
    rationale: `${met.length} of ${playbook.conditions.length} conditions hold: ${quoted.join(', ')}.`,
  };
}
