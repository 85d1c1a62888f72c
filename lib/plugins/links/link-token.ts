import { z } from 'zod';
import { type ApprovalId, parseApprovalId } from '../../protocol/index.ts';
import { deriveBytes } from '../../runtime/derive-bytes.ts';
import { runtime } from '../../runtime/runtime.ts';

/**
 * Who may answer by a link: one person, or any signed-in person with a role. If a principal with an `id` and a `role` is passed,
 * the link is for that person.
 */
export type LinkTarget = { readonly id: string } | { readonly role: string; readonly id?: undefined };

/** The content of a link. Times are epoch milliseconds. */
export type Link = {
  readonly approvalId: ApprovalId;
  readonly target: LinkTarget;
  readonly issuedAt: number;
  readonly expiresAt: number;
};

/** Encrypts and decrypts the tokens of links. */
export type LinkTokens = {
  /** The token of a link: encrypted, and safe in a path of an address. */
  seal(link: Link): Promise<string>;
  /** The link of a token that was made with one of the secrets, even if the link has expired; otherwise `undefined`. */
  open(token: string): Promise<Link | undefined>;
};

/** The content of a token. No other token of this library has this form. */
const contentSchema = z.object({
  purpose: z.literal('answer'),
  question: z.string(),
  person: z.string().optional(),
  role: z.string().optional(),
  issuedAt: z.number(),
  expiresAt: z.number(),
});

type Keys = { readonly mac: Uint8Array; readonly cipher: Uint8Array };

const macBytes = 32;
const nonceBytes = 16;
/** Contents are padded to a multiple of this length, so that the length of a token reveals little about the name in it. */
const blockBytes = 64;
/** The longest token that is decrypted, in characters. */
const longestToken = 4_096;

/**
 * Tokens are encrypted (AES-256 in counter mode) and authenticated (HMAC-SHA256 of the content, which is also the nonce:
 * the SIV construction). The keys are derived for this use, so no other signature of the same secret is valid here.
 *
 * @param secrets new tokens use the first one; tokens of all of them can be opened
 * @source ADR 0045
 */
export function createLinkTokens(secrets: readonly string[]): LinkTokens {
  const keys = secrets.map(keysOf);
  const [current] = keys;
  if (!current) throw new Error('A link needs a secret.');
  return {
    async seal(link) {
      const content = padded(contentOf(link));
      const tag = tagOf(current, content);
      const sealed = await runtime.aesCtr(current.cipher, tag.subarray(0, nonceBytes), content);
      return runtime.toBase64url(Uint8Array.of(...tag, ...sealed));
    },
    async open(token) {
      if (token.length > longestToken) return undefined;
      const bytes = runtime.fromBase64url(token);
      const tag = bytes.subarray(0, macBytes);
      const sealed = bytes.subarray(macBytes);
      if (sealed.length === 0 || sealed.length % blockBytes !== 0) return undefined;
      for (const key of keys) {
        const content = await runtime.aesCtr(key.cipher, tag.subarray(0, nonceBytes), sealed);
        if (runtime.isSame(tag, tagOf(key, content))) return linkIn(content);
      }
      return undefined;
    },
  };
}

function keysOf(secret: string): Keys {
  return {
    mac: deriveBytes(secret, 'countersign/answer-link-mac/1'),
    cipher: deriveBytes(secret, 'countersign/answer-link-cipher/1'),
  };
}

function tagOf({ mac }: Keys, content: Uint8Array): Uint8Array {
  return runtime.hmacSha256(mac, content);
}

function contentOf({ approvalId, target, issuedAt, expiresAt }: Link): string {
  const whom = target.id === undefined ? { role: target.role } : { person: target.id };
  const content: z.input<typeof contentSchema> = {
    purpose: 'answer',
    question: approvalId,
    ...whom,
    issuedAt,
    expiresAt,
  };
  return JSON.stringify(content);
}

/** The content, padded with spaces, which `JSON.parse` ignores. */
function padded(content: string): Uint8Array {
  const bytes = new TextEncoder().encode(content);
  const whole = new Uint8Array(Math.ceil(bytes.length / blockBytes) * blockBytes).fill(0x20);
  whole.set(bytes);
  return whole;
}

/** The content is authentic, but another version of this library may have made it. */
function linkIn(content: Uint8Array): Link | undefined {
  const { data } = contentSchema.safeParse(JSON.parse(new TextDecoder().decode(content)));
  const target = data && targetIn(data);
  if (!target) return undefined;
  const { question, issuedAt, expiresAt } = data;
  return { approvalId: parseApprovalId(question), target, issuedAt, expiresAt };
}

function targetIn({ person, role }: z.output<typeof contentSchema>): LinkTarget | undefined {
  if (person !== undefined) return { id: person };
  return role === undefined ? undefined : { role };
}
