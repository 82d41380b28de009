/** Where a page of a screen begins, and of which screen on which rows. */
export interface ScreenCursor {
  readonly tradeDate: string;
  /** Version of the image that the pages are cut from. */
  readonly version: string;
  /** Names the screen and who may see its answer. */
  readonly screen: string;
  /** Stocks that came on earlier pages. */
  readonly offset: number;
}

/** Beyond any cursor that was ever given out. */
export const CURSOR_LENGTH_MAX = 200;

const TEXT = /^(\d{4}-\d{2}-\d{2})\|([\w-]{27})\|([\w-]{27})\|([1-9]\d{0,6})$/;

export const cursorText = ({ tradeDate, version, screen, offset }: ScreenCursor): string =>
  Buffer.from(`${tradeDate}|${version}|${screen}|${offset}`).toString('base64url');

/** Null for what is no cursor of ours. */
export function readCursor(text: string): ScreenCursor | null {
  const parts = TEXT.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (parts === null) return null;
  const [, tradeDate, version, screen, offset] = parts;
  const cursor = { tradeDate: tradeDate!, version: version!, screen: screen!, offset: Number(offset) };
  // Another spelling of the same bytes is not one that was given out.
  return cursorText(cursor) === text ? cursor : null;
}
