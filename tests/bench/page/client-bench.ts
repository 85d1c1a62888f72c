/** What one response cost a page, in milliseconds. */
export type ClientTimes = {
  /** From the person's act until it is shown. */
  readonly total: number;
  /** From the last byte until it is shown; `NaN` when the response was taken as it came. */
  readonly apply: number;
  readonly renders: number;
};

/** What the page offers to whoever measures it. */
export type ClientBench = {
  say(text: string): Promise<ClientTimes>;
  /** Says yes. @param buffered take the response when it is there as a whole; a socket's is taken as it comes */
  approve(buffered: boolean): Promise<ClientTimes>;
};
