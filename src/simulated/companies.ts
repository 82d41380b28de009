import { DAY_MS, dateOf, midnightUtc, type Session } from '../base/calendar.ts';
import type { CompanyProfile } from '../market/facts.ts';
import data from './data.json' with { type: 'json' };
import { type Traits, traitsOf } from './random.ts';
import { EPOCH } from './timeline.ts';

/** An index fund that follows the market factor. */
export const INDEX_FUND = 'SIMX';
/** A volatility index: what options on the market would imply for the next month, in percent a year. */
export const VOLATILITY_INDEX = '^SIMVIX';
/** Each ticker of four letters, alone and with one of five vowels behind it, gives more than this. */
export const COMPANIES_MAX = 50_000;

const LISTED = new Set(data.listedTickers);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const MARKS = [...'XZQJ'];
const FIFTH_LETTERS = ['', ...'AEIOU'];

/**
 * Tickers of four letters: the second and the last are of J, Q, X, Z, the third is not. The few listed tickers of that
 * pattern are left out. A stride without a common divisor scatters neighbours over the alphabet.
 */
const TICKERS = ((): readonly string[] => {
  const plain = LETTERS.filter((letter) => !MARKS.includes(letter));
  const sorted = LETTERS.flatMap((first) =>
    MARKS.flatMap((second) =>
      plain.flatMap((third) => MARKS.map((fourth) => first + second + third + fourth)),
    ),
  ).filter((symbol) => !LISTED.has(symbol));
  return sorted.map((_, rank) => sorted[(rank * 3571 + 4217) % sorted.length]!);
})();
const RANKS: ReadonlyMap<string, number> = new Map(TICKERS.map((ticker, rank) => [ticker, rank]));

/** The ticker of the company at a rank, from 0; the same in every market. */
export const symbolAt = (rank: number): string =>
  TICKERS[rank % TICKERS.length]! + FIFTH_LETTERS[Math.floor(rank / TICKERS.length)]!;

/** The rank of a company's ticker, or -1 for any other text. */
export function rankOf(symbol: string): number {
  const rank = RANKS.get(symbol.slice(0, 4));
  const series = symbol.length > 5 ? -1 : FIFTH_LETTERS.indexOf(symbol.slice(4));
  if (rank === undefined || series < 0) return -1;
  const whole = rank + series * TICKERS.length;
  return whole < COMPANIES_MAX ? whole : -1;
}

/** The tickers of the first companies of any simulated market. */
export const companySymbols = (count: number): string[] =>
  Array.from({ length: count }, (_, rank) => symbolAt(rank));

/**
 * How the companies of a sector move, pay, earn and call themselves: `share` of all companies, `sigma` daily standard
 * deviation of the sector's factor in an ordinary market, `payers` share of companies that pay a dividend, `yield` their
 * mean dividend a year as a fraction of the price. The financials are about what annual reports show, as shares of
 * revenue; but `revenueOfValue` is a share of market value, `assetTurnover` a year's revenue over assets, `debt` and
 * `cash` are shares of the assets. Banks and insurers have no gross margin: they have no cost of goods.
 */
export const SECTORS = data.sectors;
export type SectorFinancials = Omit<(typeof SECTORS)[number]['financials'], 'grossMargin'> & {
  readonly grossMargin: number | null;
};

/** Index of a sector's first industry in the row of all industries. */
const FIRST_INDUSTRY: readonly number[] = SECTORS.map((_, sector) =>
  SECTORS.slice(0, sector).reduce((count, { industries }) => count + industries.length, 0),
);
export const INDUSTRY_COUNT = FIRST_INDUSTRY.at(-1)! + SECTORS.at(-1)!.industries.length;

/** What does not change over the time of a simulated company or of the index fund. */
export type Company = ReturnType<typeof companyAt>;

const EPOCH_DAY = midnightUtc(EPOCH) / DAY_MS;
const YEAR_DAYS = 365.25;
/** Companies before this rank are old, stay listed and lose no data. */
const DEPENDABLE_COMPANIES = 8;

