import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build } from 'vite';
import { expect } from 'vitest';
import { draftOf } from '../../lib/client/form/field-draft.ts';
import { parseField } from '../../lib/client/form/parse-field.ts';
import { readDraft } from '../../lib/client/form/read-draft.ts';
import { EditField } from '../../lib/react/card/form/edit-field.tsx';
import { FormContext } from '../../lib/react/card/form/form-context.ts';
import { defaultCardWords } from '../../lib/react/words/card-words.ts';
import { adr } from '../support/adr.ts';

const { clause } = adr('0025-the-argument-form.md');

const root = resolve(import.meta.dirname, '../..');
const schema = {
  type: 'object',
  properties: { recipient: { type: 'string', minLength: 1 }, amount: { type: 'number' } },
  required: ['recipient', 'amount'],
};

/** Runs a module where `eval` and `new Function` throw, as under a policy without `unsafe-eval`. */
async function runWithoutEval(source: string): Promise<string> {
  const flags = ['--disallow-code-generation-from-strings', '--no-warnings', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', source], { cwd: root });
  return stdout.trim();
}

/** The bytes of a module in a page, minified and compressed, without React. */
async function bytesOf(entry: string): Promise<number> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rollupOptions: { input: entry, external: [/^react/], preserveEntrySignatures: 'strict' },
    },
  });
  const chunks = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return gzipSync(chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n')).length;
}

clause('0025.1', async () => {
  const ours = await runWithoutEval(`
    const { parseField } = await import('./lib/client/form/parse-field.ts');
    const { draftOf } = await import('./lib/client/form/field-draft.ts');
    const { readDraft } = await import('./lib/client/form/read-draft.ts');
    const field = parseField(${JSON.stringify(schema)});
    const { problems } = readDraft(field, draftOf(field, { recipient: '', amount: 30 }));
    console.log([...problems.keys()].join());
  `);
  expect(ours).toBe('/recipient');

  const ajv = runWithoutEval(`
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    new Ajv2020().compile(${JSON.stringify(schema)});
  `);
  await expect(ajv).rejects.toThrow('EvalError');
});

clause('0025.2', () => {
  const shown = { recipient: 'Alice', amount: '[redacted]' };
  const field = parseField(schema);
  expect(readDraft(field, draftOf(field, shown))).toEqual({ value: shown, problems: new Map() });

  const validate = new Ajv2020().compile(schema);
  expect(validate(shown)).toBe(false);
  expect(validate.errors?.[0]?.instancePath).toBe('/amount');
});

clause('0025.3', () => {
  const card = { type: 'object', properties: { number: { type: 'string' } } };
  const account = { type: 'object', properties: { iban: { type: 'string' } } };
  const field = parseField({
    type: 'object',
    properties: { amount: { type: 'number' }, from: { oneOf: [card, account] } },
  });
  expect(field).toMatchObject({
    type: 'object',
    properties: [
      { name: 'amount', field: { type: 'number' } },
      { name: 'from', field: { type: 'json' } },
    ],
  });
});

clause('0025.4', () => {
  const field = parseField(schema);
  const draft = draftOf(field, { recipient: '', amount: 30 });
  const { problems } = readDraft(field, draft);
  const place = { path: '', name: 'Arguments', isRequired: true };
  const form = createElement(EditField, { field, draft, initial: draft, place, onChange: () => {} });
  const state = { words: defaultCardWords, problems };
  const html = renderToStaticMarkup(createElement(FormContext.Provider, { value: state }, form));

  const problemId = /<input[^>]*aria-describedby="([^"]+)"[^>]*aria-invalid="true"/.exec(html)?.[1];
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(html).toContain(`id="${problemId}">Required.`);
});

clause('0025.5', async () => {
  const ours = await Promise.all(
    [
      'lib/react/card/form/edit-field.tsx',
      'lib/client/form/parse-field.ts',
      'lib/client/form/read-draft.ts',
    ].map((file) => bytesOf(resolve(root, file))),
  );
  const ajv = await bytesOf(resolve(root, 'node_modules/ajv/dist/2020.js'));
  expect(ours.reduce((sum, bytes) => sum + bytes)).toBeLessThan(ajv / 3);
});
