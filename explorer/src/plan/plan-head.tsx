import type { ReactNode } from 'react';
import { Select } from '../shared/ui/choices.tsx';
import { CopyButton } from './copy-button.tsx';
import type { PlanSearch } from './plan-search.ts';
import { chooseList, type usePlanList } from './use-plan-list.ts';

interface Props {
  readonly title: string;
  readonly search: PlanSearch;
  readonly list: ReturnType<typeof usePlanList>;
  /** The session that is shown; undefined until it is known. */
  readonly date: string | undefined;
  /** The minute that is shown, in words. */
  readonly asOf: string;
  /** The search of what is shown, for whoever opens the link. */
  readonly pinned: PlanSearch;
  readonly onSearch: (search: PlanSearch) => void;
  readonly children?: ReactNode;
}

/** Which stocks and which session a page is of, as of when, and how to take it along. */
export function PlanHead({ title, search, list, date, asOf, pinned, onSearch, children }: Props): ReactNode {
  const link = (): string => {
    const url = new URL(location.href);
    url.search = new URLSearchParams(
      Object.entries(pinned).map(([name, value]) => [name, String(value)]),
    ).toString();
    return url.href;
  };
  const isDated = search.date !== undefined || search.as_of !== undefined;
  const { date: _, as_of: __, ...undated } = search;
  return (
    <div className="row page-head plan-head">
      <h1>{title}</h1>
      <Select
        label="List"
        options={list.options}
        value={list.chosen}
        onChange={(chosen) => {
          if (chosen === 'symbols' || chosen === '') return;
          const { list: _list, morning: _morning, symbols: _symbols, ...time } = search;
          onSearch({ ...time, ...chooseList(chosen) });
        }}
      />
      <input
        type="date"
        aria-label="Session"
        value={date ?? ''}
        onChange={({ target }) => {
          if (target.value !== '') onSearch({ ...undated, date: target.value });
        }}
      />
      {isDated ? (
        <button type="button" onClick={() => onSearch(undated)}>
          go to newest
        </button>
      ) : null}
      <span className="as-of-words">{asOf}</span>
      <span className="row plan-tools">
        {children}
        <button type="button" onClick={() => print()}>
          print
        </button>
        <CopyButton words="link" tip="Copy a link to what is shown" textOf={link} />
      </span>
    </div>
  );
}
