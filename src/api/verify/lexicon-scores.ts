import { measure, type Measure, open } from './lexicon-measure.ts';

/** Scores and what they are made of. */
export const SCORES: readonly Measure[] = [
  measure(
    'bullish score',
    ['bullish_confluence', 'confluence_v5.bull', 'confluence_components.bullish_score'],
    'bull score | bullish confluence | bullish confluence score | bull confluence',
  ),
  measure(
    'bearish score',
    ['bearish_confluence', 'confluence_v5.bear', 'confluence_components.bearish_score'],
    'bear score | bearish confluence | bearish confluence score | bear confluence',
  ),
  measure(
    'net score',
    ['net_confluence', 'confluence_v5.net', 'conviction_v5.current'],
    'net confluence | net confluence score',
  ),
  measure(
    'confluence score',
    ['confluence_score', 'bullish_confluence', 'bearish_confluence', 'net_confluence'],
    'confluence',
  ),
  measure('conviction', ['conviction_v5.current', 'conviction_max_v5'], 'conviction score'),
  measure(
    'pulse',
    ['pulse_net', 'pulse_v5.net', 'pulse_bull', 'pulse_bear'],
    'pulse score | pulse net | net pulse',
  ),
  measure('bullish pulse', ['pulse_bull', 'pulse_v5.bull'], 'pulse bull'),
  measure('bearish pulse', ['pulse_bear', 'pulse_v5.bear'], 'pulse bear'),
  measure('bullish entry score', ['bullish_entry_score', 'entry_v2.bull'], 'long entry score'),
  measure('bearish entry score', ['bearish_entry_score', 'entry_v2.bear'], 'short entry score'),
  measure('net entry score', ['net_entry_score', 'entry_v2.net']),
  measure(
    'quality score',
    ['fundamental_quality_score', 'fundamental_health_score'],
    'fundamental quality score | fundamental quality',
  ),
  measure(
    'momentum health',
    ['momentum_health_v5.score'],
    'momentum health score | momentum score | upward momentum | downward momentum',
  ),
  measure('trend score', ['day_context.trend_score']),
  measure('rotation score', ['day_context.rotation_score']),
  measure(
    'news sentiment',
    ['news.sentiment_score', '@news.*.sentiment_score'],
    'sentiment score | sentiment',
  ),
  measure('news items', ['news.count_24h', 'news.count_7d'], 'headlines | news count | news stories'),
  measure(
    'peer divergence',
    [
      'peer_divergence_v1.composite',
      'peer_divergence_v1.local',
      'peer_divergence_v1.medium',
      'peer_divergence_v1.broad',
    ],
    'divergence | divergence from peers | composite divergence',
  ),
  open(
    'canonical score',
    ['bullish_confluence', 'bearish_confluence', 'net_confluence'],
    'for buyers | for sellers',
  ),
  open('nearest flip', ['confluence_v5.nearest_flip.*'], 'goes from'),
  open('fit of the pattern', ['@pattern.*.confidence'], 'fit to the textbook | confidence in the pattern'),
  open(
    'part of a whole',
    ['regime_v5.confidence', 'earnings.beat_rate_8q', '@market.breadth.*', '@analogs.*.share_up'],
    'a share of | a share of only | of those that fired',
  ),
  open('rating of the books', ['fundamental_health_score', 'fundamental_quality_score']),
  open('speed of conviction', ['conviction_v5_velocity'], 'conviction turns | conviction velocity'),
  open('timing of an entry', ['net_entry_score', 'bullish_entry_score', 'bearish_entry_score']),
  open('days alike', ['@analogs.*.n', '@analogs.candidates'], 'past days most like this'),
  open('median', ['@analogs.*.median_pct'], 'median return'),
  open('mean return', ['@analogs.*.mean_pct'], 'average return'),
  open('middle half', ['@analogs.*.lower_quartile_pct', '@analogs.*.upper_quartile_pct']),
  open('news of the day', ['news.count_24h', 'news.count_7d'], 'news of the last day'),
  open('tone of the news', ['news.sentiment_score', '@news.*.sentiment_score'], 'tone'),
  open('burst of news', ['news.burst'], 'times the usual number | burst'),
  open('theme', ['@theme.*.magnitude'], 'structural theme | theme exposure | with an exposure of'),
];
