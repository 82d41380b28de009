import type { CompanyProfile, Fundamentals } from '../../src/market/facts.ts';

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
