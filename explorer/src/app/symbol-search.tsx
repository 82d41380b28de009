import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { type ListedSymbol, symbolsQuery } from '../shared/api/queries.ts';
import { queries } from '../shared/api/query-client.ts';
import { present } from '../shared/present.ts';
import { useKeys } from '../shared/use-keys.ts';

/** What data a symbol has, as the list shows it. */
const kinds = ({ has }: ListedSymbol): string =>
  [has.minute ? 'minutes' : 'days', has.chains ? 'options' : '', has.ticks ? 'flow' : '']
    .filter((kind) => kind !== '')
    .join(', ');

/** Search by ticker or company name: `/` from anywhere, arrows, Enter. */
export function SymbolSearch(): ReactNode {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const navigate = useNavigate();
  const { as_of, interval, layers, tab } = useSearch({ strict: false });
  const { data, isPlaceholderData } = useQuery({ ...symbolsQuery(text.trim()), enabled: isOpen });
  const found = data?.symbols ?? [];
  useKeys({
    '/': () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  const open = (symbol: string): void => {
    setOpen(false);
    setText('');
    input.current?.blur();
    void navigate({
      to: '/stocks/$symbol',
      params: { symbol },
      search: present({ as_of, interval, layers, tab }),
    });
  };
  /** The stock that was typed; the list may still be that of the letters before. */
  const choose = async (): Promise<void> => {
    const words = text.trim();
    const asked = isPlaceholderData || data === undefined;
    const fresh = asked ? await queries.fetchQuery(symbolsQuery(words)).catch(() => null) : data;
    const listed = fresh?.symbols ?? [];
    const typed = words.toUpperCase();
    const named = at === 0 ? listed.find(({ symbol }) => symbol === typed) : undefined;
    open((named ?? listed[asked ? 0 : at])?.symbol ?? typed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Escape') input.current?.blur();
    else if (event.key === 'Enter' && text.trim() !== '') void choose();
    else return;
    event.preventDefault();
  };
  return (
    <search className="symbol-search">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-expanded={isOpen && found.length > 0}
        aria-controls={list}
        aria-activedescendant={isOpen && found.length > 0 ? `${list}-${at}` : undefined}
        aria-label="Search symbol or company"
        placeholder="/ search symbol"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {isOpen && found.length > 0 ? (
        <div className="found" id={list} role="listbox" aria-label="Symbols">
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            <div
              className="found-symbol"
              key={one.symbol}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onPointerEnter={() => setAt(index)}
              onClick={() => open(one.symbol)}
            >
              <b>{one.symbol}</b>
              <bdi>{one.name}</bdi>
              <small>{kinds(one)}</small>
            </div>
          ))}
        </div>
      ) : null}
      {isOpen && text.trim() !== '' && data !== undefined && found.length === 0 ? (
        <p className="no-symbol">No symbol or company begins so.</p>
      ) : null}
    </search>
  );
}
