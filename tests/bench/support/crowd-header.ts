/** Names who makes a request of a bench server; without it, that is its owner. */
export const crowdHeader = 'x-bench-user';
