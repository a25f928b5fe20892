import type { FunctionDefinition, WorkerRights } from '../../../infra/functions/definition.ts';

/** Kilobytes of code that an import may load, by what the function's rights say it needs. */
const needs = {
  /** The handler's frame, zod, and the client of the table. */
  table: 360,
  /** The client of S3. */
  media: 120,
  /** Requests to platforms, with the platform's side of a login or a token. */
  platforms: 60,
} as const;

/** The code that a function needs beyond that. A new row says why its function cannot load it when it is used. */
const more: Readonly<Record<string, { readonly kilobytes: number; readonly for: string }>> = {
  'posts-create': { kilobytes: 120, for: 'planning' },
  'posts-bulk': { kilobytes: 120, for: 'planning' },
  'posts-duplicate': { kilobytes: 120, for: 'planning' },
  'posts-edit': { kilobytes: 120, for: 'planning' },
  'posts-validate': { kilobytes: 120, for: 'planning' },
  'run-chain': { kilobytes: 30, for: 'planning the step' },
  'publish-target': { kilobytes: 130, for: 'what adapters share, and pictures of link cards' },
  'upload-target': { kilobytes: 130, for: 'what adapters share, and pictures of link cards' },
  'run-automation': { kilobytes: 70, for: 'the private replies of two platforms' },
  'complete-upload': { kilobytes: 230, for: 'mediabunny: every file is read' },
  'media-store-preview': { kilobytes: 280, for: 'mediabunny and file-type: the picture is read' },
  announce: { kilobytes: 20, for: 'the index of the search' },
  'import-media': { kilobytes: 40, for: 'file-type: every file is read' },
  'panel-sign-out': { kilobytes: 20, for: 'OpenID Connect' },
  'panel-check-session': { kilobytes: 25, for: 'OpenID Connect' },
  'accounts-preview-disconnect': { kilobytes: 20, for: 'what each platform can withdraw' },
  sweep: { kilobytes: 40, for: 'each kind of work that it repairs' },
  relay: { kilobytes: 15, for: 'each effect of a change' },
  'check-ahead': { kilobytes: 40, for: 'what publishing checks' },
  'posts-metrics': { kilobytes: 30, for: 'the names of the numbers on each platform' },
  mcp: { kilobytes: 560, for: 'the protocol, and what each tool calls' },
  openapi: { kilobytes: 480, for: 'the document itself' },
  zernio: { kilobytes: 410, for: 'the verbs behind all calls of the SDK' },
};

/** Returns the kilobytes of code that the import of a function may load. Code that is loaded when it is used does not count. */
export function boundKilobytes({
  name,
  rights,
}: Pick<FunctionDefinition<WorkerRights>, 'name' | 'rights'>): number {
  const { media = [], tokens = [], platformSecrets = false } = rights;
  return (
    needs.table +
    (media.length > 0 ? needs.media : 0) +
    (tokens.length > 0 || platformSecrets ? needs.platforms : 0) +
    (more[name]?.kilobytes ?? 0)
  );
}
