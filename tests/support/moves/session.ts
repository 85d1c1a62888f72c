/** Stands for the app's login: who makes a request. */
export const userOf = (_request: Request) => ({ id: 'ada', name: 'Ada' });
