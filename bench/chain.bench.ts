/**
 * Promises: a chain of 6,000 contracts from quotes to scores of every expiration under 10 ms, gamma exposure with its
 * flip of the same under 10 ms, and a verdict that is ready under 1 ms. The first two on one core and on quotes in
 * memory, American and European; the last through the whole service, a call over HTTP on this machine.
 */

import { price } from '../src/analysis/options/black-scholes.ts';
import { evaluateExpirations } from '../src/analysis/options/dte-evaluator.ts';
import { expirationLives } from '../src/analysis/options/expiration-life.ts';
import { gammaExposure } from '../src/analysis/options/gamma-exposure.ts';
import { type ChainTerms, type PricedChain, priceChain } from '../src/analysis/options/quotes.ts';
import { smiles, surfaceFigures } from '../src/analysis/options/surface.ts';
import { DAY_MS, dateOf, newYorkCalendar } from '../src/base/calendar.ts';
import { SETTLEMENTS } from '../src/base/option-roots.ts';
import { type ContractRow, contractColumns, type OptionChain } from '../src/market/chains.ts';
import { importFeed } from '../src/tape/ingest.ts';
import { type BenchLine, median, ms, timed, timedEach, timeOf } from './report.ts';
import { openBenchApp, removeFolder, temporaryFolder } from './universe.ts';

const RUNS = 51;
const WARM_UP = 20;
const EXPIRATIONS = 20;
const STRIKES = 150;
const SPOT = 200;
const RATE = 0.04;
const YEAR_DAYS = 365;
const calendar = newYorkCalendar();
const TODAY = Date.UTC(2024, 5, 26);
const AT = calendar.session(dateOf(TODAY))!.close;

export async function run(): Promise<BenchLine[]> {
  const lines = (['european', 'american'] as const).flatMap((style) => pureLines(madeChain(style)));
  return [...lines, await cachedLine()];
}

/** Twenty expirations of 150 strikes, calls and puts, on a surface with skew. */
function madeChain(style: OptionChain['style']): OptionChain {
  const rows: ContractRow[] = [];
  for (let week = 0; week < EXPIRATIONS; week++) {
    const expiration = TODAY + (2 + week * week + 7 * week) * DAY_MS;
    const years = (expiryOf(expiration) - AT) / (YEAR_DAYS * DAY_MS);
    const forward = SPOT * Math.exp(RATE * years);
    for (let rung = 0; rung < STRIKES; rung++) {
      const strike = SPOT - STRIKES + 2 * rung;
      const volatility = 0.3 - 0.15 * Math.log(strike / forward);
      for (const right of [1, -1]) {
        const middle = price(right, forward, strike, years, volatility, Math.exp(-RATE * years));
        rows.push({
          expiration,
          settlement: SETTLEMENTS.indexOf('close'),
          strike,
          right,
          bid: Math.max(0, middle * 0.99 - 0.01),
          ask: middle * 1.01 + 0.01,
          last: middle,
          volume: 100 + (rung % 7) * right,
          openInterest: 1000 + right * (rung - 75) * 10,
          vendorIv: Number.NaN,
          vendorDelta: Number.NaN,
          vendorGamma: Number.NaN,
        });
      }
    }
  }
  const contracts = contractColumns((name) => Float64Array.from(rows, (row) => row[name]));
  return {
    symbol: 'MADE',
    takenAt: AT,
    underlyingPrice: SPOT,
    style,
    multiplier: 100,
    contracts,
    simulated: true,
  };
}

function expiryOf(expiration: number): number {
  const date = dateOf(expiration);
  return (calendar.session(date) ?? calendar.session(calendar.previousSession(date)!))!.close;
}

function termsOf({ style, multiplier }: OptionChain): ChainTerms {
  return { at: AT, today: TODAY, spot: SPOT, multiplier, style, rate: RATE, expiryOf };
}

const priced = (chain: OptionChain): PricedChain => priceChain(chain.contracts, termsOf(chain));

function scoreAll(chain: PricedChain): void {
  const points = smiles(chain);
  evaluateExpirations({
    chain,
    smiles: points,
    surface: surfaceFigures(chain, points),
    exposure: gammaExposure(chain),
    lives: expirationLives(chain.expirations, TODAY, 0, (date) => calendar.isSession(dateOf(date))),
    atr: 4,
    ivPercentile: 40,
    forecastVolatility: 0.28,
    earningsDates: [],
    timeframe: 'swing',
    direction: 'bullish',
  });
}

function pureLines(chain: OptionChain): BenchLine[] {
  const contracts = chain.contracts.strike.length.toLocaleString('en-US');
  const whole = medianOf(() => scoreAll(priced(chain)));
  const ready = priced(chain);
  const exposure = medianOf(() => gammaExposure(ready));
  return [
    lineOf(
      `${chain.style} chain: quotes to scores`,
      whole,
      10,
      `${contracts} contracts, ${EXPIRATIONS} expirations`,
    ),
    lineOf(`${chain.style} chain: gamma exposure and flip`, exposure, 10, `${contracts} contracts`),
  ];
}

const medianOf = (work: () => void): number => median(timed(work, WARM_UP, RUNS));

/** A verdict that was computed before, asked over HTTP. */
async function cachedLine(): Promise<BenchLine> {
  const folder = temporaryFolder();
  const app = await openBenchApp(folder);
  try {
    const chain = madeChain('american');
    await importFeed(app.context, {
      name: 'bench',
      simulated: true,
      units: async () => [
        {
          key: 'chain',
          weight: 1,
          fingerprint: async () => 'chain',
          async *read() {
            yield { kind: 'chain' as const, chain };
          },
        },
      ],
    });
    const server = await app.server();
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const ask = async (): Promise<void> => {
      const response = await fetch(`${address}/api/graph/v1/options/MADE/dte-scores`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`answered ${response.status}`);
    };
    const first = await timeOf(ask);
    const times = await timedEach(ask, 99, 300);
    await server.close();
    return lineOf('DTE scores, cached, over HTTP', median(times), 1, `the first call took ${ms(first)}`);
  } finally {
    await app.close();
    removeFolder(folder);
  }
}

const lineOf = (promise: string, figure: number, targetMs: number, note: string): BenchLine => ({
  promise,
  figure: ms(figure),
  target: `under ${targetMs} ms`,
  met: figure < targetMs,
  note,
});
