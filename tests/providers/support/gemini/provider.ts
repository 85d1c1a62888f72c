import { createGoogle } from '@ai-sdk/google';
import { firstIssue } from '../first-issue.ts';
import type { Provider, Service } from '../provider.ts';
import { halves, idAt, type Piece, type WireReply } from '../reply.ts';
import { geminiBody } from './body.ts';
import { faultOfGemini } from './rules.ts';

/** Gemini before version 3: calls have no ids, and signatures may be left out. */
export const gemini25 = gemini('Gemini 2.5', 'gemini-2.5-flash', false);

/** Gemini 3: calls have ids, and the first one of each reply has a signature that must come back. */
export const gemini3 = gemini('Gemini 3', 'gemini-3-flash-preview', true);

function gemini(name: string, modelId: string, isThird: boolean): Provider {
  return {
    name,
    packageName: '@ai-sdk/google',
    modelAt: (baseURL) => createGoogle({ apiKey: 'test-key', baseURL })(modelId),
    open(): Service {
      const signatures = new Set<string>();
      const ofCalls = new Map<string, Set<string>>();
      return {
        faultOf(body) {
          const parsed = geminiBody.safeParse(body);
          if (!parsed.success) return firstIssue(parsed.error);
          return faultOfGemini(parsed.data, { needsSignatures: isThird, signatures, ofCalls });
        },
        reply(pieces, number) {
          const signature = `signature-${modelId}-${number}`;
          signatures.add(signature);
          const parts = pieces.flatMap((piece, index) =>
            partsOf(piece, isThird ? `${number}-${index}` : undefined),
          );
          const signed = parts.find((part) => 'functionCall' in part) ?? parts.at(-1);
          const id = signed?.functionCall?.id;
          if (id !== undefined) ofCalls.set(id, (ofCalls.get(id) ?? new Set()).add(signature));
          return wireReply(
            parts.map((part) => (part === signed ? { ...part, thoughtSignature: signature } : part)),
          );
        },
        error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
      };
    },
  };
}

type Part = {
  readonly text?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: object };
};

function partsOf(piece: Piece, place: string | undefined): Part[] {
  if ('text' in piece) return halves(piece.text).map((text) => ({ text }));
  const id = piece.id ?? (place === undefined ? undefined : idAt(place, { length: 8 }));
  return [{ functionCall: { ...(id !== undefined && { id }), name: piece.call, args: piece.input } }];
}

function wireReply(parts: readonly Part[]): WireReply {
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };
  const chunk = (ofContent: readonly object[], more: object) => ({
    data: { candidates: [{ index: 0, content: { role: 'model', parts: ofContent }, ...more }] },
  });
  return {
    first: [chunk([{ text: 'Thought.', thought: true }], {}), ...parts.map((part) => chunk([part], {}))],
    last: [
      {
        data: { ...chunk([], { finishReason: 'STOP' }).data, usageMetadata },
      },
    ],
  };
}
