/** A length of time, in whole units. */
export type TimeLeft = { readonly hours: number; readonly minutes: number; readonly seconds: number };

/** Splits a duration into whole units; zero for a negative one. @param milliseconds may be negative */
export function timeLeft(milliseconds: number): TimeLeft {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return {
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
    seconds: seconds % 60,
  };
}
