import { say } from '../../analysis/sentences.ts';
import type { DteAnswer } from '../../texts/facts/chain-facts.ts';
import type { FactRegistry } from '../../texts/facts/fact-registry.ts';
import { addNewsItem, NEWEST, type NewsSeen, type StockAnswer } from '../../texts/facts/stock-facts.ts';
import {
  absent,
  type Fields,
  fieldsOf,
  floored,
  item,
  itemOfFacts,
  type Piece,
  type Place,
  part,
  partOfFacts,
  shortened,
  stockFields,
  type Topic,
} from '../../texts/piece.ts';
import { absence } from '../answers/absences.ts';
import type { Part } from './load-market-context.ts';
import type { StockContext } from './load-stock-context.ts';
import type { FoundNews } from './search-texts.ts';
import { untrusted } from './untrusted.ts';

/** A group of figures of a stock: what it is called and about, which facts it shows, and why it may be null. */
interface Group {
  readonly name: Topic;
  readonly fields: Fields;
  /** Names that its short form keeps; none where it has no short form. */
  readonly short?: string;
  readonly absence: string;
}

/** Without these a reader knows nothing of the stock. */
const FLOORS: ReadonlySet<Topic> = new Set(['price', 'scores', 'trend', 'earnings']);

const GROUPS: readonly Group[] = [
  {
    name: 'price',
    fields: stockFields(`
      last_price price.official_close price.previous_close price.change_pct price.gap_pct volume rel_volume rel_vol_5d adv20_usd
      halted price.partial_feed updated_at`),
    short: 'last_price change_pct gap_pct rel_volume partial_feed',
    absence: absence('absent.bars'),
  },
  {
    name: 'trend',
    fields: stockFields(`
      technical.moving_averages.ema_9 technical.moving_averages.ema_20 technical.moving_averages.sma_20
      technical.moving_averages.sma_50 technical.moving_averages.sma_200 technical.rsi_14 technical.adx_14
      technical.macd technical.macd_signal technical.bollinger.percent_b technical.trend_stack_valid
      momentum_blend momentum_slope_60d regime_v5.regime daily_atr_14=technical.daily_atr.14`),
    short: 'sma_50 rsi_14 trend_stack_valid daily_atr_14',
    absence: absence('absent.daily_history'),
  },
  {
    name: 'scores',
    fields: stockFields(`
      bullish_confluence bearish_confluence net_confluence directional_bias bullish_tier bearish_tier
      pulse_net pulse_bias net_entry_score entry_gates_passed conviction_v5_velocity`),
    short: 'bullish_confluence bearish_confluence directional_bias',
    absence: absence('absent.scores'),
  },
  {
    name: 'flow',
    fields: stockFields(`
      cvd cvd_pct cvd_trend cvd_divergence buy_sell_ratio dark_pool_pct_1d block_trade_count`),
    absence: absence('absent.flow'),
  },
  {
    name: 'options',
    fields: stockFields(`
      options.iv_rank options.iv_percentile options.iv_skew options.put_call_ratio options.theta_drag_15d
      expected_move_usd=expected_move.day.move expected_move_pct=expected_move.day.move_pct
      expected_low=expected_move.day.low expected_high=expected_move.day.high
      expected_week_pct=expected_move.week.move_pct options.unusual_activity options.refresh_timestamp chain_sessions_old=@exposure.sessions_old @exposure.spot
      dealer_gamma=@exposure.regime @exposure.gamma_flip @exposure.call_wall @exposure.put_wall
      @exposure.call_open_interest @exposure.put_open_interest`),
    short:
      'chain_sessions_old iv_rank expected_move_usd expected_move_pct put_call_ratio dealer_gamma gamma_flip call_wall put_wall',
    absence: say('chain.none'),
  },
  {
    name: 'earnings',
    fields: stockFields(`
      earnings.days_until earnings.surprise_pct earnings.consecutive_beats earnings.beat_rate_8q
      ownership.insider_sentiment analyst_score=analyst.score analyst_target_mean=analyst.target_mean
      analyst_target_upside_pct=analyst.target_upside`),
    short: 'days_until surprise_pct',
    absence: absence('absent.earnings'),
  },
  {
    name: 'fundamentals',
    fields: stockFields(`
      fundamental.market_cap fundamental.pe_ratio fundamental.forward_pe fundamental.peg_ratio
      fundamental.revenue_growth_yoy fundamental.earnings_growth_yoy fundamental.net_margin fundamental.roe
      fundamental.net_leverage fundamental.beta fundamental_grade`),
    absence: absence('absent.statements'),
  },
];

