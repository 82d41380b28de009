import { LEVEL_GROUPS } from './overlay-content.ts';

/** The tokens of the page as a canvas needs them. */
export interface Colours {
  readonly [token: string]: string;
}

const TOKENS = [
  ...['bg-0', 'bg-1', 'bg-2', 'line', 'text-0', 'text-1', 'text-2', 'accent', 'up', 'down', 'warn'],
  ...Object.keys(LEVEL_GROUPS).map((group) => `level-${group}`),
];

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    TOKENS.map((token) => [token, inFull(style.getPropertyValue(`--${token}`).trim())]),
  );
}

/** `#fff` as `#ffffff`: a build shortens colours. */
const inFull = (colour: string): string =>
  /^#[\da-f]{3}$/i.test(colour) ? `#${[...colour.slice(1)].map((digit) => digit + digit).join('')}` : colour;

/** A colour `#rrggbb` with opacity 0 to 1. */
export const faded = (colour: string, opacity: number): string =>
  `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;
