import type { Static, TObject, TUnsafe } from 'typebox';
import { Type } from '../base/type.ts';

/**
 * What is reported of a company rather than traded. Each kind is one schema; its type, its validation, the columns of
 * files and the table in `docs/data-formats.md` follow from it.
 *
 * Every fact says from which instant it may be quoted (`knownAt`) and what it is about (`key`, unique within symbol and
 * kind). A later fact with the same key revises the earlier one from its own instant on, field by field: null in it
 * means "does not say". Money is US dollars, shares are on the basis of the day that they were reported, ratios that
 * the contract calls percent are in percent (12.5 = 12.5 %), dates are New York dates YYYY-MM-DD, instants epoch
 * milliseconds.
 */

/** Ten times the longest company description. */
const TEXT_LENGTH_MAX = 20_000;
/** Symbols that one news item may mention. */
const SYMBOLS_MAX = 1_000;

/** JSON Schema of one field, with two words more. */
export interface FieldSchema {
  /** A list with `null` means that the field may be unknown. */
  readonly type: FieldType | readonly [FieldType, 'null'];
  /** `date` YYYY-MM-DD; `instant` epoch milliseconds; `code` one capital letter. */
  readonly format?: 'date' | 'instant' | 'code';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** A text of paragraphs; every other is one line. */
  readonly isProse?: true;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  /** Unit or meaning, for the documentation. */
  readonly unit?: string | undefined;
}

type FieldType = 'string' | 'number' | 'integer' | 'array' | 'object';

const field = <T>(schema: FieldSchema): TUnsafe<T> => Type.Unsafe<T>(schema);
const maybe = <T>({ type, ...rest }: FieldSchema & { type: FieldType }): TUnsafe<T | null> =>
  field<T | null>({ ...rest, type: [type, 'null'] });

const text = (unit?: string) => maybe<string>({ type: 'string', maxLength: TEXT_LENGTH_MAX, unit });
const prose = () => maybe<string>({ type: 'string', maxLength: TEXT_LENGTH_MAX, isProse: true });
const date = (unit?: string) => maybe<string>({ type: 'string', format: 'date', unit });
const instant = (unit?: string) => maybe<number>({ type: 'integer', format: 'instant', unit });
const number = (unit?: string) => maybe<number>({ type: 'number', unit });
const amount = (unit?: string) => maybe<number>({ type: 'number', minimum: 0, unit });
const positive = (unit?: string) => maybe<number>({ type: 'number', exclusiveMinimum: 0, unit });
const between = (minimum: number, maximum: number, unit?: string) =>
  maybe<number>({ type: 'number', minimum, maximum, unit });
const count = () => maybe<number>({ type: 'integer', minimum: 0 });
const oneOf = <const Word extends string>(words: readonly Word[], unit?: string) =>
  maybe<Word>({ type: 'string', enum: words, unit });

/** The same field where null is no answer. */
function required<T>(schema: TUnsafe<T | null>): TUnsafe<T> {
  const { type, ...rest } = schema as unknown as FieldSchema;
  return field<T>({ ...rest, type: type[0] as FieldType });
}

/** Ratios that vendors state without their inputs; units of the contract (percent fields in percent). */
const STATED_RATIOS = [
  'market_cap',
  'enterprise_value',
  'pe_ratio',
  'forward_pe',
  'price_to_book',
  'price_to_sales',
  'peg_ratio',
  'ev_ebitda',
  'book_value_per_share',
  'net_leverage',
  'roe',
  'roa',
  'profit_margin',
  'gross_margin',
  'operating_margin',
  'net_margin',
  'roic',
  'dividend_yield',
  'payout_ratio',
  'debt_to_equity',
  'current_ratio',
  'revenue_growth_yoy',
  'earnings_growth_yoy',
  'beta',
] as const;
export type StatedRatio = (typeof STATED_RATIOS)[number];

