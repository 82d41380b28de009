import type { ReactNode } from 'react';

interface Props {
  readonly asked: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly words?: string;
}

/** Asks for the next page of a list, while there is one. */
export const More = ({ asked, words = 'More symbols' }: Props): ReactNode =>
  asked.hasNextPage ? (
    <button type="button" disabled={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
      {words}
    </button>
  ) : null;
