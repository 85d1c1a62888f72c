/** One frame as it was on the wire, or one request. */
export type Frame = {
  readonly direction: 'sent' | 'received';
  /** The event's name, the type of a frame, or the method and the path of a request. */
  readonly type: string;
  /** JSON, or whatever else was sent. */
  readonly body: string;
};

/** A tool call, with its state in the words of the wire. */
export type WireCall = {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly detail?: string;
};

/** The open question of a wire. */
export type WireQuestion = {
  readonly approvalId: string;
  readonly name: string;
  /** The arguments as JSON, or the description, whichever the wire has. */
  readonly detail: string;
};

/** What a client of a wire knows of its last turn. */
export type WireView = {
  readonly text: string;
  readonly calls: readonly WireCall[];
  readonly question?: WireQuestion;
  /** Why the turn failed, in a sentence. */
  readonly failure?: string;
};

/** Gets what arrives, in order. */
export type WireListener = {
  readonly onFrame: (frame: Frame) => void;
  readonly onView: (view: WireView) => void;
};

/** One chat over one wire. */
export type WireClient = {
  /** Resolves when the turn ends or asks. @throws Error with a sentence for people */
  readonly send: (text: string) => Promise<void>;
  /** Answers the open question. Resolves and throws as `send`. */
  readonly answer: (approvalId: string, approved: boolean) => Promise<void>;
  /** Stops reading. The run continues on the server. */
  readonly close: () => void;
};

/** A wire format with its client. */
export type Wire = {
  readonly id: string;
  readonly title: string;
  /** Where it is served. */
  readonly address: string;
  readonly connect: (listener: WireListener) => WireClient;
};

/** A turn before its first frame. */
export const emptyView: WireView = { text: '', calls: [] };
