import type { GeminiBody, GeminiCall, GeminiContent, GeminiResponse } from './body.ts';

/** What a Gemini service remembers, and how strict it is. */
export type GeminiMemory = {
  /** Since Gemini 3, the first call of each reply of the current turn must have its signature. */
  readonly needsSignatures: boolean;
  /** The signatures that the service has sent. */
  readonly signatures: ReadonlySet<string>;
  /** The signatures of calls that the service has sent, by the call's id, which a model may repeat. */
  readonly ofCalls: ReadonlyMap<string, ReadonlySet<string>>;
};

/** What replaces the signature of a call that another model has made. */
const foreign = 'skip_thought_signature_validator';

/** What `streamGenerateContent` refuses with 400 although it fits the schema, in the service's words. */
export function faultOfGemini({ contents }: GeminiBody, memory: GeminiMemory): string | undefined {
  const lastQuestion = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts.some((part) => 'functionResponse' in part),
  );
  const faults = [
    ...contents.flatMap(({ parts }, at) => faultsOfParts(parts, at)),
    ...contents.flatMap((content, at) => faultsOfOrder(content, contents[at - 1], contents[at + 1])),
    ...contents.flatMap((content, at) => faultsOfSignatures(content, at > lastQuestion, memory)),
    ...(contents.at(-1)?.role === 'user'
      ? []
      : ['Please ensure that multiturn requests end with a user role or a function response.']),
  ];
  return faults[0];
}

function faultsOfParts(parts: GeminiContent['parts'], at: number): string[] {
  if (parts.length === 0)
    return [`GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`];
  return parts.flatMap((part, index) =>
    'text' in part && part.text === '' && part.thoughtSignature === undefined
      ? [
          `GenerateContentRequest.contents[${at}].parts[${index}].data: required oneof field 'data' must have one initialized field`,
        ]
      : [],
  );
}

/** A turn of calls follows a turn of the user, and a turn with one response for each call follows it. */
function faultsOfOrder(
  content: GeminiContent,
  before: GeminiContent | undefined,
  next: GeminiContent | undefined,
): string[] {
  const called = callsOf(content).map(({ functionCall }) => functionCall);
  const responded = responsesOf(content).map(({ functionResponse }) => functionResponse);
  const faults: string[] = [];
  if (called.length > 0 && before?.role !== 'user') {
    faults.push(
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    );
  }
  if (responded.length > 0 && callsOf(before).length === 0) {
    faults.push('Please ensure that function response turn comes immediately after a function call turn.');
  }
  const responses = responsesOf(next).map(({ functionResponse }) => functionResponse);
  if (called.length > 0 && called.length !== responses.length) {
    faults.push(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
  called.forEach(({ id, name }, index) => {
    const response = id === undefined ? responses[index] : responses.find((candidate) => candidate.id === id);
    if (response?.name !== name) faults.push(`The function response for ${name} is missing.`);
  });
  return faults;
}

function faultsOfSignatures(
  content: GeminiContent,
  isCurrent: boolean,
  { needsSignatures, signatures, ofCalls }: GeminiMemory,
): string[] {
  const calls = callsOf(content);
  const first = calls[0];
  const hasLost = ({ functionCall, thoughtSignature = '' }: GeminiCall) =>
    ofCalls.get(functionCall.id ?? '')?.has(thoughtSignature) === false;
  return [
    ...(needsSignatures && isCurrent && first && first.thoughtSignature === undefined
      ? ['Function call is missing a thought_signature in functionCall parts.']
      : []),
    ...calls
      .filter(hasLost)
      .map(({ functionCall }) => `The function call ${functionCall.name} has lost its thought_signature.`),
    ...content.parts.flatMap(({ thoughtSignature }) =>
      thoughtSignature === undefined || thoughtSignature === foreign || signatures.has(thoughtSignature)
        ? []
        : ['Corrupted thought signature.'],
    ),
  ];
}

function callsOf(content: GeminiContent | undefined): GeminiCall[] {
  return content?.parts.filter((part): part is GeminiCall => 'functionCall' in part) ?? [];
}

function responsesOf(content: GeminiContent | undefined): GeminiResponse[] {
  return content?.parts.filter((part): part is GeminiResponse => 'functionResponse' in part) ?? [];
}
