/** A sector of the simulated economy: how its companies move, pay and call themselves. */
export interface Sector {
  readonly name: string;
  /** Share of the companies. */
  readonly share: number;
  /** Mean beta to the market. */
  readonly beta: number;
  /** Daily standard deviation of the sector's own factor in an ordinary market. */
  readonly sigma: number;
  /** Share of companies that pay a dividend, and their mean yield a year as a fraction. */
  readonly payers: number;
  readonly yield: number;
  readonly industries: readonly Industry[];
}

export interface Industry {
  readonly name: string;
  /** What a company of it calls itself and says that it does. */
  readonly noun: string;
  readonly trade: string;
}

const industry = (name: string, noun: string, trade: string): Industry => ({ name, noun, trade });

/** Eleven sectors in the manner of the common classifications; companies of them exist only in the model. */
export const SECTORS: readonly Sector[] = [
  {
    name: 'Information Technology',
    share: 0.15,
    beta: 1.2,
    sigma: 0.0065,
    payers: 0.4,
    yield: 0.011,
    industries: [
      industry('Semiconductors', 'Semiconductors', 'designs chips'),
      industry('Application Software', 'Software', 'sells business software'),
      industry('Technology Hardware', 'Devices', 'builds computers and storage'),
      industry('IT Consulting', 'Systems', 'runs computer systems for others'),
      industry('Electronic Components', 'Components', 'makes connectors and sensors'),
    ],
  },
  {
    name: 'Health Care',
    share: 0.13,
    beta: 0.85,
    sigma: 0.005,
    payers: 0.4,
    yield: 0.016,
    industries: [
      industry('Pharmaceuticals', 'Pharma', 'sells prescription medicines'),
      industry('Biotechnology', 'Biologics', 'develops biological medicines'),
      industry('Health Care Equipment', 'Medical', 'makes surgical equipment'),
      industry('Managed Health Care', 'Health', 'insures patients'),
    ],
  },
  {
    name: 'Financials',
    share: 0.14,
    beta: 1.1,
    sigma: 0.0058,
    payers: 0.85,
    yield: 0.027,
    industries: [
      industry('Diversified Banks', 'Bancorp', 'takes deposits and lends'),
      industry('Regional Banks', 'Savings', 'lends to local business'),
      industry('Property and Casualty Insurance', 'Assurance', 'insures homes and cars'),
      industry('Asset Management', 'Asset Management', 'manages funds'),
      industry('Transaction Processing', 'Payments', 'clears card payments'),
    ],
  },
  {
    name: 'Consumer Discretionary',
    share: 0.12,
    beta: 1.15,
    sigma: 0.0058,
    payers: 0.45,
    yield: 0.016,
    industries: [
      industry('Broadline Retail', 'Stores', 'sells goods online and in shops'),
      industry('Restaurants', 'Kitchens', 'runs restaurants'),
      industry('Automobile Manufacturers', 'Motors', 'builds cars'),
      industry('Homebuilding', 'Homes', 'builds houses'),
      industry('Hotels and Cruise Lines', 'Resorts', 'runs hotels'),
    ],
  },
  {
    name: 'Industrials',
    share: 0.14,
    beta: 1.05,
    sigma: 0.0047,
    payers: 0.7,
    yield: 0.019,
    industries: [
      industry('Aerospace and Defense', 'Aerospace', 'builds aircraft parts'),
      industry('Industrial Machinery', 'Machinery', 'makes pumps and presses'),
      industry('Railroads', 'Rail', 'carries freight by rail'),
      industry('Electrical Equipment', 'Electric', 'makes switchgear'),
      industry('Air Freight and Logistics', 'Logistics', 'delivers parcels'),
    ],
  },
  {
    name: 'Communication Services',
    share: 0.06,
    beta: 1.0,
    sigma: 0.0055,
    payers: 0.4,
    yield: 0.025,
    industries: [
      industry('Interactive Media', 'Networks', 'runs social networks'),
      industry('Telecommunication Services', 'Telecom', 'sells telephone and data lines'),
      industry('Movies and Entertainment', 'Pictures', 'makes films'),
    ],
  },
  {
    name: 'Consumer Staples',
    share: 0.07,
    beta: 0.6,
    sigma: 0.0042,
    payers: 0.9,
    yield: 0.028,
    industries: [
      industry('Packaged Foods', 'Foods', 'packs food'),
      industry('Household Products', 'Household', 'makes soap and paper'),
      industry('Soft Drinks', 'Beverages', 'bottles drinks'),
      industry('Food Retail', 'Grocers', 'sells groceries'),
    ],
  },
  {
    name: 'Energy',
    share: 0.05,
    beta: 1.1,
    sigma: 0.0105,
    payers: 0.8,
    yield: 0.036,
    industries: [
      industry('Oil and Gas Exploration', 'Exploration', 'drills for oil and gas'),
      industry('Oil and Gas Refining', 'Refining', 'refines oil'),
      industry('Oil and Gas Equipment', 'Oilfield', 'serves oil wells'),
    ],
  },
  {
    name: 'Utilities',
    share: 0.05,
    beta: 0.5,
    sigma: 0.0056,
    payers: 0.97,
    yield: 0.034,
    industries: [
      industry('Electric Utilities', 'Power', 'makes and sells electricity'),
      industry('Gas Utilities', 'Gas', 'sells gas to homes'),
      industry('Water Utilities', 'Water', 'supplies water'),
    ],
  },
  {
    name: 'Real Estate',
    share: 0.05,
    beta: 0.9,
    sigma: 0.0058,
    payers: 0.95,
    yield: 0.038,
    industries: [
      industry('Industrial REITs', 'Warehouse Trust', 'lets warehouses'),
      industry('Residential REITs', 'Apartment Trust', 'lets flats'),
      industry('Office REITs', 'Office Trust', 'lets offices'),
    ],
  },
  {
    name: 'Materials',
    share: 0.04,
    beta: 1.1,
    sigma: 0.0064,
    payers: 0.75,
    yield: 0.022,
    industries: [
      industry('Specialty Chemicals', 'Chemicals', 'makes coatings'),
      industry('Steel', 'Steel', 'rolls steel'),
      industry('Gold', 'Mining', 'mines gold'),
      industry('Packaging', 'Packaging', 'makes boxes and bottles'),
    ],
  },
];

/** Place of a sector's first industry when the industries of all sectors stand in one row. */
export const FIRST_INDUSTRY: readonly number[] = SECTORS.map((_, sector) =>
  SECTORS.slice(0, sector).reduce((count, { industries }) => count + industries.length, 0),
);

export const INDUSTRY_COUNT = SECTORS.reduce((count, { industries }) => count + industries.length, 0);
