/**
 * Number of what the blocks make of a view. It is raised with every change of a value that is stored: the next pass then
 * derives the days of lower numbers again, and until then they are derived when they are asked for. A number, so that
 * during an upgrade an older program leaves the days of a newer one alone. `test/unit/blocks/derivation.test.ts` says when,
 * by the digest behind it.
 */
export const DERIVATION = 3; // d7c963d512b0f344f9917ee4e807be7747e2123f
