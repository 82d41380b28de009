import { DAY_MS, dateOf, midnightUtc, type Session } from '../../base/calendar.ts';
import type { CompanyProfile } from '../facts.ts';
import data from './simulated-data.json' with { type: 'json' };
import { normalQuantile, traitUniform } from './simulated-random.ts';
import { FIRST_INDUSTRY, SECTORS } from './simulated-sectors.ts';
import { INDEX_FUND, symbolAt } from './simulated-symbols.ts';
import { EPOCH } from './simulated-timeline.ts';

/** What does not change in the life of a simulated company (or of the index fund). */
export interface Company {
  readonly symbol: string;
  /** Places in `SECTORS` and in the row of all industries; -1 for the index fund. */
  readonly sector: number;
  readonly industry: number;
  readonly beta: number;
  readonly sectorLoading: number;
  /** Daily standard deviation of what neither market nor sector explains, in an ordinary time. */
  readonly ownSigma: number;
  readonly firstPrice: number;
  /** Shares outstanding on the first day; splits multiply them. */
  readonly firstShares: number;
  /** Share of the outstanding shares that trades on an ordinary day. */
  readonly turnover: number;
  /** Dividend a year as a fraction of the price; 0 for companies that pay none. */
  readonly dividendYield: number;
  /** Sessions of the quarter on which it reports, pays and may split; -1 for never. */
  readonly reportSession: number;
  readonly dividendSession: number;
  readonly splitSession: number;
  /** Days since 1970-01-01: trading begins on the first and has ended by the second. */
  readonly listingDay: number;
  readonly delistingDay: number;
  /** Bid-ask spread of the regular session as a fraction of the price. */
  readonly spread: number;
  /** A few companies come without a quote feed. */
  readonly quoted: boolean;
  /** A few of the largest are spared lost data, so that examples and small markets are whole. */
  readonly dependable: boolean;
}

const EPOCH_DAY = midnightUtc(EPOCH) / DAY_MS;
const YEAR_DAYS = 365.25;
/** Companies before this place are old, stay listed and lose no data. */
const DEPENDABLE_COMPANIES = 8;

/** The company at a place of the list, from 0 and about in the order of its size. */
export function companyAt(seed: number, place: number): Company {
  const symbol = symbolAt(place);
  const trait = (purpose: string): number => traitUniform(seed, symbol, purpose);
  const bell = (purpose: string): number => normalQuantile(trait(purpose));
  const sector = sectorOf(trait('sector'));
  const { beta, industries, payers, yield: meanYield } = SECTORS[sector]!;
  // Sizes fall as one over the rank (Zipf), as those of listed companies do.
  const marketValue = (2e12 / (1 + 0.9 * place)) * Math.exp(0.35 * bell('size'));
  const listing = listingDays(place, trait);
  const firstPrice =
    listing.listingDay > EPOCH_DAY ? 15 + 45 * trait('price') : 62 * Math.exp(0.75 * bell('price'));
  const turnover = 0.0055 * Math.exp(0.3 * bell('turnover'));
  const millionsTraded = (marketValue * turnover) / 1e6;
  return {
    symbol,
    sector,
    industry: FIRST_INDUSTRY[sector]! + Math.floor(trait('industry') * industries.length),
    beta: Math.max(0.2, beta + 0.2 * bell('beta')),
    sectorLoading: 0.7 + 0.6 * trait('loading'),
    ownSigma: (0.0085 + 0.00115 * Math.log(1 + place)) * Math.exp(0.2 * bell('sigma')),
    firstPrice,
    firstShares: marketValue / firstPrice,
    turnover,
    dividendYield: trait('payer') < payers ? meanYield * (0.5 + trait('yield')) : 0,
    reportSession: 12 + Math.floor(24 * trait('report')),
    dividendSession: 38 + Math.floor(18 * trait('dividend')),
    splitSession: 4 + Math.floor(6 * trait('split')),
    ...listing,
    spread: 0.00006 + 0.0025 / Math.sqrt(millionsTraded),
    quoted: place < DEPENDABLE_COMPANIES || trait('quoted') > 0.02,
    dependable: place < DEPENDABLE_COMPANIES,
  };
}

