import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build } from 'vite';
import { expect } from 'vitest';
import { draftOf } from '../../lib/plugins/forms/client/field-draft.ts';
import { formWords } from '../../lib/plugins/forms/client/form-words.ts';
import { parseField } from '../../lib/plugins/forms/client/parse-field.ts';
import { readDraft } from '../../lib/plugins/forms/client/read-draft.ts';
import { EditField } from '../../lib/plugins/forms/react/form/edit-field.tsx';
import { FormContext } from '../../lib/plugins/forms/react/form/form-context.ts';
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

/** The chunks of a page with this module, minified, without React. */
async function chunksOf(entry: string) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    // As for a page. Under a test runner, Vite would add file names and lines to each element.
    oxc: { jsx: { development: false } },
    build: {
      write: false,
      rollupOptions: { input: entry, external: [/^react/], preserveEntrySignatures: 'strict' },
    },
  });
  const output = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  return output.filter((each) => each.type === 'chunk');
}

/** @param part what the page loads first, or what it loads when someone needs it */
async function codeOf(entry: string, part: 'first' | 'later'): Promise<string> {
  const chunks = await chunksOf(entry);
  const counted = chunks.filter(({ isDynamicEntry }) => isDynamicEntry === (part === 'later'));
  return counted.map(({ code }) => code).join('\n');
}

clause('0025.1', async () => {
  const ours = await runWithoutEval(`
    const { parseField } = await import('./lib/plugins/forms/client/parse-field.ts');
    const { draftOf } = await import('./lib/plugins/forms/client/field-draft.ts');
    const { readDraft } = await import('./lib/plugins/forms/client/read-draft.ts');
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
  const place = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] };
  const field = parseField({
    type: 'object',
    properties: { amount: { type: 'number' }, from: place },
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
  const state = { words: { ...defaultCardWords, ...formWords }, problems };
  const html = renderToStaticMarkup(createElement(FormContext.Provider, { value: state }, form));

  const problemId = /<input[^>]*aria-describedby="([^"]+)"[^>]*aria-invalid="true"/.exec(html)?.[1];
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(html).toContain(`id="${problemId}">Required.`);
});

clause('0025.5', async () => {
  const chunks = await chunksOf(resolve(root, 'lib/plugins/forms/react/index.tsx'));
  const form = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/form/form-code.tsx'));
  const ours = gzipSync(form?.code ?? '').length;
  const ajv = gzipSync(await codeOf(resolve(root, 'node_modules/ajv/dist/2020.js'), 'first')).length;
  expect(ours).toBeGreaterThan(3_000);
  expect(ours).toBeLessThan(ajv / 3);
});

clause('0025.6', async () => {
  const card = resolve(root, 'lib/plugins/forms/react/index.tsx');
  expect(await codeOf(card, 'first')).not.toContain('form-summary');
  expect(await codeOf(card, 'later')).toContain('form-summary');
  // Imported at once, it would be a part of what the page loads first.
  expect(await codeOf(resolve(root, 'lib/plugins/forms/react/form/form-code.tsx'), 'first')).toContain(
    'form-summary',
  );
});

clause('0025.7', () => {
  const at = '2026-02-28T10:30:00.120000+05:30';
  const field = parseField({ type: 'object', properties: { at: { type: 'string', format: 'date-time' } } });
  expect(readDraft(field, draftOf(field, { at })).value).toEqual({ at });
  expect(new Date(at).toISOString()).not.toBe(at);
});

clause('0025.8', () => {
  const pattern = '^(?:.?){60}(?=x)';
  const properties = { word: { type: 'string', pattern } };
  const field = parseField({ type: 'object', properties, 'x-unchecked-patterns': [pattern] });
  const draft = draftOf(field, { word: 'a'.repeat(80) });
  expect(readDraft(field, draft).problems.size).toBe(0);
  const place = { path: '', name: 'Arguments', isRequired: true };
  const form = createElement(EditField, { field, draft, initial: draft, place, onChange: () => {} });
  const state = { words: { ...defaultCardWords, ...formWords }, problems: new Map() };
  const html = renderToStaticMarkup(createElement(FormContext.Provider, { value: state }, form));
  const hintId = / aria-describedby="([^"]+)"/.exec(html)?.[1];
  expect(html).toContain(
    `id="${hintId}"><p data-countersign="field-hint">The format of this value isn’t checked.`,
  );
});
