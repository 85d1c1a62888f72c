import { promiseHooks } from 'node:v8';

/** Counts the promises that this process makes from now on, until `stop` is called. */
export function countPromises() {
  let made = 0;
  const stop = promiseHooks.onInit(() => {
    made += 1;
  });
  return { count: () => made, stop: () => void stop() };
}
