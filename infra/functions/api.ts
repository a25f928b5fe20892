import { verbs } from '../../lib/access/verbs.ts';
import { type Access, functionName, type Operation } from '../../lib/api-contract/operation.ts';
import type { ApiRights, Setting } from '../../lib/api-contract/rights.ts';
import { deployedOperations } from '../../lib/operations.ts';
import { type ApiFunction, defaultMemoryMegabytes, defaultTimeoutSeconds } from './definition.ts';
import { rendering } from './rendering.ts';

const callerSettings = [
  'RATE_LIMIT_PER_MINUTE',
  'KEY_RATE_LIMIT_PER_MINUTE',
  'WORKSPACE_RATE_LIMIT_PER_MINUTE',
  'PANEL_ORIGIN_SECRET_DIGEST',
  'PLAIN_HTTP_HOSTS',
] as const;

/** A function that finds a session has it checked at the API's own address. */
const sessionSettings = [...callerSettings, 'PUBLIC_BASE_URL'] as const;

/** Sessions are read with their last use, which is recorded. */
const sessionRights: ApiRights = {
  reads: { BatchGetItem: ['SESSION#', 'SESSION-USE#'] },
  writes: { UpdateItem: ['RATE#', 'SESSION-USE#'] },
};

/** The rights of a caller in a workspace: the same batch read also contains the person's membership and the workspace. */
const memberRights = mergeRights(sessionRights, { reads: { BatchGetItem: ['PERSON#', 'WORKSPACE#'] } });

/** The needs of every request in addition to its operation: functions read its API key or session, record its use, and count it. */
const needsOfAccess: Readonly<Record<Access, { rights: ApiRights; settings: readonly Setting[] }>> = {
  key: {
    rights: mergeRights(memberRights, {
      reads: { GetItem: ['KEY#'] },
      writes: { UpdateItem: ['KEY-USE#'] },
    }),
    settings: sessionSettings,
  },
  'key-by-call': {
    rights: { reads: { GetItem: ['KEY#'] }, writes: { UpdateItem: ['KEY-USE#', 'RATE#'] } },
    settings: callerSettings,
  },
  person: { rights: memberRights, settings: sessionSettings },
  agent: {
    rights: {
      // An access token leads to the key of its grant; that to the tokens, and to the membership of who gave it.
      reads: { GetItem: ['KEY#'], BatchGetItem: ['GRANT#', 'PERSON#'] },
      writes: { UpdateItem: ['KEY-USE#', 'RATE#'] },
    },
    settings: callerSettings,
  },
  session: { rights: sessionRights, settings: sessionSettings },
  'rate-limited': { rights: { writes: { UpdateItem: ['RATE#'] } }, settings: callerSettings },
  public: { rights: {}, settings: [] },
};

/**
 * Nouns (first segments of handlers) that share a stack. Every other noun has its own stack, and a handler without a noun
 * is in the stack of the HTTP API. Do not move a deployed noun to another stack: during the deployment both stacks would
 * have its routes, which API Gateway refuses.
 */
const groupOfNoun: Readonly<Record<string, string>> = {
  audit: 'accounts',
  grants: 'accounts',
  oauth: 'accounts',
  platforms: 'accounts',
  rhythm: 'accounts',
  workspace: 'accounts',
};

/** Files that are deployed with a handler's bundle. */
const filesOfHandler: Readonly<Record<string, readonly string[]>> = {
  docs: ['node_modules/swagger-ui-dist/swagger-ui-bundle.js', 'node_modules/swagger-ui-dist/swagger-ui.css'],
};

/** Handlers that render pictures, in a process that they start. */
const renderingHandlers: ReadonlySet<string> = new Set(['accounts/post-picture']);

/** Returns a handler's entry. The panel's own operations have their own folder. */
const entryOf = (handler: string): string =>
  handler.startsWith('panel/') ? `functions/${handler}.ts` : `functions/api/${handler}.ts`;

/** Every operation that changes something appends to the audit log; its refusals within an hour are one entry, which counts them. */
const auditRights: ApiRights = { writes: { PutItem: ['AUDIT#'], UpdateItem: ['AUDIT#'] } };
const isAudited = ({ verb }: Operation): boolean => verb !== undefined && !verbs[verb].isRead;

const defaults = { memoryMegabytes: defaultMemoryMegabytes, timeoutSeconds: defaultTimeoutSeconds };

/**
 * Returns one function per handler, with the rights, settings, memory and timeout that its operations need together, and those that
 * they call.
 */
export function functionsOf(operations: readonly Operation[]): readonly ApiFunction[] {
  return [...Map.groupBy(operations, ({ handler }) => handler)].map(([handler, served]) => {
    const [noun = '', verb] = handler.split('/');
    const files = filesOfHandler[handler];
    const performed = served.flatMap((operation) => [operation, ...(operation.calls ?? [])]);
    const needs: readonly Pick<Operation, 'rights' | 'settings'>[] = [
      ...served.map(({ access }) => needsOfAccess[access]),
      ...performed.flatMap((operation) => [
        ...(isAudited(operation) ? [{ rights: auditRights }] : []),
        operation,
      ]),
    ];
    const most = (limit: keyof typeof defaults) =>
      Math.max(...performed.map((operation) => operation[limit] ?? defaults[limit]));
    return {
      name: functionName(handler),
      routes: served.map(({ method, path }) => `${method} ${path}`),
      entry: entryOf(handler),
      ...(files && { files }),
      ...(renderingHandlers.has(handler) && rendering),
      ...(verb !== undefined && { group: groupOfNoun[noun] ?? noun }),
      rights: needs.map(({ rights = {} }) => rights).reduce(mergeRights),
      settings: [...new Set(needs.flatMap(({ settings = [] }) => settings))],
      memoryMegabytes: most('memoryMegabytes'),
      timeoutSeconds: most('timeoutSeconds'),
      hasLinkThrottle: served.some(({ hasLinkThrottle }) => hasLinkThrottle),
    };
  });
}

/**
 * The functions behind the HTTP API. Every route is served as written and under `/api`. `not-found` answers requests that
 * match no route; the OpenAPI document does not describe it.
 */
export const apiFunctions: readonly ApiFunction[] = [
  ...functionsOf(deployedOperations),
  {
    name: 'not-found',
    routes: ['$default'],
    entry: 'functions/api/not-found.ts',
    ...needsOfAccess['rate-limited'],
  },
];

function mergeRights(one: object, other: object): ApiRights {
  const merged: Record<string, unknown> = { ...one };
  for (const [kind, right] of Object.entries(other)) merged[kind] = mergeRight(merged[kind], right);
  return merged;
}

/**
 * Merges two values of a right; lists are joined, also those of partitions. The secrets of two different platforms become those
 * of all platforms (`true`).
 */
function mergeRight(one: unknown, other: unknown): unknown {
  if (one === undefined || one === other) return other;
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  return one instanceof Object && other instanceof Object ? mergeRights(one, other) : true;
}
