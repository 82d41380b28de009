/** Texts from outside: names, headlines and notes that a file, a vendor or a caller wrote. */

/**
 * Characters that no reader sees but a terminal, a page or a line of text obeys: control characters, line and paragraph
 * separators, and those that turn the direction of writing.
 */
export const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** The same in prose, which has line ends. */
export const HIDDEN_IN_PROSE = /[^\P{Cc}\t\n\r]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Text with every character that is not seen written as its number, for one line of a terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Z}]/gu, (character) =>
    character === ' ' ? ' ' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
