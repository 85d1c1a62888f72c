/**
 * The service responded with 503. The fields are those of the SDK's own call errors, so that retry rules recognize
 * them.
 */
export class ServiceUnavailableError extends Error {
  override readonly name = 'ServiceUnavailableError';
  readonly statusCode = 503;
  readonly isRetryable = true;

  constructor(service: string) {
    super(`The ${service} service responded with 503 Service Unavailable.`);
  }
}
