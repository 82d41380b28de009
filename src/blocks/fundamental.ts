import { nullableNumber, nullableOneOf, nullableString, record } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absentFlat } from './wire.ts';

const Fundamental = record(
  'Fundamental',
  'Valuation, profitability, growth and balance sheet, as reported. Percent fields are in percent (12.5 = 12.5 %).',
  {
    market_cap: nullableNumber('Market capitalisation, USD.', { minimum: 0 }),
    sector: nullableString('Sector of the company.'),
    exchange: nullableString('Exchange of the primary listing.'),
    pe_ratio: nullableNumber('Price to earnings, trailing twelve months.'),
    forward_pe: nullableNumber('Price to estimated forward earnings.'),
    eps_ttm: nullableNumber('Earnings per share, trailing twelve months, USD.'),
    price_to_book: nullableNumber('Price to book value.'),
    price_to_sales: nullableNumber('Price to sales.'),
    enterprise_value: nullableNumber('Enterprise value, USD.'),
    peg_ratio: nullableNumber('Forward P/E / (earnings growth YoY * 100), growth as a fraction.'),
    peg_warning: nullableString('`negative_base` when prior-period EPS is negative.'),
    ev_ebitda: nullableNumber('Enterprise value to EBITDA.'),
    ev_ebitda_warning: nullableOneOf(
      ['negative_ebitda', 'extremely_high'],
      'Why `ev_ebitda` should not be compared.',
    ),
    cash_and_equivalents: nullableNumber('Cash and equivalents, USD.'),
    total_debt: nullableNumber('Total debt, USD.'),
    book_value_per_share: nullableNumber('Book value per share, USD.'),
    operating_cash_flow: nullableNumber('Operating cash flow, trailing twelve months, USD.'),
    net_leverage: nullableNumber('(total_debt - cash) / EBITDA.'),
    roe: nullableNumber('Return on equity, percent.'),
    roa: nullableNumber('Return on assets, percent.'),
    profit_margin: nullableNumber('Profit margin, percent.'),
    gross_margin: nullableNumber('Gross margin, percent.'),
    operating_margin: nullableNumber('Operating margin, percent.'),
    net_margin: nullableNumber('Net margin, percent.'),
    roic: nullableNumber('Return on invested capital, percent.'),
    dividend_yield: nullableNumber('Dividend yield, percent.'),
    payout_ratio: nullableNumber('Share of earnings paid as dividends, percent.'),
    debt_to_equity: nullableNumber('Total debt to equity.'),
    current_ratio: nullableNumber('Current assets to current liabilities.'),
    revenue_growth_yoy: nullableNumber('Revenue growth year over year, percent.'),
    earnings_growth_yoy: nullableNumber('Earnings growth year over year, percent.'),
    beta: nullableNumber('Sensitivity of returns to those of the market.'),
    shares_outstanding: nullableNumber('Shares outstanding.'),
    float_shares: nullableNumber('Shares in free float.'),
    free_float_pct: nullableNumber('Free float as percent of shares outstanding.'),
  },
  [],
);

const UNREPORTED = absentFlat(Fundamental.properties);

/** What is reported of the company's books. Until a feed brings statements, sector and exchange of the profile. */
export const fundamental = defineBlock({
  name: 'fundamental',
  schema: Fundamental,
  flat: {},
  reads: [],
  derive({ facts }) {
    const profile = facts.profile.at(-1);
    const sector = profile?.sector ?? null;
    const exchange = profile?.exchange ?? null;
    if (sector === null && exchange === null) return { nested: null, flat: {} };
    return { nested: { ...UNREPORTED, sector, exchange }, flat: {} };
  },
});
