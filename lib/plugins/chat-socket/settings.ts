/** Settings of `chatSocket`. */
export type ChatSocketSettings = {
  /** Longer results are cut to this many bytes of UTF-8. Default 65,536. @source D19 */
  readonly maxResultBytes?: number;
};
