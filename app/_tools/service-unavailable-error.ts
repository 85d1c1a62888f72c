/** A service answered 503. The fields are those of the SDK's own call errors, so that retry rules see them. */
export class ServiceUnavailableError extends Error {
  override readonly name = 'ServiceUnavailableError';
  readonly statusCode = 503;
  readonly isRetryable = true;

  constructor(service: string) {
    super(`The ${service} service answered 503 Service Unavailable.`);
  }
}
