import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { changeSettings, type Settings, useSettings } from '../shared/theme/settings.ts';
import { Select } from '../shared/ui/choices.tsx';

const KEYS = [
  ['/', 'search a symbol'],
  ['[ ]', 'previous, next session'],
  ['← →', 'one minute back, forward; with Shift 15'],
  ['m', 'type a minute'],
  ['Space', 'play, pause'],
  ['.', 'newest minute'],
  ['1 … 6', 'interval 1m to 1w'],
  ['l p g t e', 'levels, profile, gamma, patterns, events'],
  ['w', 'puts the stock on the list beside it, or takes it away'],
  ['o f c n a', 'options, order flow, company, news, ask'],
  ['Esc', 'let go of the selection'],
  ['?', 'this list'],
] as const;

const THEMES = { system: 'as the system', dark: 'dark', light: 'light' } as const;
const DIRECTIONS: Readonly<Record<Settings['direction'], string>> = {
  'teal-coral': 'teal up, coral down',
  'green-red': 'green up, red down',
  'red-green': 'red up, green down',
  'blue-orange': 'blue up, orange down',
};

interface Props {
  /** The stock that is shown, or was last. */
  readonly stock: string | null;
  readonly time: { readonly as_of?: string };
  readonly onClose: () => void;
}

/** Keys, the tour, and what a reader sets for himself. */
export function KeyList({ stock, time, onClose }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const settings = useSettings();
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} className="key-list" aria-label="Keys and settings" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      {stock === null ? null : (
        <p>
          <Link
            to="/stocks/$symbol"
            params={{ symbol: stock }}
            search={{ ...time, tour: 1 }}
            onClick={onClose}
          >
            Tour of a session in five steps
          </Link>
        </p>
      )}
      <h2>Colours</h2>
      <p className="setting">
        Theme
        <Select
          label="Theme"
          options={THEMES}
          value={settings.theme}
          onChange={(theme) => changeSettings({ theme })}
        />
      </p>
      <p className="setting">
        Directions
        <Select
          label="Directions"
          options={DIRECTIONS}
          value={settings.direction}
          onChange={(direction) => changeSettings({ direction })}
        />
      </p>
      <p className="credit">
        Charts: <a href="https://www.tradingview.com/lightweight-charts/">Lightweight Charts™</a> by
        TradingView. <a href="/docs">API documentation</a>
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
