import { type ChatId, canonicalJson, type JsonValue } from '../../protocol/index.ts';
import type { Remember } from '../../protocol/wire/remember.ts';
import { runtime } from '../../runtime/runtime.ts';

/** The parts of a call that an approval may cover. */
type CoveredCall = {
  readonly personId: string;
  readonly chatId: ChatId;
  readonly toolName: string;
  /** The arguments as they were given, by the model or by the person who edited them. */
  readonly input: JsonValue;
};

const everyWay: readonly Remember[] = [
  { scope: 'me', match: 'tool' },
  { scope: 'me', match: 'exact-arguments' },
  { scope: 'chat', match: 'tool' },
  { scope: 'chat', match: 'exact-arguments' },
];

/** A digest of the calls that an approval covers, if it is given for this call and reaches so far. */
export function coverageOf(
  { personId, chatId, toolName, input }: CoveredCall,
  { scope, match }: Remember,
): string {
  const chat = scope === 'chat' ? chatId : null;
  const reach = match === 'exact-arguments' ? [input] : null;
  return runtime.digest(canonicalJson([personId, chat, toolName, reach]));
}

/** The coverage of all approvals that would cover this call. */
export function coveragesOf(call: CoveredCall): string[] {
  return everyWay.map((way) => coverageOf(call, way));
}
