import { type ReactNode, useEffect, useRef } from 'react';
import { changeSettings, type Settings, useSettings } from '../shared/theme/settings.ts';

const KEYS = [
  ['/', 'search a symbol'],
  ['[ ]', 'previous, next session'],
  ['← →', 'one minute back, forward; with Shift 15'],
  ['m', 'type a minute'],
  ['Space', 'play, pause'],
  ['.', 'newest minute'],
  ['1 … 6', 'interval 1m to 1w'],
  ['l p g t e', 'levels, profile, gamma, patterns, events'],
  ['o f c n a', 'options, order flow, company, news, ask'],
  ['Esc', 'let go of the selection'],
  ['?', 'this list'],
] as const;

const DIRECTIONS: Readonly<Record<Settings['direction'], string>> = {
  'teal-coral': 'teal up, coral down',
  'green-red': 'green up, red down',
  'red-green': 'red up, green down',
  'blue-orange': 'blue up, orange down',
};

/** Keys and what a reader sets for himself. */
export function KeyList({ onClose }: { readonly onClose: () => void }): ReactNode {
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
      <h2>Colours</h2>
      <label>
        Theme
        <select
          value={settings.theme}
          onChange={({ target }) => changeSettings({ theme: target.value as Settings['theme'] })}
        >
          <option value="system">as the system</option>
          <option value="dark">dark</option>
          <option value="light">light</option>
        </select>
      </label>
      <label>
        Directions
        <select
          value={settings.direction}
          onChange={({ target }) => changeSettings({ direction: target.value as Settings['direction'] })}
        >
          {Object.entries(DIRECTIONS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
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
