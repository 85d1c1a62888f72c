import { type NextRequest, NextResponse } from 'next/server';

/** What every page says of itself besides its content security policy. */
const fixedHeaders = {
  'permissions-policy': 'camera=(), microphone=(), geolocation=(self)',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Security headers of the pages. Scripts run by a nonce that is new with each page, so that text which found its
 * way into one (from a model, a tool, another person) cannot run. Next reads the nonce from the request's policy.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  for (const [name, value] of Object.entries(fixedHeaders)) response.headers.set(name, value);
  return response;
}

function contentSecurityPolicy(nonce: string, development: boolean): string {
  // React's development build rebuilds the server's stacks with eval, and its overlay writes style elements.
  const script = `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`;
  const style = development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'self'",
    `script-src ${script}`,
    `style-src ${style}`,
    "img-src 'self' data: blob: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Pages only, except those of links, which have their own policy. Next keeps a copy of each body that passes here, and cuts it at 10 MB. */
export const config = {
  matcher: [{ source: '/((?!api/|v1/|answer/|_next/static|_next/image).*)' }],
};
