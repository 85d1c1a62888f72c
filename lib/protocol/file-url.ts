const longestScheme = 32;

/** `data:`, a full media type, its parameters, and `;base64`: everything before the comma. */
const dataUrlHead = /^data:[a-z\d][\w.+-]*\/[\w.+-]+(;.*)?;base64$/i;

/**
 * Why a file of a message may not be at this address. It may be in the message itself (a base64 `data:` URL), or on the web
 * (`https:`, without a password), where only the model's provider fetches it. With other schemes a message could name files of the server, or addresses in its network.
 *
 * Linear in the length of the URL.
 */
export function faultOfFileUrl(url: string): string | undefined {
  const [, scheme] = /^([a-z][a-z\d+.-]*):/i.exec(url) ?? [];
  switch (scheme?.toLowerCase()) {
    case undefined:
      return 'A file with a relative URL is refused: the model’s provider could not load it.';
    case 'http':
      return 'A file with an `http:` URL is refused: it could name an address in the server’s network.';
    case 'blob':
      return 'A file with a `blob:` URL is refused: it exists only in the page.';
    case 'data':
      return faultOfDataUrl(url);
    case 'https':
      break;
    default:
      return `A file with a \`${scheme?.slice(0, longestScheme)}:\` URL is refused.`;
  }
  if (!/^https:\/\//i.test(url) || !URL.canParse(url)) return 'A file URL is not valid.';
  const { username, password } = new URL(url);
  const hasLogin = username !== '' || password !== '';
  return hasLogin ? 'A file URL with a user name or a password is refused.' : undefined;
}

/** The SDK passes on what is between the first two commas as base64. For other text it throws, in each run of the chat. */
function faultOfDataUrl(url: string): string | undefined {
  const [head = '', ...content] = url.split(',', 3);
  if (!dataUrlHead.test(head)) {
    return 'A `data:` URL must begin with a media type and `;base64,`, such as `data:image/png;base64,`.';
  }
  const [base64 = ''] = content;
  const isBase64 = content.length === 1 && /^[a-z\d+/]+={0,2}$/i.test(base64) && base64.length % 4 === 0;
  return isBase64 ? undefined : 'The content of a `data:` URL is empty, or is not base64 with padding.';
}
