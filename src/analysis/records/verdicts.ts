/** What a record of claims says of them. */
export const VERDICTS = ['edge_shown', 'no_edge_shown', 'worse_than_chance', 'too_few', 'explored'] as const;
export type Verdict = (typeof VERDICTS)[number];