const RATIOS_NOT_NEGATIVE: readonly StatedRatio[] = ['market_cap', 'dividend_yield', 'current_ratio'];

const statedRatios = () =>
  field<Readonly<Partial<Record<StatedRatio, number>>>>({
    type: 'object',
    properties: Object.fromEntries(
      STATED_RATIOS.map((name): [string, FieldSchema] => [
        name,
        RATIOS_NOT_NEGATIVE.includes(name) ? { type: 'number', minimum: 0 } : { type: 'number' },
      ]),
    ),
  });

export const REPORT_TIMES = ['pre_market', 'post_market', 'during_market', 'unknown'] as const;
export type ReportTime = (typeof REPORT_TIMES)[number];

const GRADE_ACTIONS = ['maintain', 'upgrade', 'downgrade', 'initiate', 'reiterate'] as const;
export type GradeAction = (typeof GRADE_ACTIONS)[number];

/** What a kind says of itself beside the fields of its schema. */
interface KindRules<Value> {
  /** What a value is about, as text; names are compared without case and extra spaces. */
  readonly key: (value: Value) => string;
  /** The same for the documentation. */
  readonly keyText: string;
  /** How long before an instant facts of the kind are looked at: what is older says nothing of the stock as it is now. */
  readonly windowDays: number;
  /** Date or instant before whose beginning the fact cannot be known. */
  readonly notKnownBefore?: keyof Value;
  /** Fields that only say what the fact is about; if all others are null, it says nothing. */
  readonly subject?: readonly (keyof Value)[];
  /** Fields of which the first cannot lie above the second. */
  readonly ascending?: readonly [keyof Value, keyof Value];
}

function kind<Fields extends Readonly<Record<string, TUnsafe<unknown>>>>(
  fields: Fields,
  rules: KindRules<Static<TObject<Fields>>>,
) {
  return Type.Object(fields, { additionalProperties: false, ...rules }) as TObject<Fields> & typeof rules;
}

const plain = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();

const ALWAYS = Number.POSITIVE_INFINITY;
const PER_SHARE = 'dollars per share';

