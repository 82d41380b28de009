import { measure, type Measure, notKnown, open } from './lexicon-measure.ts';

/** What the company is, earns and owes. */
export const COMPANY: readonly Measure[] = [
  {
    ...measure(
      'market capitalisation',
      ['fundamental.market_cap', 'fundamental.market_cap_bn'],
      `
    market cap | market capitalization | mkt cap | market value | capitalisation | capitalization |
    cap
  `,
    ),
    formulas: [{ kind: 'product', of: ['last_price', 'fundamental.shares_outstanding'] }],
  },
  measure('enterprise value', ['fundamental.enterprise_value', 'fundamental.enterprise_value_bn'], 'ev'),
  {
    ...measure(
      'price to earnings',
      ['fundamental.pe_ratio'],
      `
    p e | p e ratio | pe | pe ratio | price to earnings ratio | price earnings ratio | trailing p e |
    trailing pe | p e multiple | times earnings | x earnings | times trailing earnings |
    x trailing earnings | earnings multiple
  `,
    ),
    formulas: [{ kind: 'ratio', of: ['last_price', 'fundamental.eps_ttm'] }],
  },
  {
    ...measure(
      'forward price to earnings',
      ['fundamental.forward_pe'],
      `
    forward p e | forward pe | forward p e ratio | forward earnings | x forward earnings |
    times forward earnings | fwd p e | forward multiple
  `,
    ),
    formulas: [{ kind: 'ratio', of: ['last_price', 'analyst.est_eps_avg'] }],
  },
  measure(
    'price to book',
    ['fundamental.price_to_book'],
    'p b | p b ratio | price to book ratio | x book | times book',
  ),
  measure(
    'price to sales',
    ['fundamental.price_to_sales'],
    'p s | p s ratio | price to sales ratio | x sales | times sales | times the revenue',
  ),
  measure('PEG ratio', ['fundamental.peg_ratio'], 'peg | times the growth of earnings'),
  measure('EV/EBITDA', ['fundamental.ev_ebitda'], 'ev ebitda | ev to ebitda'),
  measure(
    'earnings per share',
    ['fundamental.eps_ttm'],
    'eps | trailing eps | eps ttm | ttm eps | trailing earnings per share',
  ),
  measure(
    'cash',
    ['fundamental.cash_and_equivalents', 'fundamental.cash_and_equivalents_bn'],
    'cash and equivalents | cash pile | cash position',
  ),
  measure('debt', ['fundamental.total_debt', 'fundamental.total_debt_bn'], 'total debt'),
  measure('book value per share', ['fundamental.book_value_per_share'], 'book value'),
  measure(
    'operating cash flow',
    ['fundamental.operating_cash_flow', 'fundamental.operating_cash_flow_bn'],
    '',
  ),
  measure(
    'net leverage',
    ['fundamental.net_leverage'],
    'debt net of cash | times earnings before interest | net debt to ebitda | x ebitda',
  ),
  measure('return on equity', ['fundamental.roe'], 'roe | on equity'),
  measure('return on assets', ['fundamental.roa'], 'roa'),
  measure('return on invested capital', ['fundamental.roic'], 'roic'),
  measure('profit margin', ['fundamental.profit_margin', 'fundamental.net_margin']),
  open(
    'share of revenue kept',
    [
      'fundamental.net_margin',
      'fundamental.profit_margin',
      'fundamental.gross_margin',
      'fundamental.operating_margin',
    ],
    'of its revenue | of revenue',
  ),
  measure('net margin', ['fundamental.net_margin', 'fundamental.profit_margin']),
  measure('gross margin', ['fundamental.gross_margin'], 'gross margins'),
  measure('operating margin', ['fundamental.operating_margin'], 'operating margins'),
  measure('dividend yield', ['fundamental.dividend_yield'], 'yield'),
  measure('payout ratio', ['fundamental.payout_ratio'], 'payout'),
  measure(
    'debt to equity',
    ['fundamental.debt_to_equity'],
    'd e | debt equity | debt to equity ratio | debt equity ratio',
  ),
  measure('current ratio', ['fundamental.current_ratio']),
  open(
    'change of revenue',
    ['fundamental.revenue_growth_yoy'],
    'revenue grew | revenue rose | revenue fell | revenue changed | revenue declined | sales grew | sales rose | sales fell',
  ),
  open(
    'change of earnings',
    ['fundamental.earnings_growth_yoy'],
    'earnings grew | earnings rose | earnings fell | earnings changed | earnings declined | earnings by',
  ),
  measure(
    'revenue growth',
    ['fundamental.revenue_growth_yoy'],
    'revenue growth year over year | sales growth',
  ),
  measure(
    'earnings growth',
    ['fundamental.earnings_growth_yoy'],
    'earnings growth year over year | eps growth | profit growth',
  ),
  measure('beta', ['fundamental.beta']),
  measure('shares outstanding', ['fundamental.shares_outstanding'], 'outstanding shares | share count'),
  measure('float', ['fundamental.float_shares', 'fundamental.free_float_pct'], 'free float | float shares'),
  measure('employees', ['employees'], 'staff | workforce'),
  ...notKnown(`
    revenue | revenues | net income | ebitda | free cash flow | guidance | dividend |
    dividends | short interest | days to cover | profit | profits | income | buyback | cost | costs |
    capex | margin | margins | backlog | orders | deliveries | users | subscribers
  `),
  ...notKnown(`
    stop | stop loss | entry | entry price | position size | position | risk | reward | win rate |
    probability | chance | odds | call | calls | put | puts | straddle | spread |
    premium | condor | contract size | delta | theta | vega | gamma | confidence | weight |
    threshold | trigger | invalidation | breakeven | break even | hedge | allocation | portfolio |
    drawdown | sharpe | sharpe ratio | macd crossover
  `),
];
