import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import { json, operation, optional, ref } from '../../server/documents/operations.ts';
import { insightsSchema } from './endpoints.ts';

const parameters = [
  optional(
    'since',
    'query',
    'A number of days, including today, such as 30d (the default), or a time (ISO 8601). Whole days, UTC.',
  ),
  optional('until', 'query', 'Through the day of this time (ISO 8601). Default: now.'),
  optional('timeZone', 'query', 'Of the hours of the day: an IANA name. Default: UTC.'),
];

/** What the OpenAPI document says about insights. */
export const insightsOpenApi: OpenApiPart = {
  schemas: { Insights: insightsSchema },
  paths: {
    '/api/operations/insights': {
      get: operation(
        'readInsights',
        'How people answer, for people with the right',
        { 200: json('Counts and waiting times.', ref('Insights')) },
        { parameters },
      ),
    },
    '/api/operations/insights.csv': {
      get: operation(
        'exportInsights',
        'How people answer, as a table, for people with the right',
        {
          200: {
            description:
              'One row for all questions, and one for each tool, risk, person and hour of the day.',
            content: { 'text/csv': { schema: { type: 'string' } } },
          },
        },
        { parameters },
      ),
    },
  },
};
