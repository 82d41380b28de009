import { hierarchy, treemap } from 'd3-hierarchy';
import type { ReactNode } from 'react';
import type { MarketContext } from '../shared/api/queries.ts';
import { Figure } from '../shared/charts/figure.tsx';
import { isolated } from '../shared/ui/isolated.ts';
import { formatNumber } from '../shared/ui/number.tsx';

type Sector = MarketContext['sectors'][number];

export const SECTOR_RETURNS = {
  return_1d_pct: '1 session',
  return_5d_pct: '5',
  return_20d_pct: '20',
} as const;
export type SectorReturn = keyof typeof SECTOR_RETURNS;

const HEIGHT = 260;
/** A return that is drawn at full strength, percent. */
const FULL: Readonly<Record<SectorReturn, number>> = {
  return_1d_pct: 3,
  return_5d_pct: 6,
  return_20d_pct: 12,
};

interface Tile {
  readonly sector?: Sector;
  readonly children?: readonly Tile[];
}

interface SectorTreemapProps {
  readonly sectors: readonly Sector[];
  readonly by: SectorReturn;
}

/** Sectors as tiles: as large as they have stocks, as strong in colour as their mean return. */
export function SectorTreemap({ sectors, by }: SectorTreemapProps): ReactNode {
  return (
    <Figure label={`Sectors by return over ${SECTOR_RETURNS[by]}`} height={HEIGHT} className="treemap">
      {(width) => {
        const root = hierarchy<Tile>({ children: sectors.map((sector) => ({ sector })) })
          .sum(({ sector }) => sector?.stocks ?? 0)
          .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
        const tiles = treemap<Tile>().size([width, HEIGHT]).paddingInner(2).round(true)(root).leaves();
        return tiles.map(({ x0, y0, x1, y1, data }) => {
          const { sector: name, stocks, [by]: value } = data.sector!;
          const strength = Math.min(Math.abs(value ?? 0) / FULL[by], 1);
          const shown = value === null ? 'not known' : `${formatNumber(value, 2, 'exceptZero')} %`;
          return (
            <g key={name} data-tip={`${isolated(name)}\n${stocks} stocks, mean return ${shown}`}>
              <rect className="base" x={x0} y={y0} width={x1 - x0} height={y1 - y0} />
              <rect
                className={(value ?? 0) >= 0 ? 'up' : 'down'}
                style={{ opacity: 0.15 + 0.55 * strength }}
                x={x0}
                y={y0}
                width={x1 - x0}
                height={y1 - y0}
              />
              {x1 - x0 < 60 || y1 - y0 < 34 ? null : (
                <>
                  <text className="tile-name" x={x0 + 6} y={y0 + 16}>
                    {isolated(fitting(name, x1 - x0))}
                  </text>
                  <text className="tile-value" x={x0 + 6} y={y0 + 32}>
                    {shown}
                  </text>
                </>
              )}
            </g>
          );
        });
      }}
    </Figure>
  );
}

/** A name cut to a width of about six pixels a letter. */
function fitting(name: string, width: number): string {
  const letters = Math.floor((width - 12) / 6.2);
  return name.length <= letters ? name : `${name.slice(0, Math.max(letters - 1, 1))}…`;
}
