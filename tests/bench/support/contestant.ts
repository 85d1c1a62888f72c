import type { Task, Till } from './payment-script.ts';

/** A question as a contestant knows it: what an answer must name. */
export type QuestionName = string;

/** One chat of a contestant. Between two calls nothing is kept but what was saved. */
export type ContestantChat = {
  /** Sends the first message, and waits for the response's end. @returns the questions that it left open */
  begin(task: Task): Promise<readonly QuestionName[]>;
  /** Says yes, and waits for the response's end. @returns the questions that are open then */
  answer(question: QuestionName): Promise<readonly QuestionName[]>;
};

/** A library that is measured, opened in a process of its own. */
export type Contestant = {
  chat(id: string): ContestantChat;
  close(): Promise<void>;
};

/** What a contestant is given: somewhere to save, and the tool. */
export type ContestantSettings = {
  /** A folder of its own. */
  readonly folder: string;
  /** A Postgres server, when it is the one that saves there. */
  readonly connectionString?: string;
  readonly till: Till;
  /** Of one response of ours, for the floor. */
  readonly durable?: Durable;
};

/** What a response of ours makes durable: a floor has as many writes, and of as many bytes. */
export type Durable = { readonly writes: number; readonly bytesEach: number };

/** What a contestant's module exports as `open`. */
export type OpenContestant = (settings: ContestantSettings) => Promise<Contestant>;

/** One row of the tables. */
export type ContestantRow = {
  readonly name: string;
  /** How it saves, as shipped. */
  readonly saves: string;
  /** Beside `tests/bench/`. */
  readonly module: string;
  /** The exported function to open it with. */
  readonly open: string;
  readonly usesPostgres: boolean;
  /** What nothing can be faster than: it checks nothing and runs nothing. */
  readonly isFloor?: boolean;
};

/** What one round of flows gave. */
export type FlowRate = {
  readonly perSecond: number;
  /** CPU of the contestant's process, its database driver included, in milliseconds a flow. */
  readonly cpuMsEach: number;
};
