import { type Access, functionName, type Operation } from '../../lib/api-contract/operation.ts';
import type { ApiRights, Setting } from '../../lib/api-contract/rights.ts';
import { documentedOperations } from '../../lib/operations.ts';
import { type ApiFunction, defaultMemoryMegabytes, defaultTimeoutSeconds } from './definition.ts';

/** What a request needs before its operation's own work: its key is looked up, and its address counted. */
const onAccess: Readonly<Record<Access, { rights: ApiRights; settings: readonly Setting[] }>> = {
  key: { rights: { table: ['GetItem', 'UpdateItem'] }, settings: ['RATE_LIMIT_PER_MINUTE'] },
  'rate-limited': { rights: { table: ['UpdateItem'] }, settings: ['RATE_LIMIT_PER_MINUTE'] },
  public: { rights: {}, settings: [] },
};

/**
 * Which nouns (first segments of handlers) share a stack; any other noun has a stack of its own, and a handler without a
 * noun stands beside the HTTP API. Do not move a deployed noun: two stacks cannot both have a route, not even briefly.
 */
const groupOfNoun: Readonly<Record<string, string>> = {
  oauth: 'accounts',
  rhythm: 'accounts',
  workspace: 'accounts',
};

/** Files that lie beside a handler's bundle. */
const filesOfHandler: Readonly<Record<string, readonly string[]>> = {
  docs: ['node_modules/swagger-ui-dist/swagger-ui-bundle.js', 'node_modules/swagger-ui-dist/swagger-ui.css'],
};

/** One function for each handler, with all that its operations need. */
export function functionsOf(operations: readonly Operation[]): readonly ApiFunction[] {
  return [...Map.groupBy(operations, ({ handler }) => handler)].map(([handler, served]) => {
    const [noun = '', verb] = handler.split('/');
    const files = filesOfHandler[handler];
    const needs = served.flatMap((operation) => [onAccess[operation.access], operation]);
    return {
      name: functionName(handler),
      routes: served.map(({ method, path }) => `${method} ${path}`),
      entry: `functions/api/${handler}.ts`,
      ...(files && { files }),
      ...(verb !== undefined && { group: groupOfNoun[noun] ?? noun }),
      rights: needs.map(({ rights = {} }) => rights).reduce(unite),
      settings: [...new Set(needs.flatMap(({ settings = [] }) => settings))],
      memoryMegabytes: Math.max(
        ...served.map(({ memoryMegabytes = defaultMemoryMegabytes }) => memoryMegabytes),
      ),
      timeoutSeconds: Math.max(...served.map(({ timeoutSeconds = defaultTimeoutSeconds }) => timeoutSeconds)),
      isCrowded: served.some(({ isCrowded }) => isCrowded),
    };
  });
}

/**
 * The functions behind the HTTP API. Every route is served as written and under `/api`. What no route takes is no
 * operation: the document does not describe it.
 */
export const apiFunctions: readonly ApiFunction[] = [
  ...functionsOf(documentedOperations),
  {
    name: 'not-found',
    routes: ['$default'],
    entry: 'functions/api/not-found.ts',
    ...onAccess['rate-limited'],
  },
];

function unite(one: ApiRights, other: ApiRights): ApiRights {
  const united: Record<string, unknown> = { ...one };
  for (const [kind, right] of Object.entries(other)) united[kind] = uniteRight(united[kind], right);
  return united;
}

/** Lists and partitions are joined; the secrets of one platform and those of others are those of all. */
function uniteRight(one: unknown, other: unknown): unknown {
  if (one === undefined || one === other) return other;
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  return typeof one === 'object' && typeof other === 'object' ? { ...one, ...other } : true;
}