export const FACT_SCHEMAS = {
  profile: kind(
    {
      companyName: text(),
      description: prose(),
      ceo: text(),
      headquarters: text(),
      employees: count(),
      ipoDate: date(),
      website: text(),
      logoUrl: text(),
      sector: text(),
      industry: text(),
      exchange: text(),
    },
    { key: () => 'company', keyText: '`company`', windowDays: ALWAYS, subject: [] },
  ),
  /** Under which ticker a security trades, and where. */
  listing: kind(
    {
      from: required(date('from which the ticker holds')),
      ticker: required(text()),
      exchange: text('of the primary listing'),
    },
    { key: ({ from }) => from, keyText: '`from`', windowDays: ALWAYS, notKnownBefore: 'from' },
  ),
  /**
   * The books at the end of a fiscal period, flows over the trailing twelve months. Where a source states a ratio and not
   * its inputs, the ratio is in `stated`; the block prefers to compute it.
   */
  fundamentals: kind(
    {
      periodEnd: required(date('the end of the fiscal period, or the date of a source that names none')),
      revenueTtm: number('dollars'),
      grossProfitTtm: number('dollars'),
      operatingIncomeTtm: number('dollars'),
      netIncomeTtm: number('dollars'),
      ebitdaTtm: number('dollars'),
      operatingCashFlowTtm: number('dollars'),
      freeCashFlowTtm: number('dollars'),
      dividendsPaidTtm: amount('dollars'),
      epsTtm: number(PER_SHARE),
      /** Earnings per share over the twelve months before those of `epsTtm`. */
      epsTtmPriorYear: number(PER_SHARE),
      revenueTtmPriorYear: number('dollars'),
      /** Income before tax and tax over the trailing twelve months: their quotient is the tax rate of ROIC. */
      pretaxIncomeTtm: number('dollars'),
      taxTtm: number('dollars'),
      totalAssets: amount('dollars'),
      totalEquity: number('dollars'),
      currentAssets: amount('dollars'),
      currentLiabilities: amount('dollars'),
      cashAndEquivalents: amount('dollars'),
      totalDebt: amount('dollars'),
      dividendPerShare: amount(PER_SHARE),
      stated: statedRatios(),
    },
    {
      key: ({ periodEnd }) => periodEnd,
      keyText: '`period_end`',
      windowDays: 900,
      notKnownBefore: 'periodEnd',
      subject: ['periodEnd'],
    },
  ),
  shares: kind(
    { outstanding: positive('shares'), float: amount('shares') },
    {
      // Either may be on another day's share basis, so a fact on the float alone must not revise the shares outstanding.
      key: ({ outstanding }) => (outstanding === null ? 'float' : 'shares'),
      keyText: '`shares`, or `float` if only that is known',
      windowDays: 900,
      subject: [],
    },
  ),
  earnings_report: kind(
    {
      date: required(date('of the announcement')),
      time: required(oneOf(REPORT_TIMES, 'default `unknown`')),
      periodEnd: date('the end of the fiscal quarter'),
      epsEstimate: number(PER_SHARE),
      epsActual: number(PER_SHARE),
      revenueEstimate: number('dollars'),
      revenueActual: number('dollars'),
    },
    { key: (value) => value.date, keyText: '`date`', windowDays: 1_200, notKnownBefore: 'date' },
  ),
  /** When results are expected. */
  earnings_date: kind(
    {
      date: required(date()),
      time: required(oneOf(REPORT_TIMES, 'default `unknown`')),
      status: required(oneOf(['confirmed', 'projected'])),
      epsEstimate: number(PER_SHARE),
      revenueEstimate: number('dollars'),
    },
    { key: () => 'next', keyText: '`next`', windowDays: 200 },
  ),
  /** One firm's opinion of the stock. */
  analyst_grade: kind(
    {
      date: required(date()),
      firm: required(text()),
      action: required(oneOf(GRADE_ACTIONS)),
      from: text(),
      to: text(),
      target: positive('dollars'),
    },
    {
      key: (value) => `${value.date} ${plain(value.firm)}`,
      keyText: '`date` and `firm`',
      windowDays: 400,
      notKnownBefore: 'date',
    },
  ),
  /** How many analysts hold which opinion. */
  recommendations: kind(
    {
      strongBuy: count(),
      buy: count(),
      hold: count(),
      sell: count(),
      strongSell: count(),
      mean: between(1, 5, '1 strong sell, 5 strong buy'),
      analysts: count(),
    },
    { key: () => 'consensus', keyText: '`consensus`', windowDays: 400, subject: [] },
  ),
  /** Price targets over all analysts. */
  price_target: kind(
    { mean: positive('dollars'), high: positive('dollars'), low: positive('dollars'), analysts: count() },
    {
      key: () => 'consensus',
      keyText: '`consensus`',
      windowDays: 400,
      subject: [],
      ascending: ['low', 'high'],
    },
  ),
  /** Estimates for a fiscal year. */
  analyst_estimates: kind(
    {
      year: required(oneOf(['current_year', 'next_year'])),
      epsAverage: number(PER_SHARE),
      epsHigh: number(PER_SHARE),
      epsLow: number(PER_SHARE),
      revenueAverage: number('dollars'),
      analysts: count(),
    },
    {
      key: ({ year }) => year,
      keyText: '`year`',
      windowDays: 400,
      subject: ['year'],
      ascending: ['epsLow', 'epsHigh'],
    },
  ),
  /** One line of a Form 4. The key has shares and price, so that a filing listed twice counts once. */
  insider_transaction: kind(
    {
      date: required(date('of the transaction; `known_at` is its filing')),
      owner: required(text()),
      title: text(),
      code: required(
        maybe<string>({
          type: 'string',
          format: 'code',
          unit: 'of SEC Form 4: P purchase, S sale, A grant, M exercise, F tax, G gift',
        }),
      ),
      shares: required(positive('shares')),
      price: amount(PER_SHARE),
      direction: oneOf(['acquired', 'disposed']),
    },
    {
      key: (value) =>
        `${value.date} ${plain(value.owner)} ${value.code} ${value.shares} ${value.price ?? '-'}`,
      keyText: '`date`, `owner`, `code`, `shares`, `price`',
      windowDays: 200,
      notKnownBefore: 'date',
    },
  ),
  /** A news item that mentions the symbol. */
  news: kind(
    {
      publishedAt: required(instant()),
      headline: required(text()),
      summary: prose(),
      source: text(),
      url: text(),
      symbols: field<readonly string[]>({
        type: 'array',
        maxItems: SYMBOLS_MAX,
        unit: "in tables parted by space, `;`, `,` or `\\|`; default: the row's symbol",
      }),
      eventType: text(),
      /** Null if the vendor does not score tone. */
      sentiment: between(-1, 1),
      /** How much the item is about the symbol. */
      relevance: between(0, 1),
    },
    {
      key: ({ url, publishedAt, headline }) => url ?? `${publishedAt} ${plain(headline)}`,
      keyText: '`url`, else `published_at` and `headline`',
      windowDays: 31,
      notKnownBefore: 'publishedAt',
    },
  ),
  /** Exposure to a structural theme. */
  theme_exposure: kind(
    {
      theme: required(text()),
      themeName: text(),
      direction: required(oneOf(['positive', 'negative', 'mixed'])),
      magnitude: between(0, 1, '0 ends the exposure'),
      rationale: prose(),
      validFrom: date(),
    },
    { key: ({ theme }) => theme, keyText: '`theme`', windowDays: ALWAYS },
  ),
  /** A halt of trading. A revision brings the end. */
  halt: kind(
    { from: required(instant()), to: instant('null while it lasts'), reason: text() },
    { key: ({ from }) => String(from), keyText: '`from`', windowDays: 7, ascending: ['from', 'to'] },
  ),
};

