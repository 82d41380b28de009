import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { AlertButton } from './alerts/alert-button.tsx';
import { choicesOfLine, choicesOfSide } from './alerts/choices.ts';
import { type Explanation, explainQuery, type LedgerLine, type Stock, stockQuery } from './api/queries.ts';
import { causesOf } from './causes.ts';
import { MEASURES } from './component-words.ts';
import { flipWords, inputTitle, inputValue, startLow } from './input-words.ts';
import { atMinute, type Instant, minuteOf, wordsOf } from './instant.ts';
import { inWords } from './levels.ts';
import { recordWords } from './records.ts';
import { selects, useSelection } from './selection.tsx';
import { ABSENT } from './sentences.ts';
import { format, formatNumber, Num } from './ui/number.tsx';
import { Missing } from './ui/states.tsx';
import { TabList } from './ui/tab-list.tsx';

/** The scores whose ledgers are shown, and the blocks that hold them. */
const SCORES = { confluence: 'Confluence', pulse: 'Pulse', entry: 'Entry' } as const;
type ScoreName = keyof typeof SCORES;

/** The field whose explanation has both sides of a score. */
const EXPLAINED: Readonly<Record<ScoreName, string>> = {
  confluence: 'net_confluence',
  pulse: 'pulse_net',
  entry: 'net_entry_score',
};

interface Side {
  readonly title: 'Bull' | 'Bear';
  readonly tone: 'up' | 'down';
  readonly total: number | null;
  readonly tier: string | null;
  readonly lines: readonly LedgerLine[];
}

interface Score {
  readonly sides: readonly Side[];
  readonly net: number | null;
  /** What the net is called; it names neither side. */
  readonly netWord: string | null;
  readonly flip: Flip | null;
}

type Flip = NonNullable<NonNullable<Stock['confluence_v5']>['nearest_flip']>;

const BLOCKS = { confluence: 'confluence_v5', pulse: 'pulse_v5', entry: 'entry_v2' } as const;

function scoreOf(stock: Stock, name: ScoreName): Score | null {
  const block = stock[BLOCKS[name]];
  if (block === null || block === undefined) return null;
  const isConfluence = name === 'confluence';
  const sideOf = (title: Side['title'], tier: string | null | undefined): Side => ({
    title,
    tone: title === 'Bull' ? 'up' : 'down',
    total: title === 'Bull' ? block.bull : block.bear,
    tier: (isConfluence ? tier : null) ?? null,
    lines: title === 'Bull' ? block.bull_ledger : block.bear_ledger,
  });
  return {
    sides: [sideOf('Bull', stock.bullish_tier), sideOf('Bear', stock.bearish_tier)],
    net: block.net,
    netWord: (name === 'pulse' ? stock.pulse_bias : null) ?? null,
    flip: 'nearest_flip' in block ? block.nearest_flip : null,
  };
}

interface LedgersProps {
  readonly stock: Stock;
  readonly compareTo?: string;
  /** The instant that is shown. */
  readonly asOf: Instant;
  /** What can be entered now: with the entry score above its ledger, else below the ledgers. */
  readonly setups?: ReactNode;
}

/** Bull and bear ledgers as bars of what each line contributes, with what would turn the side. */
export function Ledgers({ stock, compareTo, setups, asOf }: LedgersProps): ReactNode {
  const [name, setName] = useState<ScoreName>('confluence');
  const now = useQuery({ ...stockQuery(compareTo ?? '', undefined), enabled: compareTo !== undefined });
  const isEntry = name === 'entry';
  const last = useLastEntry(stock, isEntry);
  const score = scoreOf(last ?? stock, name);
  const explained = useQuery(
    explainQuery(stock.symbol, EXPLAINED[name], asOf ?? (last === null ? undefined : last.updated_at)),
  ).data;
  const later = compareTo === undefined || now.data === undefined ? null : scoreOf(now.data, name);
  return (
    <>
      <section className="panel ledgers" aria-label="Ledgers">
        <TabList className="panel-head" label="Score" titles={SCORES} chosen={name} onChoose={setName} />
        {isEntry ? setups : null}
        {last === null ? null : (
          <p className="note">
            The session is over. Its last entry scores, {wordsOf(Date.parse(last.entry_v2!.computed_at))}:
          </p>
        )}
        {score === null ? (
          <Missing reason={ABSENT.score.replace('{score}', SCORES[name])} height={160} />
        ) : (
          <>
            {score.sides.map((side, at) => (
              <Ledger
                key={side.title}
                side={side}
                stock={stock}
                then={later?.sides[at]?.lines}
                flip={score.flip}
                explained={explained}
              />
            ))}
            <Net score={score} later={later} title={SCORES[name]} />
            <ImportNext explained={explained} isOpen={score.sides[0]!.total === null} />
            <RecordNote record={explained?.record} />
          </>
        )}
      </section>
      {isEntry ? null : setups}
    </>
  );
}

