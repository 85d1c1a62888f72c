/**
 * Whether a file of a message may be at this address: in the message itself (`data:`), or on the web (`https:`, without a
 * password). With other schemes a message could name files of the server (`file:`) or addresses in its network (`http:`).
 */
export function isAllowedFileUrl(url: string): boolean {
  if (/^data:[^,]*,/i.test(url)) return true;
  if (!/^https:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}