function sectorOf(share: number): number {
  let sum = 0;
  for (const [sector, row] of SECTORS.entries()) {
    sum += row.share;
    if (share < sum) return sector;
  }
  return 0;
}

/**
 * One company in twelve is listed in the first twelve years of the model, one in twenty leaves in fourteen.
 */
function listingDays(
  place: number,
  trait: (purpose: string) => number,
): { listingDay: number; delistingDay: number } {
  let listingDay = EPOCH_DAY;
  let delistingDay = Number.POSITIVE_INFINITY;
  if (place < DEPENDABLE_COMPANIES) return { listingDay, delistingDay };
  if (trait('listed') < 1 / 12) listingDay += Math.floor(12 * YEAR_DAYS * trait('listing day'));
  if (trait('delisted') < 1 / 20) {
    delistingDay = listingDay + Math.floor((1 + 13 * trait('delisting day')) * YEAR_DAYS);
  }
  return { listingDay, delistingDay };
}

/** The index fund: the market factor and almost nothing else. */
export function indexFund(): Company {
  return {
    symbol: INDEX_FUND,
    sector: -1,
    industry: -1,
    beta: 1,
    sectorLoading: 0,
    ownSigma: 0.0002,
    firstPrice: 268,
    firstShares: 1.05e9,
    turnover: 0.075,
    dividendYield: 0.014,
    reportSession: -1,
    dividendSession: 53,
    splitSession: -1,
    listingDay: EPOCH_DAY,
    delistingDay: Number.POSITIVE_INFINITY,
    spread: 0.00003,
    quoted: true,
    dependable: true,
  };
}

const choice = (list: readonly string[], share: number): string => list[Math.floor(share * list.length)]!;

export function inventedWord(trait: (purpose: string) => number, purpose: string): string {
  const { onsets, middles, ends } = data.words;
  return [onsets, middles, ends].map((list, part) => choice(list, trait(`${purpose} ${part + 1}`))).join('');
}

/** What is said of the company; the words say that it is simulated. */
export function companyProfile(seed: number, company: Company, firstSession: Session): CompanyProfile {
  if (company.sector < 0) {
    return {
      ...indexProfile('Simulated Market Index Fund', 'fund that follows'),
      industry: 'Exchange Traded Fund',
    };
  }
  const { symbol } = company;
  const trait = (purpose: string): number => traitUniform(seed, symbol, purpose);
  const sector = SECTORS[company.sector]!;
  const industry = sector.industries[company.industry - FIRST_INDUSTRY[company.sector]!]!;
  const name = `${inventedWord(trait, 'name')} ${industry.noun}`;
  const town = `${inventedWord(trait, 'town')} City`;
  // A profile vendor has gaps too: one company in fifty comes without a head count.
  const marketValueMillions = (company.firstShares * company.firstPrice) / 1e6;
  const employees = Math.round((50 + 180 * trait('employees')) * Math.sqrt(marketValueMillions));
  const listedBefore = dateOf((EPOCH_DAY - Math.floor(1 + 18_000 * trait('age'))) * DAY_MS);
  return {
    companyName: `${name} (simulated)`,
    description: `${name} ${industry.trade} in a simulated market. No such company exists.`,
    ceo: `${inventedWord(trait, 'given name')} ${inventedWord(trait, 'family name')} (simulated)`,
    headquarters: `${town} (simulated)`,
    employees: trait('head count') < 0.02 ? null : employees,
    ipoDate: company.listingDay > EPOCH_DAY ? firstSession.tradeDate : listedBefore,
    website: `https://${symbol.toLowerCase()}.example`,
    logoUrl: null,
    sector: sector.name,
    industry: industry.name,
    exchange: 'SIMULATED',
  };
}

/** The profile of something that is not a company. */
export function indexProfile(name: string, what: string): CompanyProfile {
  return {
    companyName: name,
    description: `A ${what} the market factor of a simulated market. It does not exist.`,
    ceo: null,
    headquarters: null,
    employees: null,
    ipoDate: null,
    website: null,
    logoUrl: null,
    sector: null,
    industry: null,
    exchange: 'SIMULATED',
  };
}
