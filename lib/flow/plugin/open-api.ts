import type { z } from 'zod';
import type { ErrorCode } from '../../protocol/index.ts';

/** A part of the document. */
export type Part = Readonly<Record<string, unknown>>;

/** One operation, with its responses by status. */
export type Operation = Part & {
  readonly responses: Part;
  /** Its error codes, besides those of every operation of this form. `none`: `responses` is complete. */
  readonly refusals?: readonly ErrorCode[] | 'none';
};

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The operations of one path by method, and the path's parameters. */
export type Path = { readonly [method in Method]?: Operation } & { readonly parameters?: readonly Part[] };

/** Paths and webhooks of an OpenAPI document, and the schemas that they refer to by name. */
export type OpenApiPart = {
  readonly paths: Readonly<Record<string, Path>>;
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly webhooks?: Readonly<Record<string, object>>;
  /** The name of the schema of its refusals. Default `Error`. */
  readonly errorSchema?: string;
  /** The tag of its operations. Default: that of the kernel's operations at similar paths. */
  readonly tag?: { readonly name: string; readonly description: string };
  /** Texts about schemas that pages use, too. Pages would download texts that are part of the schemas. */
  readonly descriptions?: ReadonlyMap<unknown, string>;
};
