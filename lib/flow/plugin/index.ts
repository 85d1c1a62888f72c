export type { FlowEvent } from '../../protocol/index.ts';
export type * from '../../protocol/plugin-fields.ts';
export type { FindGivers, Giver } from '../../rights/givers.ts';
export type { AuthorizedRequest, Endpoint, MakeRoute, Route } from './http.ts';
export type { OpenApiPart } from './open-api.ts';
export type { FlowPlugin, Kernel, PluginMethods, PluginParts } from './plugin.ts';
