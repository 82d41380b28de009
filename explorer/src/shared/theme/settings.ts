import { useSyncExternalStore } from 'react';

/** What a reader sets for himself, kept in the browser. */
export interface Settings {
  readonly theme: 'system' | 'dark' | 'light';
  /** Colours of up and down. */
  readonly direction: 'teal-coral' | 'green-red' | 'red-green' | 'blue-orange';
  /** Hints of the first visit that are done. */
  readonly hintsDone: number;
  /** Whether the list beside the chart is shown; null where the width of the window decides. */
  readonly isRailShown: boolean | null;
  /** The list that is shown, as `list:NAME` or `screen:NAME`; '' for the first there is. */
  readonly list: string;
  /** When the alerts of a stock were last looked at, RFC 3339; those of all under ''. */
  readonly looked: Readonly<Record<string, string>>;
}

const KEY = 'tigraph.settings';
const DEFAULTS: Settings = {
  theme: 'system',
  direction: 'teal-coral',
  hintsDone: 0,
  isRailShown: null,
  list: '',
  looked: {},
};

let current = read();
const listeners = new Set<() => void>();
const systemIsLight = matchMedia('(prefers-color-scheme: light)');

/** What a browser kept; one without storage gets the defaults. */
function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}

export const themeOf = ({ theme }: Settings): 'dark' | 'light' =>
  theme === 'system' ? (systemIsLight.matches ? 'light' : 'dark') : theme;

function apply(): void {
  document.documentElement.dataset.theme = themeOf(current);
  document.documentElement.dataset.direction = current.direction;
  for (const listener of listeners) listener();
}

export function changeSettings(change: Partial<Settings>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Without storage a setting lasts as long as the page.
  }
  apply();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSettings = (): Settings => useSyncExternalStore(listen, () => current);

/** Changes with everything that changes a colour, so that canvases draw again. */
export const useColourScheme = (): string => {
  const settings = useSettings();
  return `${themeOf(settings)} ${settings.direction}`;
};

systemIsLight.addEventListener('change', () => {
  current = { ...current };
  apply();
});
apply();
