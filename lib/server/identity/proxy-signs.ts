import type { IncomingHttpHeaders } from 'node:http';

/** Words that occur in a header's name only if an intermediary added the header. */
const words = [
  'forwarded',
  'proxy',
  'proxied',
  'client-ip',
  'clientip',
  'connecting-ip',
  'connection-ip',
  'real-ip',
  'remote-ip',
  'remote-addr',
  'originating-ip',
  'user-ip',
];

/** The header prefixes of specific products. */
const prefixes = [
  'cf-', // Cloudflare, cloudflared
  'cdn-',
  'cloudfront-',
  'x-amz-cf-',
  'x-amzn-', // AWS load balancers and gateways
  'x-azure-',
  'x-arr-', // Azure App Service
  'x-fd-', // Azure Front Door
  'x-appgw-',
  'x-appengine-',
  'x-cloud-trace-', // Google's load balancers
  'x-goog-iap-',
  'x-goog-authenticated-user-',
  'akamai-',
  'x-akamai-',
  'fastly-',
  'fly-',
  'x-nf-', // Netlify
  'x-vercel-id',
  'x-vercel-ip-',
  'x-vercel-sc-',
  'x-heroku-',
  'x-railway-',
  'x-sucuri-',
  'incap-',
  'x-varnish',
  'x-envoy-',
  'x-istio-',
  'l5d-', // Linkerd
  'x-kong-',
  'x-traefik-',
  'x-haproxy-',
  'x-squid-',
  'x-ingress-',
  'x-auth-request-', // OAuth2 Proxy
  'ngrok-',
  'x-ngrok-',
  'tailscale-',
  'x-tunnel-', // Microsoft dev tunnels
  'x-codespaces-',
  'x-localtunnel-',
  'x-original-',
  'x-replaced-', // Traefik
  'x-remote-',
];

const names = new Set([
  'via',
  'max-forwards',
  'surrogate-capability',
  'front-end-https',
  'x-host',
  'x-real-port',
  'x-scheme',
  'x-url-scheme',
  'x-script-name',
  'x-request-start',
  'x-queue-start',
  'x-rewrite-url',
  'x-cdn',
  'remote-user',
  'disguised-host',
]);

/** Whether an intermediary added a header. One that adds none is not detected. */
export function hasSignOfProxy(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((header) => {
    // Some servers replace hyphens with underscores.
    const name = header.toLowerCase().replaceAll('_', '-');
    return (
      names.has(name) ||
      words.some((word) => name.includes(word)) ||
      prefixes.some((prefix) => name.startsWith(prefix))
    );
  });
}
