import { z } from 'zod';

const name = z
  .string()
  .regex(
    /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
    'Invalid function name. Must start with a letter or an underscore.',
  );
const signature = { thoughtSignature: z.string().optional() };

const text = z.strictObject({ text: z.string(), thought: z.boolean().optional(), ...signature });
const media = z.union([
  z.strictObject({ inlineData: z.looseObject({}), ...signature }),
  z.strictObject({ fileData: z.looseObject({}), ...signature }),
]);
const functionCall = z.strictObject({
  functionCall: z.strictObject({ id: z.string().optional(), name, args: z.record(z.string(), z.unknown()) }),
  ...signature,
});
const functionResponse = z.strictObject({
  functionResponse: z.strictObject({
    id: z.string().optional(),
    name,
    response: z.record(z.string(), z.unknown()),
    parts: z.array(z.looseObject({})).optional(),
  }),
  ...signature,
});
const part = z.union([text, media, functionCall, functionResponse]);

/** A request of `streamGenerateContent`, as far as the service's rules read it. Each part has exactly one kind of data. */
export const geminiBody = z.looseObject({
  contents: z.array(z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part) })).min(1),
  systemInstruction: z.looseObject({ parts: z.array(text) }).optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name })).optional() }))
    .optional(),
});

/** @see geminiBody */
export type GeminiBody = z.infer<typeof geminiBody>;
export type GeminiContent = GeminiBody['contents'][number];
export type GeminiCall = z.infer<typeof functionCall>;
export type GeminiResponse = z.infer<typeof functionResponse>;