interface NetProps {
  readonly score: Score;
  readonly later: Score | null;
  readonly title: string;
}

/** Bull less bear, at the newest instant too where that is compared, and what would turn the side. */
function Net({ score: { net, netWord, flip }, later, title }: NetProps): ReactNode {
  return (
    <p className="net">
      Net <Num value={net} shape="score" label={`${title}: bull less bear`} unit="points" directed />
      {netWord === null ? null : <span className="tier"> {netWord.replaceAll('_', ' ')}</span>}
      {later === null ? null : (
        <>
          {' · now '}
          <Num
            value={later.net}
            shape="score"
            label="The same at the newest instant"
            unit="points"
            directed
          />
        </>
      )}
      {flip === null ? null : (
        <>
          {' · '}
          <FlipNote flip={flip} />
        </>
      )}
    </p>
  );
}

function RecordNote({ record }: { readonly record: Explanation['record'] | undefined }): ReactNode {
  if (record === null || record === undefined || record.n === 0) return null;
  return (
    <p className="note" data-tip={record.says}>
      {recordWords({ kind: 'score', ...record })}
    </p>
  );
}

interface ImportNextProps {
  readonly explained: Explanation | undefined;
  readonly isOpen: boolean;
}

/** What to import so that lines without data speak. */
function ImportNext({ explained, isOpen }: ImportNextProps): ReactNode {
  const next = explained?.import_next ?? [];
  if (next.length === 0) return null;
  return (
    <details className="import-next" open={isOpen}>
      <summary>To import next</summary>
      <ul>
        {next.map(({ data, says, wakes }) => (
          <li key={data}>
            {says} <small>Wakes {wakes.map((component) => startLow(inWords(component))).join(', ')}.</small>
          </li>
        ))}
      </ul>
      <Link to="/data">Import files</Link>
    </details>
  );
}

/** Last minutes of a session, and of one that closes early. */
const [LAST_MINUTE, LAST_EARLY_MINUTE] = [16 * 60 - 1, 13 * 60 - 1];

/** After a session the stock as it was in the last minute of it; null while there is an entry to judge. */
function useLastEntry(stock: Stock, isWanted: boolean): Stock | null {
  const isOver = isWanted && stock.entry_v2 === null;
  const last = useStockAt(stock, LAST_MINUTE, isOver);
  const lastEarly = useStockAt(stock, LAST_EARLY_MINUTE, isOver && last?.entry_v2 === null);
  return isOver ? ([last, lastEarly].find((answer) => answer?.entry_v2) ?? null) : null;
}

/** A stock at an earlier minute of its session. */
function useStockAt({ symbol, price, updated_at }: Stock, minute: number, isWanted: boolean) {
  const date = price?.trade_date;
  const instant = typeof date === 'string' ? minuteOf(atMinute(date, minute)) : updated_at;
  const enabled = isWanted && instant < updated_at;
  const { data, isPlaceholderData } = useQuery({ ...stockQuery(symbol, instant), enabled });
  return enabled && !isPlaceholderData ? data : undefined;
}

/** `would turn neutral if support were less than 0.18 ATR away`. */
function FlipNote({ flip }: { readonly flip: Flip }): ReactNode {
  return (
    <span
      className="flip"
      data-tip={`${inWords(flip.flips)}: ${flip.label_from} to ${flip.label_to}\n${inputTitle(flip.input)} from ${flip.from} to ${flip.to}`}
    >
      {flipWords(flip)}
    </span>
  );
}

interface LedgerProps {
  readonly side: Side;
  readonly stock: Stock;
  readonly then: readonly LedgerLine[] | undefined;
  readonly flip: Flip | null;
  readonly explained: Explanation | undefined;
}

function Ledger({ side, then, ...others }: LedgerProps): ReactNode {
  const { title, total, tier, lines, tone } = side;
  const [open, setOpen] = useState<string | null>(null);
  const largest = Math.max(...lines.map(({ contribution }) => contribution), 1);
  const sorted = lines.toSorted((a, b) => b.contribution - a.contribution);
  const parts = (
    <ul>
      {sorted.map((line) => (
        <Line
          key={line.component}
          line={line}
          largest={largest}
          tone={tone}
          isOpen={open === line.component}
          onOpen={() => setOpen(open === line.component ? null : line.component)}
          {...others}
          now={then?.find(({ component }) => component === line.component)}
        />
      ))}
    </ul>
  );
  return (
    <div className="ledger">
      <h2>
        {title} <Num value={total} shape="score" label={`${title} score`} unit="points" />
        {tier === null ? null : <span className="tier">{tier.replaceAll('_', ' ')}</span>}
        {tier === null ? null : (
          <AlertButton
            of={`${title.toLowerCase()} score`}
            draft={() => choicesOfSide(others.stock.symbol, title === 'Bull' ? 'bullish' : 'bearish', total)}
          />
        )}
      </h2>
      <StackedBar lines={sorted} tone={tone} stock={others.stock} />
      {total === null ? (
        <details>
          <summary>
            No score: {lines.filter(({ status }) => status === 'missing').length} of {lines.length} parts have
            no data
          </summary>
          {parts}
        </details>
      ) : (
        parts
      )}
    </div>
  );
}

