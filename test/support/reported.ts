import type { CompanyProfile, Fundamentals } from '../../src/market/facts.ts';
import { emptyBooks } from '../../src/market/feeds/reference-stated.ts';

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
  ...emptyBooks('2024-03-31'),
  ...fields,
});
