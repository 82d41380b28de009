export interface OpenStream {
  /** Ends it because the caller's token is no longer valid. */
  refuse(code: string, detail: string): void;
}