type StackProps = Pick<LineProps, 'tone' | 'stock'> & Pick<Side, 'lines'>;

/** The whole score as one bar of 100 points, a part for each line. */
function StackedBar({ lines, tone, stock }: StackProps): ReactNode {
  const selection = useSelection();
  return (
    <div className={`stack ${tone}`} aria-hidden="true">
      {lines
        .filter(({ contribution }) => contribution > 0)
        .map((line) => (
          <span
            key={line.component}
            style={{ width: `${line.contribution}%` }}
            data-tip={`${inWords(line.component)}: ${formatNumber(line.contribution, 1)} points`}
            {...selects(selection, causesOf(line, stock))}
          />
        ))}
    </div>
  );
}

interface LineProps extends Pick<LedgerProps, 'stock' | 'flip' | 'explained'>, Pick<Side, 'tone'> {
  readonly line: LedgerLine;
  readonly largest: number;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly now: LedgerLine | undefined;
}

function Line({ line, largest, tone, stock, isOpen, onOpen, now, ...detail }: LineProps): ReactNode {
  const selection = useSelection();
  const isMissing = line.status === 'missing';
  const names = causesOf(line, stock);
  const draft = choicesOfLine(stock.symbol, line);
  return (
    <li className="ledger-row">
      <button
        type="button"
        className={`ledger-line${isMissing ? ' hatched' : ''}`}
        aria-expanded={isOpen}
        data-tip={isOpen ? undefined : tipOf(line)}
        {...selects(selection, names)}
        onClick={() => {
          selection.keep(names);
          onOpen();
        }}
      >
        <span className="name">{inWords(line.component)}</span>
        <span className="bar">
          <span className={tone} style={{ width: `${(line.contribution / largest) * 100}%` }} />
          {now === undefined ? null : (
            <i className="now" style={{ left: `${(now.contribution / largest) * 100}%` }} />
          )}
        </span>
        <span className="value">{isMissing ? 'no data' : formatNumber(line.contribution, 1)}</span>
      </button>
      {draft === null ? null : <AlertButton of={startLow(inWords(line.component))} draft={() => draft} />}
      {isOpen ? <LineDetail line={line} {...detail} /> : null}
    </li>
  );
}

type Inputs = Readonly<Record<string, number | string | boolean | null>>;

const valueWords = (name: string, value: Inputs[string]): string =>
  value === null ? 'not known' : typeof value === 'number' ? inputValue(name, value) : `${value}`;

/** What a line measures, from what, with which weight, and what it means that it has no data. */
function tipOf({ component, inputs, weight, status }: LedgerLine): string {
  const known = Object.entries((inputs ?? {}) as Inputs);
  const share = `${formatNumber(weight * 100, 1)} % of the score`;
  return [
    MEASURES[component] ?? inWords(component),
    ...known.map(([name, value]) => `${inputTitle(name)}: ${valueWords(name, value)}`),
    status === 'missing'
      ? `Nothing of this is known: its weight, ${share}, is spread over the other lines.`
      : `Weight: ${share}.`,
  ].join('\n');
}

/** Inputs and the arithmetic of a line, and what would turn the side if it is one of them. */
function LineDetail({ line, flip, explained }: Pick<LineProps, 'line' | 'flip' | 'explained'>): ReactNode {
  const originOf = (name: string): string | undefined => {
    const input = explained?.inputs.find((one) => one.name === name);
    return input === undefined ? undefined : `${input.source}, ${wordsOf(Date.parse(input.instant))}`;
  };
  const inputs = Object.entries((line.inputs ?? {}) as Inputs);
  const measures = MEASURES[line.component];
  return (
    <div className="line-detail">
      {measures === undefined ? null : <p>{measures}</p>}
      {line.note === null ? null : <p className="note">{inWords(line.note)}</p>}
      {inputs.length === 0 ? null : (
        <dl className="figures">
          {inputs.map(([name, value]) => (
            <div key={name} data-tip={originOf(name)}>
              <dt>{inputTitle(name)}</dt>
              <dd>{valueWords(name, value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="formula">
        score {line.score === null ? 'not known' : format('ratio', line.score)} of {line.maximum} × weight{' '}
        {formatNumber(line.weight * 100, 1)} % = {formatNumber(line.contribution, 2)} points
        {explained === undefined ? null : (
          <>
            {' '}
            ·{' '}
            <a href={`/${explained.formula.document}`}>
              formula{explained.formula.version === null ? '' : ` ${explained.formula.version}`}
            </a>
          </>
        )}
      </p>
      {flip === null || !(flip.input in (line.inputs ?? {})) ? null : (
        <p>
          Nearest flip: <FlipNote flip={flip} />
        </p>
      )}
    </div>
  );
}