const LEVELS_SHOWN = 3;
const PATTERNS_SHOWN = 4;
const LINES_SHOWN = 3;
export const NEWS_SHOWN = 6;
const THEMES_SHOWN = 4;

/**
 * What is known of a stock, in pieces of `stock_data`.
 *
 * @param foundNews news that a query found, in place of the newest; empty for the newest
 */
export function stockPieces(context: StockContext, foundNews: readonly Piece[] = []): Piece[] {
  const { answer, registry } = context;
  return [
    ...partialPieces(answer),
    ...GROUPS.flatMap((group) => groupPieces(group, context)),
    // The nearest of each side.
    ...floored(levelPieces(registry), 2),
    ...patternPieces(registry),
    ...recordPieces(registry),
    ...ledgerPieces(answer, registry),
    ...context.expirations.flatMap((scored) => expirationPieces(scored, registry)),
    ...(foundNews.length > 0 ? foundNews : newsPieces(answer, registry)),
    ...themePieces(answer),
    ...companyPieces(answer),
  ];
}

const LISTS = 'levels patterns records score_lines expirations news themes backtest_runs unavailable';
export const stockFrame = () => Object.fromEntries(LISTS.split(' ').map((name) => [name, []]));

/** A stock whose bars are of one exchange: what is shown of it is a part, and says so first. */
function partialPieces({ price }: StockContext['answer']): Piece[] {
  const { partial_feed: feed = null } = (price ?? {}) as { readonly partial_feed?: string | null };
  return feed === null ? [] : floored([absent('stock_data', 'volume', absence('absent.one_exchange'))]);
}

function groupPieces(
  { name, fields, short, absence: otherwise }: Group,
  { registry, exposure }: StockContext,
): Piece[] {
  const shown = partOfFacts([name, 'stock_data', name], registry, fields);
  if (shown.length > 0) return floored(short ? shortened(shown, short) : shown, FLOORS.has(name) ? 1 : 0);
  const reason = name === 'options' ? (exposure.reason ?? otherwise) : otherwise;
  return [absent('stock_data', name, reason)];
}

function levelPieces(registry: FactRegistry): Piece[] {
  return Array.from({ length: LEVELS_SHOWN }, (_, at) => at + 1).flatMap((at) =>
    ['support', 'resistance'].flatMap((side) => {
      const id = `level.${side}.${at}`;
      const { away, ...fields } = fieldsOf(id, 'name price away strength state decided_at');
      const named = { ...fields, away_atr: away! };
      return itemOfFacts(['levels', 'stock_data', 'levels'], registry, named, { side });
    }),
  );
}

const OF_PATTERN = 'name direction status confirmed_on trigger target invalidation confidence';

const patternPieces = (registry: FactRegistry): Piece[] =>
  Array.from({ length: PATTERNS_SHOWN }).flatMap((_, at) =>
    itemOfFacts(['patterns', 'stock_data', 'patterns'], registry, fieldsOf(`pattern.${at + 1}`, OF_PATTERN)),
  );

/** The records of its levels, patterns and recommended expirations; a rate never without its chance. */
function recordPieces(registry: FactRegistry): Piece[] {
  const ids = registry
    .all()
    .flatMap(({ id }) => (/^record\..*\.rate$/.test(id) ? [id.slice(0, -'.rate'.length)] : []));
  return ids.flatMap((id) => {
    const [, kind, ...key] = id.split('.');
    const fields = fieldsOf(id, 'true n dates rate low high chance');
    const topic = RECORD_TOPICS[kind!]!;
    return itemOfFacts([topic, 'stock_data', 'records'], registry, fields, { kind, key: key.join('.') });
  });
}

