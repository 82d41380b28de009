import { type ReactNode, useState } from 'react';
import { ABSENT } from '../shared/sentences.ts';
import { changeSettings, useSettings } from '../shared/theme/settings.ts';
import { Select } from '../shared/ui/choices.tsx';
import { Popover } from '../shared/ui/popover.tsx';
import { Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { useMedia } from '../shared/use-media.ts';
import { ListForm } from './list-form.tsx';
import { ListLines, type RailProps } from './list-lines.tsx';
import { useWatchlists, type Watchlists } from './use-watchlists.ts';
import { MORNING } from './watchlists.ts';
import './rail.css';

/** Room for a list beside the chart; below it the list opens over the page. */
const WIDE = '(min-width: 1200px)';
const NEW = 'new';

/** The list of stocks left of the chart. `w` puts the stock of the page on it, or takes it away. */
export function Rail(props: RailProps): ReactNode {
  const { symbol } = props;
  const isWide = useMedia(WIDE);
  const { isRailShown } = useSettings();
  const [isOpen, setOpen] = useState(false);
  const watchlists = useWatchlists(symbol);
  const { toggle, isOn } = watchlists;
  useKeys({ w: () => toggle.mutate(symbol) });
  const said = (
    <span className="visually-hidden" role="status">
      {toggle.data === undefined
        ? ''
        : `${toggle.variables} is ${toggle.data.symbols?.includes(toggle.variables) ? '' : 'not '}on ${toggle.data.name}`}
    </span>
  );
  if (!isWide)
    return (
      <Popover className="rail-sheet" summary={isOn ? '★ List' : '☆ List'} onToggle={setOpen}>
        <nav className="rail" aria-label="Watchlist">
          {said}
          {isOpen ? <RailContent {...props} watchlists={watchlists} /> : null}
        </nav>
      </Popover>
    );
  const fold = (
    <button
      type="button"
      className="icon"
      aria-label={isRailShown ? 'Hide the list' : 'Show the list'}
      aria-expanded={isRailShown}
      onClick={() => changeSettings({ isRailShown: !isRailShown })}
    >
      {isRailShown ? '«' : '»'}
    </button>
  );
  return (
    <nav className="rail" aria-label="Watchlist" data-closed={!isRailShown || undefined}>
      {said}
      {isRailShown ? (
        <RailContent {...props} watchlists={watchlists}>
          {fold}
        </RailContent>
      ) : (
        fold
      )}
    </nav>
  );
}

interface ContentProps extends RailProps {
  readonly watchlists: Watchlists;
  /** The last button of the head. */
  readonly children?: ReactNode;
}

/** The choice of a list, and its lines or its text. */
function RailContent({ watchlists, children, ...props }: ContentProps): ReactNode {
  const { symbol } = props;
  const { asked, lists, chosen, list, isOn, toggle, save, remove } = watchlists;
  const [form, setForm] = useState<'new' | 'text' | null>(null);
  const options = {
    ...(chosen === '' ? { '': 'No list' } : {}),
    ...Object.fromEntries(lists.map(({ name }) => [`list:${name}`, name])),
    ...Object.fromEntries(Object.keys(MORNING).map((name) => [`screen:${name}`, name])),
    [NEW]: 'new list …',
  };
  const show = (next: 'new' | 'text' | null): void => {
    save.reset();
    remove.reset();
    setForm(next);
  };
  const choose = (next: string): void => {
    show(next === NEW ? 'new' : null);
    if (next !== NEW) changeSettings({ list: next });
  };
  return (
    <>
      <div className="rail-head">
        <Select label="List" options={options} value={form === 'new' ? NEW : chosen} onChange={choose} />
        <button
          type="button"
          className="icon"
          aria-label={`${symbol} on the list`}
          aria-pressed={isOn}
          data-tip="On the list or not (w)"
          disabled={toggle.isPending}
          onClick={() => toggle.mutate(symbol)}
        >
          {isOn ? '★' : '☆'}
        </button>
        {list === undefined ? null : (
          <button
            type="button"
            aria-pressed={form === 'text'}
            onClick={() => show(form === null ? 'text' : null)}
          >
            Text
          </button>
        )}
        {children}
      </div>
      {toggle.error === null ? null : <Refused error={toggle.error} />}
      {form !== null ? (
        <ListForm
          key={`${form} ${chosen}`}
          list={form === 'new' ? undefined : list}
          symbol={symbol}
          watchlists={watchlists}
          onClose={() => show(null)}
        />
      ) : chosen !== '' ? (
        <ListLines {...props} key={chosen} chosen={chosen} list={list} />
      ) : asked.error !== null ? (
        <Refused error={asked.error} onRetry={() => void asked.refetch()} />
      ) : asked.data === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <Missing reason={ABSENT.lists} />
      )}
    </>
  );
}
