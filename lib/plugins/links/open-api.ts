import type { OpenApiPart, Operation } from '../../flow/plugin/open-api.ts';
import { inPath, operation } from '../../server/documents/operations.ts';

const html = { 'text/html': { schema: { type: 'string' } } };
const page = (description: string) => ({ description, content: html });

/** An operation for people with a browser. Its refusals are pages, too. */
function pageOperation(operationId: string, summary: string, responses: Operation['responses']): Operation {
  const refused = { default: page('A page that says why the link or the form was refused.') };
  const more = { tags: ['Approvals'], security: [], refusals: 'none' } as const;
  return operation(operationId, summary, { ...responses, ...refused }, more);
}

/** What the OpenAPI document says about the pages of links. @source ADR 0045 */
export const linksOpenApi: OpenApiPart = {
  schemas: {},
  paths: {
    '/api/answer/{token}': {
      parameters: [inPath('token')],
      get: pageOperation('openAnswerLink', 'A page with one question, for one person or role', {
        200: page('The question, or its outcome.'),
      }),
      post: pageOperation('answerByLink', 'Send a form of the page; only the second one answers', {
        200: page('The second form.'),
        303: {
          description: 'The question is no longer open. `location` is the link, which shows the outcome.',
        },
      }),
    },
  },
};
