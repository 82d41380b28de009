/** A text of the graph that lies near another. */
export interface RelatedText {
  /** Key of its node, unique within its label. */
  readonly key: string;
  /** Cosine of the angle between the two, -1 to 1. */
  readonly similarity: number;
}
