import { assertSafeJson } from '../../../protocol/safe-json.ts';
import { refuseParam } from '../errors.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** What `include` may name, and what this does. */
const knownIncludes: ReadonlyMap<string, string> = new Map([
  ['file_search_call.results', 'Adds the results to `file_search_call` items.'],
  ['web_search_call.action.sources', 'Adds the sources to `web_search_call` items.'],
  ['reasoning.encrypted_content', 'No effect is needed: the server keeps the reasoning of its chats.'],
  ['message.input_image.image_url', 'No effect is needed: listed images have their URL.'],
]);

/** A value of the API that this gateway cannot carry out. */
type RefusedValue = {
  readonly param: string;
  /** As in the documentation. */
  readonly value: string;
  readonly reason: string;
  readonly isIn: (request: ResponsesRequest) => boolean;
};

/**
 * The values that are refused, with the reason. Those of `tools` and `tool_choice` depend on the flow's tools.
 *
 * @source C15
 */
const refusedValues: readonly RefusedValue[] = [
  {
    param: 'background',
    value: 'true',
    reason:
      'a response is sent while it is made; a run continues without its reader, so disconnect and read it back',
    isIn: ({ background }) => background === true,
  },
  {
    param: 'truncation',
    value: 'all but `disabled`',
    reason: 'the server decides what of its chat the model sees',
    isIn: ({ truncation }) => (truncation ?? 'disabled') !== 'disabled',
  },
  {
    param: 'text.verbosity',
    value: 'all but `medium`',
    reason: "the model is the server's own, and may have no such setting",
    isIn: ({ text }) => (text?.verbosity ?? 'medium') !== 'medium',
  },
];

/** Refuses a request with a value that cannot be carried out. @throws CountersignError `invalid-request` */
export function refuseValues(request: ResponsesRequest): void {
  const refused = refusedValues.find(({ isIn }) => isIn(request));
  if (refused) {
    const { param, value, reason } = refused;
    throw refuseParam('invalid-request', param, `${param}: ${value} is not supported: ${reason}.`);
  }
  readInclude(request.include ?? []);
  // Schemas of any shape, which are recorded.
  assertSafeJson(request.tools, 'A tool of the request');
  assertSafeJson(request.text, 'The text format of the request');
}

/** Checks the values of `include`. @throws CountersignError `invalid-request` */
export function readInclude(include: readonly string[]): readonly string[] {
  const unknown = include.find((name) => !knownIncludes.has(name));
  if (unknown === undefined) return include;
  const known = [...knownIncludes.keys()].join(', ');
  throw refuseParam(
    'invalid-request',
    'include',
    `include: ${unknown} is not supported. Supported are ${known}.`,
  );
}
