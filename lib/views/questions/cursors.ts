import type { FlowStore } from '../../log/store/index.ts';
import { CountersignError, type Page, type Principal } from '../../protocol/index.ts';
import { deriveBytes } from '../../runtime/derive-bytes.ts';
import { runtime } from '../../runtime/runtime.ts';

/** The lists that have cursors. A cursor is valid for one of them. */
export type CursorList = 'approvals' | 'chats' | 'deliveries' | 'feed' | 'records' | 'remembered' | 'settled';

const macBytes = 16;
/** Texts are padded to a multiple of this, so that the length of a cursor does not depend on its content. */
const blockBytes = 64;
const lengthBytes = 2;

type Keys = { readonly mac: Uint8Array; readonly cipher: Uint8Array };

/**
 * Cursors for clients: the store's own, which count the rows of all users, encrypted with a key that the store keeps. They
 * are valid on each instance and after a restart, for one list of one principal. The same place has the same text, and the
 * text reveals nothing else (the SIV construction: the MAC of the text is the nonce).
 *
 * @source ADR 0012
 */
export function createCursors(store: Pick<FlowStore, 'cursorKey'>, random: () => string) {
  let keys: Promise<Keys> | undefined;

  function loadKeys(): Promise<Keys> {
    keys ??= store.cursorKey().then((key) => ({ mac: derived(key, 'mac'), cipher: derived(key, 'cipher') }));
    keys.catch(() => {
      keys = undefined;
    });
    return keys;
  }

  async function seal(list: CursorList, { id }: Principal, place: string): Promise<string> {
    const { mac, cipher: key } = await loadKeys();
    const text = padded(place);
    const tag = tagOf(mac, list, id, text);
    return runtime.toBase64url(Uint8Array.of(...tag, ...(await runtime.aesCtr(key, tag, text))));
  }

  async function open(list: CursorList, { id }: Principal, sealed: string): Promise<string> {
    const { mac, cipher: key } = await loadKeys();
    const bytes = runtime.fromBase64url(sealed);
    const tag = bytes.subarray(0, macBytes);
    const rest = bytes.subarray(macBytes);
    if (rest.length === 0 || rest.length % blockBytes !== 0) throw foreign();
    const text = await runtime.aesCtr(key, tag, rest);
    if (!runtime.isSame(tag, tagOf(mac, list, id, text))) throw foreign();
    const length = new DataView(text.buffer, text.byteOffset).getUint16(0);
    return new TextDecoder().decode(text.subarray(lengthBytes, lengthBytes + length));
  }

  return {
    /** @param place at most 65,535 bytes */
    seal,

    /**
     * For a place that others' activity changes: the text differs each time, so a change reveals nothing. The
     * result of `open` has random characters after a space.
     */
    sealAnew: (list: CursorList, principal: Principal, place: string): Promise<string> =>
      seal(list, principal, `${place} ${random()}`),

    /** A name of the reader of a list. Another session or role of the same person has another, because it may see other things. */
    async nameOf(list: CursorList, principal: Principal): Promise<string> {
      const { mac } = await loadKeys();
      return runtime.toBase64url(tagOf(mac, list, principal.id, JSON.stringify(principal)));
    },

    /** @throws CountersignError `invalid-request` for anything but a cursor of this list, given to this principal */
    open,

    /**
     * A page of a list: opens the given cursor, and seals the next one.
     *
     * @throws CountersignError `invalid-request` as `open`
     */
    async page<Read extends Page<unknown>>(
      list: CursorList,
      principal: Principal,
      { cursor, limit }: { readonly cursor?: string; readonly limit: number },
      read: (query: { cursor?: string; limit: number }) => Promise<Read>,
    ): Promise<Read> {
      const from = cursor === undefined ? {} : { cursor: await open(list, principal, cursor) };
      const page = await read({ ...from, limit });
      return page.next === undefined ? page : { ...page, next: await seal(list, principal, page.next) };
    },
  };
}

export type Cursors = ReturnType<typeof createCursors>;

function derived(key: Uint8Array, use: string): Uint8Array {
  return deriveBytes(key, `countersign/cursor-${use}/1`);
}

/** The principal and the list are also authenticated. JSON contains no line breaks. */
function tagOf(
  key: Uint8Array,
  list: CursorList,
  principalId: string,
  text: Uint8Array | string,
): Uint8Array {
  const context = `${JSON.stringify([list, principalId])}\n`;
  return runtime.hmacSha256(key, context, text).subarray(0, macBytes);
}

function padded(place: string): Uint8Array {
  const text = new TextEncoder().encode(place);
  const bytes = new Uint8Array(Math.ceil((lengthBytes + text.length) / blockBytes) * blockBytes);
  new DataView(bytes.buffer).setUint16(0, text.length);
  bytes.set(text, lengthBytes);
  return bytes;
}

function foreign(): CountersignError {
  return new CountersignError('invalid-request', 'The cursor is invalid. Repeat the request without it.');
}