export type FactKind = keyof typeof FACT_SCHEMAS;
export const FACT_KINDS = Object.keys(FACT_SCHEMAS) as readonly FactKind[];

export type FactValues = {
  readonly [Kind in FactKind]: Readonly<Static<(typeof FACT_SCHEMAS)[Kind]>>;
};
export type CompanyProfile = FactValues['profile'];
export type Fundamentals = FactValues['fundamentals'];
export type EarningsReport = FactValues['earnings_report'];
export type EarningsDate = FactValues['earnings_date'];
export type AnalystGrade = FactValues['analyst_grade'];
export type Recommendations = FactValues['recommendations'];
export type PriceTarget = FactValues['price_target'];
export type AnalystEstimates = FactValues['analyst_estimates'];
export type InsiderTransaction = FactValues['insider_transaction'];
export type NewsItem = FactValues['news'];
export type ThemeExposure = FactValues['theme_exposure'];

/** The rules of a kind for code that does not know which kind it is. */
type AnyKindSchema = KindRules<Readonly<Record<string, unknown>>> & {
  readonly properties: Readonly<Record<string, FieldSchema>>;
};
export const schemaOf = (kind: FactKind): AnyKindSchema => FACT_SCHEMAS[kind] as unknown as AnyKindSchema;

/** One fact of a symbol as it was reported. */
export interface ReportedFact<Kind extends FactKind = FactKind> {
  readonly kind: Kind;
  readonly key: string;
  readonly knownAt: number;
  readonly value: FactValues[Kind];
}

export type AnyFact = { readonly [Kind in FactKind]: ReportedFact<Kind> }[FactKind];

/** What was known at an instant: for each kind the newest fact of every key, oldest first by `knownAt`. */
export type KnownFacts = {
  readonly [Kind in FactKind]: readonly (FactValues[Kind] & { readonly knownAt: number })[];
};
