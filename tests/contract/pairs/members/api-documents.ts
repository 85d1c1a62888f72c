import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from 'countersign/plugins/api-documents';
import { expectStatus, proves } from '../proofs.ts';
import { chatId, type Member } from '../stage.ts';

type Response = { readonly content?: { readonly 'application/json'?: { readonly schema?: object } } };
type Described = { readonly responses?: Readonly<Record<string, Response>> };

/** The document of the flow describes each JSON response of the row. */
export const member: Member = (setup) => {
  setup.after.push(async () => {
    const { clients, reached } = setup.stage();
    const call = { who: 'ada', does: 'look', instance: reached, chatId } as const;
    expectStatus(200, (await clients.ask({ ...call, path: `/api/chat/${chatId}` })).status);
  });
  proves(setup, 'api-documents', () => {
    const { flow, history } = setup.stage();
    const document = openApiDocument({
      version: '0.0.0',
      plugins: flow.plugins,
      dialects: setup.dialects,
    });
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    const answered = history.exchanges.filter(({ json }) => json !== undefined);
    const undescribed = answered.filter(({ path, status, json }) => {
      const found = Object.entries(document.paths).filter(([template]) => isOf(template, path));
      const schemas = found.flatMap(([, methods]) =>
        Object.values((methods ?? {}) as Record<string, Described>).map(
          ({ responses }) =>
            (responses?.[`${status}`] ?? responses?.default)?.content?.['application/json']?.schema,
        ),
      );
      return !schemas.some((schema) => schema && ajv.validate(absolute(schema), json));
    });
    return (answered.length > 0 && undescribed.length === 0) || undescribed;
  });
};

const isOf = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');

/** References into the document, for a schema that is outside of it. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
