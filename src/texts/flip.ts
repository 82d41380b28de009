import { inputWords, nameInWords } from './glossary.ts';

/** The nearest change of one input that would turn a score, as answers have it. */
interface Flip {
  readonly flips: string;
  readonly label_from: string;
  readonly label_to: string;
  readonly input: string;
  readonly from: number;
  readonly to: number;
}

/** `All else equal, the bull side would be weak if support strength were above 0.79; it is 0.61, and the side poor.` */
export const flipSays = (of = ''): string =>
  `All else equal, {${of}outcome} if {${of}condition} {${of}to}; it is {${of}from}, and {${of}state}.`;

/** What that sentence says in words: a tier is that of a side, and the bias stands alone. */
export function flipWords({ flips, label_from, label_to, input, from, to }: Flip) {
  const side = /^(bull|bear)/.exec(flips)?.[1];
  const [now, then] = [label_from, label_to].map((label) => label.toLowerCase().replaceAll('_', ' '));
  return {
    outcome: `the ${side === undefined ? nameInWords(flips) : `${side} side`} would be ${then}`,
    condition: `${inputWords(input) ?? nameInWords(input)} were ${to > from ? 'above' : 'below'}`,
    state: `the ${side === undefined ? 'bias' : 'side'} ${now}`,
  };
}
