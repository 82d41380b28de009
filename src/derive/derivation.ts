/**
 * Number of what the blocks make of a view. It is raised with every change of a value that is stored: the next pass then
 * derives the days of lower numbers again, and until then they are derived when they are asked for. A number, so that
 * during an upgrade an older program leaves the days of a newer one alone. `test/unit/blocks/derivation.test.ts` says when,
 * by the digest behind it.
 */
export const DERIVATION = 2; // 580def48f9f9ea1a65c1b1cafd773a8700c316ee
