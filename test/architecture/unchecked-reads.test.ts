import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const checks = 'checks what the actor may see';
const operators = 'is for operators and owners, who may see every account';
const noActor = 'runs without an actor: a worker, a sweep or an effect of a commit';

/**
 * The functions that read accounts, posts and automations of a workspace without checking whether the actor may see them, and
 * the files that may import them. Code of an operation uses `getAccount`, `findOwnAccount`, `readPost`, `listPosts`,
 * `getAutomation` and `listAutomations` instead.
 */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  findAccount: {
    'lib/accounts/read.ts': checks,
    'lib/accounts/connection-store.ts': 'asks whether a login is in use, in any workspace',
    'bin/admin/pauses.ts': operators,
    'bin/verify/account.ts': operators,
    'lib/operating/why-automation.ts': operators,
    'lib/insights/account-days.ts': noActor,
    'lib/withdrawals/sweep.ts': noActor,
    'lib/webhooks/announce.ts': noActor,
  },
  queryAccounts: {
    'lib/accounts/read.ts': checks,
    'lib/insights/sweep-accounts.ts': noActor,
    'lib/recovery/rebuild-projections.ts': noActor,
    'lib/webhooks/version-notices.ts': noActor,
  },
  accountKey: {
    'lib/accounts/store.ts': 'defines the functions above',
    'lib/accounts/connection-store.ts': 'writes accounts',
    'lib/accounts/edit.ts': checks,
    'lib/accounts/tokens/refresh-due.ts': noActor,
    'lib/accounts/withdraw.ts': noActor,
    'lib/automations/actions/noted-waits.ts': noActor,
    'lib/automations/actions/work.ts': noActor,
    'lib/automations/inbound/run-intake.ts': noActor,
    'lib/automations/inbound/store.ts': noActor,
    'lib/connections/attempts.ts': 'belongs to operations that concern all accounts',
    'lib/insights/read-post.ts': 'reads the accounts of a post that was checked',
    'lib/insights/store.ts': 'only checks that the account is still connected',
    'lib/insights/sweep.ts': noActor,
    'lib/posts/planning/plan-post.ts': 'finds accounts among those that were read',
    'lib/posts/request/snippets.ts': 'finds accounts among those that were read',
    'lib/posts/planning/read-cards.ts': 'finds accounts among those that were read',
    'lib/posts/request/references.ts': checks,
    'lib/posts/unpublish.ts': checks,
    'lib/publishing/discard.ts': noActor,
    'lib/publishing/work.ts': noActor,
    'lib/rhythm/store.ts': checks,
    'lib/risks/check-post.ts': noActor,
    'lib/risks/own-findings.ts': noActor,
    'lib/webhooks/endpoints/create.ts': 'belongs to operations that concern all accounts',
    'lib/workspaces/key-limits.ts': operators,
  },
  findPost: {
    'lib/operating/why-post.ts': operators,
    'lib/posts/create.ts': checks,
    'lib/posts/stored/external-ids.ts': checks,
    'lib/posts/stored/media-usage.ts': 'returns no post, only what a file is needed for',
    'lib/posts/read.ts': checks,
    'lib/posts/run-chain.ts': noActor,
    'lib/posts/search/index-post.ts': noActor,
    'lib/recovery/rebuild-projections.ts': noActor,
    'lib/recovery/restore/gone-schedules.ts': noActor,
    'lib/recovery/restore/hold.ts': noActor,
  },
  findPostAsStored: { 'lib/posts/roll-up.ts': noActor },
  queryPosts: { 'lib/recovery/rebuild-projections.ts': noActor },
  readPostPage: { 'lib/posts/list/list-posts.ts': checks },
  findPostsByExternalId: { 'lib/posts/list/list-posts.ts': checks },
  findAutomation: {
    'lib/automations/inbound/run-intake.ts': noActor,
    'lib/automations/read.ts': checks,
    'lib/operating/why-automation.ts': operators,
  },
  findAutomationOfPost: {
    'lib/automations/create.ts': 'has checked the account',
    'lib/automations/stop.ts': noActor,
  },
  queryAutomations: { 'lib/automations/link-clicks.ts': checks, 'lib/automations/read.ts': checks },
};

/** The names that each file imports from other files of the project. */
const namesByFile = new Map(
  ['lib', 'functions', 'bin']
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const lists = [...text.matchAll(/^(?:import|export) (?:type )?\{(?<names>[^}]*)\} from '\./gm)];
      const names = lists.flatMap(({ groups }) => groups?.['names']?.split(',') ?? []);
      return [file, new Set(names.map((name) => name.trim().split(' as ')[0]))];
    }),
);

it.each(Object.entries(allowed))('%s is imported only by files that have a reason', (name, files) => {
  const importers = [...namesByFile].filter(([, names]) => names.has(name)).map(([file]) => file);
  expect(importers.sort()).toEqual(Object.keys(files).sort());
});

it('nobody imports a whole store, which would hide what is used of it', () => {
  const wholes = [...namesByFile.keys()].filter((file) =>
    /^import \* as .*\/(store|keys)\.ts'/m.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(wholes).toEqual([]);
});
