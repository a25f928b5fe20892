import type { TestedBug } from '../planted-bug.ts';

/** Bugs of the erasure of workspaces. */
export const erasureBugs = {
  'an erasure forgets the records of live posts': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        replace: 'await deleteLivePost(run.table, { platform, platformPostId }, workspaceId);',
        with: 'void deleteLivePost;',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves nothing in the table and the bucket, wherever its erasure crashes',
    ],
  },
  'an erasure does not wait for what still runs': {
    patches: [
      {
        file: 'lib/erasure/run.ts',
        replace: 'const quietMs = hourMs;',
        with: 'const quietMs = 0 * hourMs;',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'gives what still runs an hour to end, after links and accounts are gone and before the rest goes',
    ],
  },
  'an erasure goes on although an account is not revoked yet': {
    patches: [
      {
        file: 'lib/erasure/run.ts',
        replace: 'const isClosed = (await closeWorkspace(run, workspace)) === 0;',
        with: 'const isClosed = (await closeWorkspace(run, workspace)) >= 0;',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'are tried for three days if the platform fails, then reported and given up',
    ],
  },
  'an erasure deletes the live record of another workspace': {
    patches: [
      {
        file: 'lib/targets/live-posts.ts',
        replace: 'await deleteItem(table, keyOf(record), { workspaceId });',
        with: "await deleteItem(table, keyOf(record), workspaceId ? { kind: 'livePost' } : {});",
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves the accounts that another workspace shares with it',
    ],
  },
  'an erasure takes the entries that other workspaces have in a shared partition': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a part of the source
        replace: 'sort: { beginsWith: `ACCOUNT#${workspaceId}#` } });',
        with: "sort: { beginsWith: workspaceId ? 'ACCOUNT#' : '' } });",
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves the accounts that another workspace shares with it',
    ],
  },
  'an erasure revokes a login that another workspace uses': {
    patches: [
      {
        file: 'lib/erasure/close.ts',
        replace:
          'if (isDone || (await isAuthorizationInUse(run.table, account, account.workspaceId))) return true;',
        with: 'if (isDone || (await isAuthorizationInUse(run.table, account, account.workspaceId)) === undefined) return true;',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'are revoked at the platforms, except those that another workspace has connected too',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
