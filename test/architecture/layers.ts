/**
 * The layers of `lib`, lowest first. A folder may import only from folders in earlier lines of this table, types included.
 * `docs/architecture.md` shows the table as a diagram; `imports.test.ts` enforces it.
 */
export interface Layer {
  /** Relative to `lib/`. The folders of one layer import nothing from each other. */
  readonly folders: readonly string[];
  readonly holds: string;
}

export const layers: readonly Layer[] = [
  { folders: ['kernel'], holds: 'time, ids, errors, JSON, retries, life cycles' },
  { folders: ['http-client'], holds: 'outgoing HTTP, with or without the address guard' },
  { folders: ['aws'], holds: 'thin senders: queues, schedules, bucket, keys, parameters' },
  { folders: ['table'], holds: 'the one table: keys, conditions, updates, queries, transactions' },
  { folders: ['overdue', 'access'], holds: 'work that waits for its time; who may do what' },
  { folders: ['api-contract'], holds: 'what operations of the API share' },
  { folders: ['audit'], holds: 'the log of who changed what' },
  { folders: ['platforms/contract'], holds: 'the contract that every platform implements' },
  { folders: ['platforms/shared'], holds: 'what several platforms share' },
  {
    folders: [
      'platforms/facebook',
      'platforms/instagram',
      'platforms/linkedin',
      'platforms/pinterest',
      'platforms/threads',
      'platforms/tiktok',
      'platforms/youtube',
    ],
    holds: 'one platform each',
  },
  { folders: ['platforms/registry'], holds: 'from a platform’s name to its adapter, rules, options' },
  {
    folders: ['incidents', 'media', 'metrics', 'pauses', 'punctuality'],
    holds:
      'platforms in trouble; files; names of measurements; pauses of publishing; how late posts went live',
  },
  { folders: ['targets'], holds: 'one destination of a post, with its life cycle' },
  {
    folders: ['calendar', 'daily-limits'],
    holds: 'the times that targets take on their accounts, and their places in days of limits',
  },
  { folders: ['accounts'], holds: 'connected accounts, their tokens, the vault' },
  {
    folders: ['at-most-once', 'workspaces', 'rhythm', 'links', 'link-cards'],
    holds: 'calls that must not happen twice; tenants; slots; tracked links; cards of linked pages',
  },
  { folders: ['people'], holds: 'members of workspaces, their sign-ins and sessions' },
  { folders: ['tags', 'snippets'], holds: 'labels of posts; saved texts' },
  { folders: ['posts', 'connections'], holds: 'posts and their chains, as requested and stored; logins' },
  { folders: ['insights'], holds: 'the numbers of posts and accounts' },
  { folders: ['publishing'], holds: 'prepare, go live, look up, finish, and the relay' },
  { folders: ['automations'], holds: 'comments in, replies and messages out' },
  {
    folders: ['recovery', 'risks', 'webhooks'],
    holds: 'sweep and repair; checks of posts ahead of their time; events for customers',
  },
  {
    folders: ['erasure', 'withdrawals'],
    holds: 'the end of a deleted workspace; what people ask for at the platforms',
  },
  { folders: ['operating'], holds: 'what operators look at: how a stage does, and why something failed' },
  {
    folders: ['mcp', 'zernio'],
    holds: 'the tools of agents, and the interface of Zernio, both of which call operations of the API',
  },
  { folders: ['operations.ts'], holds: 'the list of all operations of the API' },
  {
    folders: ['panel'],
    holds:
      'the panel’s pages, which run in the browser; of everything below only types and what browsers can run',
  },
  {
    folders: ['client'],
    holds: 'the package for users of the API: it uses nothing else, and only n8n uses a file of it',
  },
  {
    folders: ['n8n'],
    holds: 'the package of nodes for n8n: of everything below only the verification of webhooks',
  },
];

/**
 * The layers inside folders of `lib` that are large enough to need them, lowest first, by folder. A subfolder may import only from
 * subfolders in earlier lines, types included. `.` stands for the files directly in the folder. `docs/architecture.md` shows them.
 */
export const innerLayers: Readonly<Record<string, readonly Layer[]>> = {
  posts: [
    { folders: ['stored'], holds: 'posts and chains in the table: schemas, reads, writes, expiry' },
    {
      folders: ['view', 'search'],
      holds: 'what callers get back: the API’s form of a post; the index of words',
    },
    { folders: ['request'], holds: 'what callers send: schemas, checks, and reads of what it refers to' },
    { folders: ['approval'], holds: 'who may do more than draft; decisions about drafts' },
    { folders: ['planning', 'list'], holds: 'from a request to a planned post; pages of posts' },
    { folders: ['.'], holds: 'the verbs, one per file' },
    { folders: ['bulk'], holds: 'many posts in one request' },
  ],
};

/** Exceptions: type imports that break the order of the layers, each with its reason. */
export const allowedTypeImports: readonly {
  readonly from: string;
  readonly to: string;
  readonly because: string;
}[] = [];

/** The only folders of `lib` and `functions` that may import packages of AWS’s SDK. */
export const awsSdkFolders = ['lib/aws/', 'lib/table/', 'functions/wire/'];

/** Imports that each part of the repository may have in addition to its own files. */
export const parts: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  functions: ['lib'],
  infra: ['lib'],
  'infra/local/loopback': [],
  'infra/local/issuer': ['infra/local/loopback'],
  'infra/local/cloud': ['infra/local/loopback'],
  'infra/local/platforms': ['infra/local/loopback'],
  bin: ['infra', 'infra/local/cloud', 'infra/local/issuer', 'infra/local/platforms', 'functions', 'lib'],
};