/** The company at a rank, from 0 and about in the order of size. */
export function companyAt(seed: number, rank: number) {
  const symbol = symbolAt(rank);
  const { uniform, normal } = traitsOf(seed, symbol);
  const dependable = rank < DEPENDABLE_COMPANIES;
  const sector = sectorAt(uniform('sector'));
  const { beta, industries, payers, yield: meanYield } = SECTORS[sector]!;
  // Sizes fall as one over the rank (Zipf), as those of listed companies do.
  const marketValue = (2e12 / (1 + 0.9 * rank)) * Math.exp(0.35 * normal('size'));
  // One company in twelve is listed in the first twelve years of the model, one in twenty leaves in fourteen.
  const isNew = !dependable && uniform('listed') < 1 / 12;
  const leaves = !dependable && uniform('delisted') < 1 / 20;
  const listingDay = EPOCH_DAY + (isNew ? Math.floor(12 * YEAR_DAYS * uniform('listing day')) : 0);
  const listedDays = Math.floor((1 + 13 * uniform('delisting day')) * YEAR_DAYS);
  const firstPrice =
    listingDay > EPOCH_DAY ? 15 + 45 * uniform('price') : 62 * Math.exp(0.75 * normal('price'));
  const turnover = 0.0055 * Math.exp(0.3 * normal('turnover'));
  return {
    symbol,
    /** Indices into `SECTORS` and into the row of all industries; -1 for the index fund. */
    sector,
    industry: FIRST_INDUSTRY[sector]! + Math.floor(uniform('industry') * industries.length),
    beta: Math.max(0.2, beta + 0.2 * normal('beta')),
    sectorLoading: 0.7 + 0.6 * uniform('loading'),
    /** Daily standard deviation of what neither market nor sector explains, in an ordinary time. */
    ownSigma: (0.0085 + 0.00115 * Math.log(1 + rank)) * Math.exp(0.2 * normal('sigma')),
    firstPrice,
    firstShares: marketValue / firstPrice,
    /** Share of the outstanding shares that trades on an ordinary day. */
    turnover,
    /** Dividend a year as a fraction of the price. */
    dividendYield: uniform('payer') < payers ? meanYield * (0.5 + uniform('yield')) : 0,
    /** Sessions of the quarter on which it reports, pays and may split; -1 for never. */
    reportSession: 12 + Math.floor(24 * uniform('report')),
    dividendSession: 38 + Math.floor(18 * uniform('dividend')),
    splitSession: 4 + Math.floor(6 * uniform('split')),
    /** Days since 1970-01-01: trading begins on the first and has ended by the second. */
    listingDay,
    delistingDay: leaves ? listingDay + listedDays : Number.POSITIVE_INFINITY,
    /** Bid-ask spread of the regular session as a fraction of the price. */
    spread: 0.00006 + 0.0025 / Math.sqrt((marketValue * turnover) / 1e6),
    hasQuotes: dependable || uniform('quoted') > 0.02,
    /** The largest companies lose no data, so that examples and small markets are whole. */
    losesData: !dependable,
  };
}

function sectorAt(share: number): number {
  let sum = 0;
  for (const [sector, row] of SECTORS.entries()) {
    sum += row.share;
    if (share < sum) return sector;
  }
  return 0;
}

/** The index fund: the market factor and almost nothing else. */
export const indexFund = (): Company => ({
  ...data.indexFund,
  symbol: INDEX_FUND,
  listingDay: EPOCH_DAY,
  delistingDay: Number.POSITIVE_INFINITY,
});

export const inventedName = ({ uniform }: Traits, purpose: string): string =>
  data.syllables
    .map((list, part) => list[Math.floor(uniform(`${purpose} ${part + 1}`) * list.length)]!)
    .join('');

/** The profile of a company, of the index fund or (`null`) of the volatility index, which says that it is simulated. */
export function profileOf(seed: number, company: Company | null, firstSession: Session): CompanyProfile {
  if (company === null) return data.indexProfiles.volatility;
  if (company.sector < 0) return data.indexProfiles.fund;
  const { symbol, firstShares, firstPrice, listingDay } = company;
  const traits = traitsOf(seed, symbol);
  const { uniform } = traits;
  const sector = SECTORS[company.sector]!;
  const industry = sector.industries[company.industry - FIRST_INDUSTRY[company.sector]!]!;
  const name = `${inventedName(traits, 'name')} ${industry.noun}`;
  const employees = Math.round(
    (50 + 180 * uniform('employees')) * Math.sqrt((firstShares * firstPrice) / 1e6),
  );
  const listedBefore = dateOf((EPOCH_DAY - Math.floor(1 + 18_000 * uniform('age'))) * DAY_MS);
  return {
    companyName: `${name} (simulated)`,
    description: `${name} ${industry.trade} in a simulated market. No such company exists.`,
    ceo: `${inventedName(traits, 'given name')} ${inventedName(traits, 'family name')} (simulated)`,
    headquarters: `${inventedName(traits, 'town')} City (simulated)`,
    // Vendors have gaps too: one company in fifty comes without a head count.
    employees: uniform('head count') < 0.02 ? null : employees,
    ipoDate: listingDay > EPOCH_DAY ? firstSession.tradeDate : listedBefore,
    website: `https://${symbol.toLowerCase()}.example`,
    logoUrl: null,
    sector: sector.name,
    industry: industry.name,
    exchange: 'SIMULATED',
  };
}
