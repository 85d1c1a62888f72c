import { asSchema, jsonSchema, safeValidateTypes } from '@ai-sdk/provider-utils';
import type { ToolSet } from 'ai';
import { canonicalJson, copyJson, type JsonValue } from '../../../protocol/index.ts';
import { dangerOf } from '../../../protocol/safe-json.ts';
import { withPatterns } from '../../patterns/checked-schema.ts';

type Tool = ToolSet[string];
type ToolSchema = ReturnType<typeof asSchema>;
type ToolFacts = Readonly<Record<string, unknown>>;
type Forms = { readonly own: ToolSchema; readonly raw: ToolSchema };

/** Arguments as they would run. */
export type ParsedInput = {
  readonly fits: true;
  /** What the tool gets: a `Date` is one. */
  readonly value: unknown;
  readonly json: JsonValue;
  /** Present when that differs from what was given. */
  readonly runsAs?: JsonValue;
};

/** Arguments as a tool's schema parses them, or why they do not fit. */
export type Parsing =
  | { readonly fits: true; readonly value: unknown }
  | { readonly fits: false; readonly error: Error };

/**
 * The schemas of a flow's tools in the SDK's own form. Each is made once, and its JSON Schema is computed when it is first
 * needed.
 */
export function createSchemas() {
  const known = new WeakMap<object, Forms>();
  const kept = new WeakMap<object, ParsedInput>();
  const texts = new WeakMap<Tool, { readonly facts: ToolFacts; readonly text: string }>();

  /** If a tool creates its schema at each access, the schema is read each time. */
  function formsOf({ inputSchema }: Tool): Forms {
    const isObject = typeof inputSchema === 'object' && inputSchema !== null;
    const found = isObject ? known.get(inputSchema) : undefined;
    if (found) return found;
    const own = withPatterns(asSchema(inputSchema), { unknown: 'refused' });
    const forms = { own, raw: unparsed(own) };
    if (isObject) known.set(inputSchema, forms);
    return forms;
  }

  return {
    /**
     * A tool's input schema for the SDK. It validates, and returns the value unparsed. So parts, messages and the log
     * contain what the model wrote, and nothing is parsed twice.
     *
     * @source ADR 0020
     */
    inputOf: (tool: Tool): ToolSchema => formsOf(tool).raw,

    /** Facts about a tool as canonical JSON, computed once, until one of them changes. */
    textOf(tool: Tool, facts: ToolFacts): string {
      const found = texts.get(tool);
      if (found && Object.keys(facts).every((key) => found.facts[key] === facts[key])) return found.text;
      const text = canonicalJson(facts);
      texts.set(tool, { facts, text });
      return text;
    },

    /** Parses arguments as the model or a person gave them. Works on a copy: some validators change what they check. */
    async parse(tool: Tool, raw: unknown): Promise<Parsing> {
      const checked = await safeValidateTypes({ value: copyJson(raw), schema: formsOf(tool).own });
      return checked.success ? { fits: true, value: checked.value } : { fits: false, error: checked.error };
    },

    /**
     * Keeps the parsed arguments of an answered call, so that its start does not have to wait and shares the
     * answer's append.
     */
    keep(call: object, parsed: ParsedInput): void {
      kept.set(call, parsed);
    },

    /** Returns the kept arguments of a call, only once, because a tool may modify them. */
    take(call: object): ParsedInput | undefined {
      const parsed = kept.get(call);
      kept.delete(call);
      return parsed;
    },
  };
}

/** @see createSchemas */
export type Schemas = ReturnType<typeof createSchemas>;

function unparsed(own: ToolSchema): ToolSchema {
  return jsonSchema(() => own.jsonSchema, {
    async validate(value) {
      // A question and the log could not contain all of it.
      const danger = dangerOf(value);
      if (danger) return { success: false, error: new Error(`The input ${danger}.`) };
      const checked = (await own.validate?.(copyJson(value))) ?? { success: true };
      return checked.success ? { success: true, value } : checked;
    },
  });
}
