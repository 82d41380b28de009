import { type ReactNode, useState } from 'react';
import { MORNING } from '../shared/morning-lists.ts';
import { ABSENT } from '../shared/sentences.ts';
import { changeSettings, useSettings } from '../shared/theme/settings.ts';
import { Select } from '../shared/ui/choices.tsx';
import { Popover } from '../shared/ui/popover.tsx';
import { Missing, Refused, Skeleton } from '../shared/ui/states.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { useMedia } from '../shared/use-media.ts';
import { ListForm } from './list-form.tsx';
import { ListLines, type ListProps } from './list-lines.tsx';
import { useWatchlists, type Watchlists } from './use-watchlists.ts';
import './rail.css';

/** A list may be beside the chart; below it the list opens over the page. */
const WIDE = '(min-width: 1200px)';
/** It takes no row of the chart's switches: it is there without being asked for. */
const ROOMY = '(min-width: 1400px)';
const NEW = 'new';

/** The list of stocks left of the chart. `w` puts the stock of the page on it, or takes it away. */
export function Rail(props: ListProps): ReactNode {
  const isWide = useMedia(WIDE);
  const isRoomy = useMedia(ROOMY);
  const { isRailShown } = useSettings();
  const isShown = isRailShown ?? isRoomy;
  const watchlists = useWatchlists(props.symbol);
  useKeys({ w: watchlists.toggle });
  const star = watchlists.isOn ? '★' : '☆';
  // Another stock closes the sheet over its page.
  if (!isWide) return <Sheet key={props.symbol} {...props} watchlists={watchlists} star={star} />;
  const fold = (
    <button
      type="button"
      className="icon"
      aria-label={isShown ? 'Hide the list' : 'Show the list'}
      onClick={() => changeSettings({ isRailShown: !isShown })}
    >
      {isShown ? '«' : `» ${star}`}
    </button>
  );
  return (
    <nav className="rail" aria-label="List" data-closed={!isShown || undefined}>
      {isShown ? <Content {...props} watchlists={watchlists} fold={fold} /> : fold}
    </nav>
  );
}

interface ContentProps extends ListProps {
  readonly watchlists: Watchlists;
  readonly fold?: ReactNode;
}

function Sheet({ star, ...props }: ContentProps & { readonly star: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover className="rail-sheet" summary={`${star} List`} onToggle={setOpen}>
      <nav className="rail" aria-label="List">
        {isOpen ? <Content {...props} /> : null}
      </nav>
    </Popover>
  );
}

/** The choice of a list, and its lines or its text. */
function Content({ watchlists, fold, ...props }: ContentProps): ReactNode {
  const { asked, lists, chosen, list, isOn, toggle, save, remove } = watchlists;
  const [form, setForm] = useState<'new' | 'text' | null>(null);
  const error = save.error ?? remove.error;
  const options = {
    ...(chosen === '' ? { '': 'no list' } : {}),
    ...Object.fromEntries(lists.map(({ name }) => [`list:${name}`, name])),
    ...Object.fromEntries(Object.keys(MORNING).map((name) => [`screen:${name}`, name])),
    [NEW]: 'new list …',
  };
  const show = (next: typeof form): void => {
    save.reset();
    remove.reset();
    setForm(next);
  };
  return (
    <>
      <div className="rail-head">
        <Select
          label="Which list"
          options={options}
          value={form === 'new' ? NEW : chosen}
          onChange={(next) => {
            show(next === NEW ? 'new' : null);
            if (next !== NEW) changeSettings({ list: next });
          }}
        />
        <button
          type="button"
          className="icon"
          aria-label={`${props.symbol} on the list`}
          aria-pressed={isOn}
          data-tip="On the list or not (w)"
          onClick={toggle}
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
        {fold}
      </div>
      {error === null ? null : <Refused error={error} />}
      {form !== null ? (
        <ListForm
          key={`${form} ${chosen}`}
          list={form === 'new' ? undefined : list}
          symbol={props.symbol}
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
