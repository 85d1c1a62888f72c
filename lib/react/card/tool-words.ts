/** What the tool card says. */
export const toolWords = {
  callState: {
    preparing: 'Preparing',
    asking: 'Waiting for you',
    approved: '',
    running: 'Running',
    searching: 'Searching',
    retrying: 'Trying again',
    held: 'Done',
    done: 'Done',
    failed: 'Failed',
    unknown: 'Outcome unknown',
    denied: 'Not run',
    withdrawn: 'Not run',
  },
  noReason: 'No reason was given.',
  heldResult: 'The result follows after the last answer.',
  arguments: 'Arguments',
  argumentsLater: 'They are shown with the result.',
  argumentsJson: 'Arguments as JSON',
  problemHeading: 'Error',
  result: 'Result',
  resultJson: 'Result as JSON',
  /** @param count a whole number of at least 0 */
  results: (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`,
  triedTwice: 'tried twice',
  /** @param milliseconds how long the call took */
  duration(milliseconds: number): string {
    if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  },
  you: 'you',
} as const;
