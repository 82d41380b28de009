import type { AnyFact, CompanyProfile, FactValues, Fundamentals } from '../../src/market/facts.ts';
import type { Delivery } from '../../src/market/feed.ts';
import type { IndexState } from '../../src/market/market-view.ts';
import type { PeerDay } from '../../src/market/peer-day.ts';

/** Reported values of which only the named fields are known. */

export const profileWith = (fields: Partial<CompanyProfile>): CompanyProfile => ({
  companyName: null,
  description: null,
  ceo: null,
  headquarters: null,
  employees: null,
  ipoDate: null,
  website: null,
  logoUrl: null,
  sector: null,
  industry: null,
  exchange: null,
  ...fields,
});

export const fundamentalsWith = (fields: Partial<Fundamentals>): Fundamentals => ({
  periodEnd: '2024-03-31',
  revenueTtm: null,
  grossProfitTtm: null,
  operatingIncomeTtm: null,
  netIncomeTtm: null,
  ebitdaTtm: null,
  operatingCashFlowTtm: null,
  freeCashFlowTtm: null,
  dividendsPaidTtm: null,
  epsTtm: null,
  epsTtmPriorYear: null,
  revenueTtmPriorYear: null,
  pretaxIncomeTtm: null,
  taxTtm: null,
  totalAssets: null,
  totalEquity: null,
  currentAssets: null,
  currentLiabilities: null,
  cashAndEquivalents: null,
  totalDebt: null,
  dividendPerShare: null,
  stated: {},
  ...fields,
});

type Report = FactValues['earnings_report'];
export const reportWith = (fields: Partial<Report> & Pick<Report, 'date'>): Report => ({
  time: 'pre_market',
  periodEnd: null,
  epsEstimate: null,
  epsActual: null,
  revenueEstimate: null,
  revenueActual: null,
  ...fields,
});

type Expected = FactValues['earnings_date'];
export const expectedWith = (fields: Partial<Expected> & Pick<Expected, 'date'>): Expected => ({
  time: 'unknown',
  status: 'projected',
  epsEstimate: null,
  revenueEstimate: null,
  ...fields,
});

type Estimates = FactValues['analyst_estimates'];
export const estimatesWith = (fields: Partial<Estimates> & Pick<Estimates, 'year'>): Estimates => ({
  epsAverage: null,
  epsHigh: null,
  epsLow: null,
  revenueAverage: null,
  analysts: null,
  ...fields,
});

type News = FactValues['news'];
export const newsWith = (
  fields: Partial<News> & Pick<News, 'publishedAt' | 'headline' | 'symbols'>,
): News => ({
  summary: null,
  source: 'A Wire',
  url: null,
  eventType: null,
  sentiment: null,
  relevance: null,
  ...fields,
});

/** A stock that rose far more than its peers. */
export const peerDayWith = (fields: Partial<PeerDay>): PeerDay => ({
  local: 2.5,
  medium: 2.1,
  broad: 1.9,
  composite: 2.26,
  signal: 'bullish_divergence',
  peersLocal: 1,
  peersMedium: 30,
  peersBroad: 80,
  weightConfig: 'local_medium_broad',
  contamination: 'none',
  returnPct: 3,
  impliedLocalPct: 0.5,
  impliedMediumPct: 0.8,
  impliedBroadPct: 0.7,
  deviationLocalPct: 1,
  deviationMediumPct: 1.05,
  deviationBroadPct: 1.2,
  windowFrom: '2023-03-13',
  windowTo: '2024-03-12',
  peers: [],
  ...fields,
});

/** An index of which only the last price is known. */
export const indexWith = (fields: Partial<IndexState>): IndexState => ({
  symbol: 'SPY',
  last: 100,
  return1dPct: null,
  return5dPct: null,
  return20dPct: null,
  sma50: null,
  sma200: null,
  slope20Pct: null,
  time: [],
  close: [],
  ...fields,
});

/** Facts of a symbol as a source delivers them. */
export const factsOf = (symbol: string, ...facts: readonly AnyFact[]): Delivery => ({
  kind: 'facts',
  symbol,
  facts,
});