const RECORD_TOPICS: Readonly<Record<string, Topic>> = {
  level: 'levels',
  pattern: 'patterns',
  expiration: 'expirations',
};

/** The components that carry each side of the score. */
function ledgerPieces({ confluence_v5: scores }: StockAnswer, registry: FactRegistry): Piece[] {
  return (['bull', 'bear'] as const).flatMap((side) =>
    (scores?.[`${side}_ledger`] ?? [])
      .filter(({ status, contribution }) => status === 'scored' && contribution > 0)
      .sort((one, other) => other.contribution - one.contribution)
      .slice(0, LINES_SHOWN)
      .flatMap(({ component }) => {
        const fields = { contribution: `ledger.${side}.${component}` };
        return itemOfFacts(['scores', 'stock_data', 'score_lines'], registry, fields, { side, component });
      }),
  );
}

const OF_EXPIRATION = 'expiration dte composite_score confidence edge_ratio iv_fitness dealer_flow liquidity';

function expirationPieces({ value: scored }: Part<DteAnswer>, registry: FactRegistry): Piece[] {
  if (scored === null) return [];
  const { direction, timeframe } = scored;
  const fields = fieldsOf(`dte.${direction}`, OF_EXPIRATION);
  return itemOfFacts(['expirations', 'stock_data', 'expirations'], registry, fields, {
    direction,
    timeframe,
  });
}

function newsPieces({ news }: StockAnswer, registry: FactRegistry): Piece[] {
  if (news === null) {
    return [absent('stock_data', 'news', absence('absent.news'))];
  }
  const newest = news.items.slice(0, NEWS_SHOWN);
  return floored(
    newest.flatMap((item, at) => newsPiece(['news', 'stock_data', 'news'], registry, `news.${at + 1}`, item)),
  );
}

/**
 * One news item.
 *
 * @param subject under which its facts are
 * @param more of ours, `written` by others
 */
function newsPiece(
  place: Place,
  registry: FactRegistry,
  subject: string,
  { headline, source, sentiment }: Pick<NewsSeen, 'headline' | 'source' | 'sentiment'>,
  more: object = {},
  written: object = {},
): Piece[] {
  const untrusted_text = { headline: untrusted(headline), source: untrusted(source), ...written };
  const fields = fieldsOf(subject, 'published_at sentiment_score');
  return itemOfFacts(place, registry, fields, { ...more, sentiment, untrusted_text });
}

function themePieces({ thematic_exposures: themes }: StockAnswer): Piece[] {
  return (themes ?? []).slice(0, THEMES_SHOWN).map(({ theme, theme_name, direction }) => {
    const written = { theme: untrusted(theme_name ?? theme) };
    return item(['themes', 'stock_data', 'themes'], { direction, untrusted_text: written });
  });
}

function companyPieces(answer: StockAnswer): Piece[] {
  const { company_name, fundamental } = answer as {
    readonly company_name?: string | null;
    readonly fundamental?: { readonly sector?: string | null } | null;
  };
  const written = { name: untrusted(company_name), sector: untrusted(fundamental?.sector) };
  if (written.name === null && written.sector === null) return [];
  return [part(['company', 'stock_data', 'company'], { untrusted_text: written })];
}

/**
 * News that a query finds, best first: of a stock in `stock_data`, of the whole market in `market_context` with the stock
 * that each item mentions. An item that is among the newest of the stock keeps the ids of its facts; the facts of others are
 * `news.found.N`.
 */
export function foundNewsPieces(
  found: readonly FoundNews[],
  answer: StockAnswer | null,
  registry: FactRegistry,
): Piece[] {
  const newest = (answer?.news?.items ?? []).slice(0, NEWEST).map(({ id }) => id);
  const pieces = found.flatMap(({ symbol, item }, at) => {
    const known = newest.indexOf(item.id);
    const subject = known < 0 ? `news.found.${at + 1}` : `news.${known + 1}`;
    if (known < 0) addNewsItem(registry, subject, item);
    const section = answer === null ? 'market_context' : 'stock_data';
    const more = answer === null ? { symbol } : {};
    return newsPiece(['found', section, 'news'], registry, subject, item, more, {
      summary: untrusted(item.summary),
    });
  });
  return floored(pieces);
}
