/**
 * Words of a file in a text of ours that cannot have a `bdi` element, such as a tip or a picture: a name of a language
 * that runs from right to left leaves what stands beside it in its place (first strong isolate, Unicode TR 9).
 */
export const isolated = (words: string): string => `\u2068${words}\u2069`;
