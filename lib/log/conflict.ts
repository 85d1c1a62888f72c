/** Another writer was first. The decision was made on an old log, and nothing was written. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** The run was asked to stop before it could start a call or ask a question. Earlier events stay staged. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
