/** How much of an unknown scheme a refusal repeats. Characters. */
const longestScheme = 32;

/**
 * Why a file of a message may not be at this address. It may be in the message itself (`data:`), or on the web (`https:`,
 * without a password). With other schemes a message could name files of the server, or addresses in its network.
 */
export function faultOfFileUrl(url: string): string | undefined {
  if (/^data:[^,]*,/i.test(url)) return undefined;
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(url) ?? [];
  switch (scheme?.toLowerCase()) {
    case undefined:
      return 'A file with a relative URL is refused: the model’s provider could not load it.';
    case 'http':
      return 'A file with an `http:` URL is refused: it could name an address in the server’s network.';
    case 'blob':
      return 'A file with a `blob:` URL is refused: it exists only in the page.';
    case 'https':
    case 'data':
      break;
    default:
      return `A file with a \`${scheme?.slice(0, longestScheme)}:\` URL is refused.`;
  }
  if (!/^https:\/\//i.test(url) || !URL.canParse(url)) return 'A file URL is not valid.';
  const { username, password } = new URL(url);
  const hasLogin = username !== '' || password !== '';
  return hasLogin ? 'A file URL with a user name or a password is refused.' : undefined;
}
