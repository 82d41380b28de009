import type { Plan, PlanMarket, PlanStock } from './schema.ts';
import { inWords, labelOf, priceText, signed, stockCount } from './sentences.ts';

/** A plan as Markdown, for chats and print: a function of its JSON. */
export function planText(plan: Plan): string {
  const { date, as_of, list, simulated, market, changed, stocks, left_out } = plan;
  const of = list ?? stockCount(stocks.length + left_out.length);
  const lines = [
    `# Plan ${date}: ${literal(of)}`,
    '',
    `As of ${as_of}${simulated ? ', simulated market' : ''}. Prices in USD, distances in daily ATR.`,
    '',
    market === null ? plan.missing.map(({ reason }) => reason).join(' ') : marketLine(market),
    ...(changed.length === 0 ? [] : ['', `Bias changed since the close before: ${changed.join(', ')}.`]),
    ...stocks.flatMap((stock) => ['', ...stockLines(stock)]),
    ...(left_out.length === 0 ? [] : ['', '## Without a plan', '']),
    ...left_out.map(({ symbol, reason }) => `- ${symbol}: ${literal(reason)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function marketLine(market: PlanMarket): string {
  const { regime, index_symbol, index_change_pct, vix, vix_percentile, above_sma_50_pct, due } = market;
  const parts = [
    regime === null ? null : inWords(regime),
    index_change_pct === null ? null : `${index_symbol} ${signed(index_change_pct, 2)} %`,
    above_sma_50_pct === null ? null : `breadth ${above_sma_50_pct.toFixed(0)} % above SMA50`,
    vix === null ? null : `VIX ${vix.toFixed(1)}${rank(vix_percentile)}`,
  ];
  return [`Market: ${parts.filter(Boolean).join(', ')}.`, ...due].join(' ');
}

const rank = (percentile: number | null): string =>
  percentile === null ? '' : ` (higher than on ${percentile.toFixed(0)} % of the days of a year)`;

function stockLines(stock: PlanStock): string[] {
  const { symbol, name, price, change_pct, bias, why, above, below } = stock;
  const change = change_pct === null ? '' : ` ${signed(change_pct, 2)} %`;
  const side = bias === null ? '' : `, ${bias}`;
  return [
    `## ${symbol}${name === null ? '' : ` ${literal(name)}`} ${price === null ? '' : priceText(price)}${change}${side}`,
    '',
    ...(why.length === 0
      ? []
      : [`- **Why here** (${stock.weight}): ${why.map(({ says }) => says).join(' ')}`]),
    ...facts(stock).map(([title, text]) => `- ${title}: ${text}`),
    ...(above.length + below.length === 0 ? [] : ['', '| level | price | ATR | today | record |']),
    ...(above.length + below.length === 0 ? [] : ['| --- | ---: | ---: | --- | --- |']),
    ...[...above.toReversed(), ...below].map(levelRow),
  ];
}

/** What is known of a stock, each in a line. */
function facts(stock: PlanStock): [title: string, text: string][] {
  const { gap, overnight, expected_move: move, gamma, results, changed, news, setups, turns } = stock;
  const lines: [string, string | null][] = [
    ['Gap', gap && `${signed(gap.size, 2)} (${signed(gap.pct, 2)} %)`],
    ['Overnight', overnight && `${priceText(overnight.low)} to ${priceText(overnight.high)}`],
    [
      'Expected move',
      move &&
        `${move.move.toFixed(2)} (${move.move_pct.toFixed(1)} %), ${priceText(move.low)} to ${priceText(move.high)}`,
    ],
    ['Gamma', gamma && gammaText(gamma)],
    ['Results', results && `${results.date}, in ${results.days} days`],
    ['Score', changed && changeText(changed)],
    ...stock.patterns.map(({ type }): [string, string] => ['Confirmed', inWords(type)]),
    ...setups.map((setup): [string, string] => ['Setup', setupText(setup)]),
    ...turns.map(({ says }): [string, string] => ['Would change it', says]),
    ...news.map(({ headline, source }): [string, string] => [
      'News',
      literal(`${headline} (${source ?? '?'})`),
    ]),
    ...stock.missing.map(({ field, reason }): [string, string] => [`No ${inWords(field)}`, reason]),
  ];
  return lines.flatMap(([title, text]) => (text === null ? [] : [[title, text]]));
}

const gammaText = ({ regime, flip, distance_atr }: NonNullable<PlanStock['gamma']>): string =>
  [
    regime === null ? null : inWords(regime),
    flip === null
      ? null
      : `flip ${priceText(flip)}${distance_atr === null ? '' : ` (${signed(distance_atr, 2)} ATR)`}`,
  ]
    .filter(Boolean)
    .join(', ');

function changeText({ since, net, bias, gained, lost }: NonNullable<PlanStock['changed']>): string {
  const [from, to] = net;
  const moved = [...gained, ...lost].map(
    ({ component, points }) => `${signed(points, 1)} ${inWords(component)}`,
  );
  const turned = bias[0] === bias[1] ? '' : `, ${bias[0]} to ${bias[1]}`;
  return `net ${signed(from!, 1)} to ${signed(to!, 1)} since the close of ${since}${turned}${moved.length === 0 ? '' : `; ${moved.join(', ')}`}`;
}

function setupText({
  name,
  strategy,
  direction,
  trigger,
  stop,
  target,
  rr_ratio,
  r_now,
}: PlanStock['setups'][number]) {
  const prices = [trigger, stop, target]
    .map((price) => (price === null ? '-' : priceText(price)))
    .join(' / ');
  const r = (value: number | null): string => (value === null ? '-' : value.toFixed(1));
  return `${literal(name ?? inWords(strategy))} (${direction}) trigger / stop / target ${prices}, R ${r(rr_ratio)}, now ${r(r_now)}`;
}

function levelRow({ name, with: others, price, distance_atr, state, record }: PlanStock['above'][number]) {
  const names = [name, ...others].map(labelOf).join(' + ');
  const away = distance_atr === null ? '-' : signed(distance_atr, 2);
  return `| ${names} | ${priceText(price)} | ${away} | ${state ?? '-'} | ${record === null ? '-' : heldText(record)} |`;
}

const heldText = ({ rate, chance, dates }: NonNullable<PlanStock['above'][number]['record']>): string =>
  rate === null || chance === null
    ? `${dates} ${dates === 1 ? 'day' : 'days'}: too few`
    : `held ${Math.round(rate * 100)} %, chance ${Math.round(chance * 100)}`;

/** What others wrote, without what Markdown would read. */
const literal = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()<>#|!]/g, (sign) => `\\${sign}`);
