import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Stock, type Surface, surfaceQuery } from '../../shared/api/queries.ts';
import { chainAge, countedFrom } from '../../shared/chain-age.ts';
import { Curves } from '../../shared/charts/curves.tsx';
import type { Instant } from '../../shared/instant.ts';
import { Select } from '../../shared/ui/choices.tsx';
import { formatNumber, formatPrice } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Answered, Missing } from '../../shared/ui/states.tsx';

type Smile = Surface['expirations'][number];

interface Props {
  readonly stock: Stock;
  readonly asOf: Instant;
}

/** Strikes of a smile that are traded, as a share of spot. */
const REACH = 0.2;
/** The smile that is shown first: about a month. */
const USUAL_DAYS = 30;
/** Wings of the other smiles above so much of this one's are cut off: those of the last day rise tenfold. */
const OTHERS_REACH = 1.5;
/** Points of a smile that make a curve. */
const POINTS_MIN = 3;

const percent = (value: number): string => `${formatNumber(value * 100, 1)} %`;

/** The smile of an expiration among the others, and volatility at the money over time. */
export function Volatility({ stock, asOf }: Props): ReactNode {
  const asked = useQuery({
    ...surfaceQuery(stock.symbol, asOf),
    select: (answer) => countedFrom(answer, stock),
  });
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Answered asked={asked} height={220}>
      {(surface) => {
        const smiles = surface.expirations.filter(({ strike }) => strike.length >= POINTS_MIN);
        const shown = smiles.find((smile) => expirationName(smile) === chosen) ?? usual(smiles);
        const reason = surface.availability_qualifier || 'No contract of the chain can be priced.';
        if (shown === undefined || surface.spot_price === null) {
          return (
            <Panel label="Volatility surface" className="wide" title="Volatility smile">
              <Missing reason={reason} height={120} />
            </Panel>
          );
        }
        return (
          <>
            <Panel
              label="Volatility smile"
              className="double"
              title={
                <>
                  Volatility smile{' '}
                  <Select
                    label="Expiration of the smile"
                    options={Object.fromEntries(
                      smiles.map((smile) => [
                        expirationName(smile),
                        `${expirationName(smile)}, ${smile.dte} days`,
                      ]),
                    )}
                    value={expirationName(shown)}
                    onChange={setChosen}
                  />
                </>
              }
              small={chainAge(surface)}
            >
              <SmileFigure smiles={smiles} shown={shown} spot={surface.spot_price} />
            </Panel>
            <Panel label="Term structure" small={chainAge(surface)}>
              <TermFigure surface={surface} onChoose={setChosen} />
            </Panel>
          </>
        );
      }}
    </Answered>
  );
}

/** Two classes of an index may expire on one date; that which settles at the open says so. */
export const expirationName = ({
  expiration,
  settlement,
}: Pick<Smile, 'expiration' | 'settlement'>): string =>
  settlement === 'open' ? `${expiration} (open)` : expiration;

const usual = (smiles: readonly Smile[]): Smile | undefined =>
  smiles.toSorted((a, b) => Math.abs(a.dte - USUAL_DAYS) - Math.abs(b.dte - USUAL_DAYS))[0];

interface SmileProps {
  readonly smiles: readonly Smile[];
  readonly shown: Smile;
  readonly spot: number;
}

function SmileFigure({ smiles, shown, spot }: SmileProps): ReactNode {
  const near = (smile: Smile): [strike: number, volatility: number][] =>
    smile.strike.flatMap((strike, at): [number, number][] =>
      Math.abs(strike / spot - 1) <= REACH ? [[strike, smile.volatility[at]!]] : [],
    );
  const ceiling = OTHERS_REACH * Math.max(...near(shown).map(([, volatility]) => volatility));
  const curves = smiles.map((smile) => ({
    name: `${expirationName(smile)}, ${smile.dte} days`,
    isChosen: smile === shown,
    points: near(smile).filter(([, volatility]) => volatility <= ceiling),
  }));
  return (
    <Curves
      label={`Implied volatility by strike, ${expirationName(shown)}`}
      curves={curves}
      shownX={(strike) => formatPrice(strike)}
      shownY={percent}
      mark={{ at: spot, name: `spot ${formatPrice(spot)}` }}
    />
  );
}

interface TermProps {
  readonly surface: Surface;
  readonly onChoose: (expiration: string) => void;
}

const TERM_CURVES = [
  ['at_the_money', 'at the money', undefined],
  ['put_25_delta', 'put, 25 delta', 'down'],
  ['call_25_delta', 'call, 25 delta', 'up'],
] as const;

function TermFigure({ surface, onChoose }: TermProps): ReactNode {
  const { expirations } = surface;
  const curves = TERM_CURVES.map(([name, title, tone]) => ({
    name: title,
    isChosen: name === 'at_the_money',
    ...(tone === undefined ? {} : { tone }),
    points: expirations.flatMap((one): [number, number][] => {
      const volatility = one[name];
      return volatility === null ? [] : [[one.dte, volatility]];
    }),
  }));
  return (
    <>
      <Curves
        label="Implied volatility by days to expiration"
        curves={curves}
        shownX={(days) => `${days} d`}
        shownY={percent}
        isRootX
        onChoose={(days) => onChoose(expirationName(expirations.find(({ dte }) => dte === days)!))}
      />
      <p className="curve-keys">
        {TERM_CURVES.map(([, title, tone = '']) => (
          <span key={title} className={`curve-key ${tone}`}>
            {title}
          </span>
        ))}
      </p>
    </>
  );
}
