import type { AnyFact } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import { SECTORS } from './simulated-sectors.ts';
import { type Life, rounded, streamOf, traitOf } from './simulated-life.ts';

interface Theme {
  readonly theme: string;
  readonly name: string;
  /** Sectors that gain from it and sectors that suffer. */
  readonly gains: readonly string[];
  readonly suffers: readonly string[];
}

const THEMES: readonly Theme[] = [
  {
    theme: 'machine-intelligence',
    name: 'Machine intelligence',
    gains: ['Information Technology', 'Communication Services', 'Utilities'],
    suffers: ['Financials'],
  },
  {
    theme: 'energy-transition',
    name: 'Energy transition',
    gains: ['Utilities', 'Industrials', 'Materials'],
    suffers: ['Energy'],
  },
  {
    theme: 'ageing-population',
    name: 'Ageing population',
    gains: ['Health Care', 'Real Estate'],
    suffers: ['Consumer Discretionary'],
  },
  {
    theme: 'factories-at-home',
    name: 'Factories at home',
    gains: ['Industrials', 'Materials'],
    suffers: ['Consumer Staples'],
  },
  {
    theme: 'cashless-payments',
    name: 'Cashless payments',
    gains: ['Financials', 'Information Technology'],
    suffers: [],
  },
  {
    theme: 'dear-money',
    name: 'Dear money',
    gains: ['Financials'],
    suffers: ['Real Estate', 'Utilities'],
  },
  {
    theme: 'water-scarcity',
    name: 'Water scarcity',
    gains: ['Utilities', 'Industrials'],
    suffers: ['Consumer Staples', 'Materials'],
  },
  {
    theme: 'online-retail',
    name: 'Online retail',
    gains: ['Consumer Discretionary', 'Communication Services', 'Industrials'],
    suffers: ['Real Estate'],
  },
];

/** Of the themes that its sector has to do with, a company shares this part. */
const SHARE = 0.45;
const REVISION_CHANCE = 0.3;

/** Exposures from the company's first day on, some of them measured anew when a year begins. */
export function themeFacts(life: Life): AnyFact[] {
  const { schedule, path, company } = life;
  const sector = SECTORS[company.sector]!.name;
  const first = schedule.sessions[path.firstSession]!;
  const yearStarts = newYears(life);
  return THEMES.flatMap(({ theme, name, gains, suffers }) => {
    const gaining = gains.includes(sector);
    if (!gaining && !suffers.includes(sector)) return [];
    if (traitOf(life, `theme ${theme}`) >= SHARE) return [];
    const mixed = traitOf(life, `theme ${theme} mixed`) < 0.15;
    const direction = mixed ? 'mixed' : gaining ? 'positive' : 'negative';
    const exposure = (magnitude: number) =>
      ({
        theme,
        themeName: `${name} (simulated)`,
        direction,
        magnitude: rounded(magnitude, 2),
        rationale: `A simulated company of the sector ${sector}, which this theme ${gaining ? 'serves' : 'burdens'}.`,
        validFrom: first.tradeDate,
      }) as const;
    const start = 0.15 + 0.75 * traitOf(life, `theme ${theme} size`);
    const stream = streamOf(life, `theme ${theme}`);
    const revisions = yearStarts.flatMap((session) => {
      const drawn = stream(schedule.day[session]!);
      if (drawn.uniform() >= REVISION_CHANCE) return [];
      const magnitude = Math.min(1, Math.max(0.05, start + 0.2 * drawn.normal()));
      return [factOf('theme_exposure', schedule.sessions[session]!.preOpen, exposure(magnitude))];
    });
    return [factOf('theme_exposure', first.preOpen, exposure(start)), ...revisions];
  });
}

/** Sessions of the path that are the first of a calendar year, its own first one apart. */
function newYears({ schedule, path }: Life): number[] {
  const sessions: number[] = [];
  for (let session = path.firstSession + 1; session < path.firstSession + path.rows; session++) {
    const [before, now] = [schedule.quarter[session - 1]!, schedule.quarter[session]!];
    if (now !== before && now % 4 === 0) sessions.push(session);
  }
  return sessions;
}
