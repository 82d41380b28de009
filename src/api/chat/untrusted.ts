/**
 * Words that a vendor or a company wrote, on their way to an agent that may take any text for an instruction. They are
 * served under `untrusted_text` alone, never in a sentence of ours or in a fact, without characters that no reader sees, and no
 * longer than what a headline needs: an injection has little room, and a reader knows where not to obey.
 */
export const UNTRUSTED_MAX = 160;

/** Control and format characters (direction marks, joiners, tags), private and unassigned ones, line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** @returns null for a text of which nothing is left */
export function untrusted(text: string | null | undefined): string | null {
  const seen = (text ?? '').toWellFormed().replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim();
  if (seen === '') return null;
  const characters = [...seen];
  return characters.length <= UNTRUSTED_MAX ? seen : `${characters.slice(0, UNTRUSTED_MAX - 1).join('')}…`;
}
