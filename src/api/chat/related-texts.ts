/** A text of the graph that lies near another. */
export interface RelatedText {
  /** Key of its node, unique within its label. */
  readonly key: string;
  /** Cosine of the angle between the two, -1 to 1. */
  readonly similarity: number;
}

/** A news item that lies near another text. */
export interface RelatedNews extends RelatedText {
  readonly headline: string;
  /** RFC 3339 UTC. */
  readonly publishedAt: string;
  readonly source: string | null;
  readonly url: string | null;
}

/** News like what, known when. */
export type NewsQuestion = ({ readonly text: string } | { readonly newsKey: string }) & {
  /** Epoch milliseconds: nothing that could not be quoted by then is found, nor changes what is. */
  readonly before: number;
  /** 1 to 50. */
  readonly limit: number;
  /** Leaves out what the stock itself had been mentioned in by then. */
  readonly notSymbol?: string;
};
