/** Where this browser is, in degrees and metres, or why it does not say. */
export type LocationOutcome =
  | { type: 'located'; latitude: number; longitude: number; accuracy: number }
  | { type: 'refused'; reason: string };

const timeoutMs = 15_000;
const maximumAgeMs = 60_000;

/** Asks the browser for its position. Never throws; the browser asks the person on its own. */
export function readLocation(): Promise<LocationOutcome> {
  if (!('geolocation' in navigator)) {
    return Promise.resolve({ type: 'refused', reason: 'This browser has no location service.' });
  }
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const { latitude, longitude, accuracy } = coords;
        resolve({ type: 'located', latitude, longitude, accuracy });
      },
      (error) => resolve({ type: 'refused', reason: reasonOf(error) }),
      { timeout: timeoutMs, maximumAge: maximumAgeMs },
    );
  });
}

function reasonOf(error: GeolocationPositionError): string {
  if (error.code === error.PERMISSION_DENIED) return 'The person did not share the location.';
  if (error.code === error.TIMEOUT) return 'The location could not be found in time.';
  return 'The location is not available.';
}
