import { onceFor } from '../base/once-for.ts';
import { nullableInteger, nullableString, string } from '../base/schema.ts';
import type { CompanyProfile } from '../market/facts.ts';
import type { StockView } from '../market/stock-view.ts';
import { flatBlock } from './block.ts';

/** The company as reported. */
export const identity = flatBlock({
  name: 'identity',
  flat: {
    symbol: string('Ticker symbol.'),
    company_name: nullableString('Company name.'),
    company_description: nullableString('What the company does.'),
    ceo: nullableString('Chief executive officer.'),
    headquarters: nullableString('Place of the head office.'),
    employees: nullableInteger('Full-time employees.'),
    ipo_date: nullableString('Date of the initial public offering, YYYY-MM-DD.'),
    website: nullableString('URL of the company.'),
    logo_url: nullableString('URL of the logo.'),
  },
  derive({ symbol, facts }) {
    const profile = facts.profile.at(-1);
    return {
      symbol,
      company_name: profile?.companyName ?? null,
      company_description: profile?.description ?? null,
      ceo: profile?.ceo ?? null,
      headquarters: profile?.headquarters ?? null,
      employees: profile?.employees ?? null,
      ipo_date: profile?.ipoDate ?? null,
      website: profile?.website ?? null,
      logo_url: profile?.logoUrl ?? null,
    };
  },
});

/** Prefix of index symbols, which cannot be bought. */
const INDEX_MARK = '^';
/** Industries of funds in profiles. */
const FUND_INDUSTRY = /^(etf|(exchange[- ]traded|index|mutual|closed[- ]end) fund)s?$/i;

/** An index by its name, a fund by its profile's industry; null otherwise. */
export function instrumentOf({ symbol, facts }: StockView): 'index' | 'fund' | null {
  if (symbol.startsWith(INDEX_MARK)) return 'index';
  const profile = facts.profile.at(-1);
  return profile !== undefined && isFund(profile) ? 'fund' : null;
}

const isFund = onceFor(({ industry }: CompanyProfile) => FUND_INDUSTRY.test(industry?.trim() ?? ''));
