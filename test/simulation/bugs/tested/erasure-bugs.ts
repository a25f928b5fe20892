import type { TestedBug } from '../planted-bug.ts';

/** Bugs of the erasure of workspaces. */
export const erasureBugs = {
  'an erasure forgets the records of live posts': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        replace: 'deleteLivePost(run.table, livePost, workspaceId),',
        with: 'Promise.resolve([deleteLivePost, livePost]),',
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
  'an erasure deletes a post before its targets': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        replace:
          'await deleteItems(run, [...record, ...entries, ...places, ...others.map(keyOf)]);\n  await deleteItems(run, posts.map(keyOf));',
        with: 'await deleteItems(run, posts.map(keyOf));\n  await deleteItems(run, [...record, ...entries, ...places, ...others.map(keyOf)]);',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves nothing in the table if each of its runs crashes after its first change',
    ],
  },
  'an erasure deletes a page before the items to which only the page leads': {
    patches: [
      {
        file: 'lib/erasure/delete-items.ts',
        replace: 'await first?.(page);\n    await deleteItems(run, page.map(keyOf));',
        with: 'await deleteItems(run, page.map(keyOf));\n    await first?.(page);',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves nothing in the table if each of its runs crashes after its first change',
    ],
  },
  'an erasure deletes the names of what a workspace owns first': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        replace: 'const { partitions, linkCodes } = await readOwned(run.table, workspaceId);',
        with: 'const { partitions, linkCodes } = await readOwned(run.table, workspaceId);\n  await deleteFound(run, { partition: ownedPartition(workspaceId) });',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves nothing in the table if each of its runs crashes after its first change',
    ],
  },
  'an erasure deletes the accounts before what only they lead to': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        replace:
          'for (const account of await rowsOf(run, workspaceId, accountPrefix))\n    await eraseOfAccount(run, workspaceId, account);',
        with: 'for (const account of await rowsOf(run, workspaceId, accountPrefix)) {\n    await deleteItems(run, [keyOf(account)]);\n    await eraseOfAccount(run, workspaceId, account);\n  }',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves nothing in the table if each of its runs crashes after its first change',
    ],
  },
  'an erasure deletes the list of keys before their uses': {
    patches: [
      {
        file: 'lib/erasure/erase-rows.ts',
        replace:
          'await deleteItems(\n    run,\n    keys.flatMap(({ id }) => [keyUseKey(String(id)), grantKey(String(id))]),\n  );',
        with: 'await deleteItems(run, keys.map(keyOf));\n  await deleteItems(run, keys.flatMap(({ id }) => [keyUseKey(String(id)), grantKey(String(id))]));',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'leaves nothing in the table if each of its runs crashes after its first change',
    ],
  },
  'an erasure begins although the workspace was resumed meanwhile': {
    patches: [
      {
        file: 'lib/erasure/run.ts',
        replace: 'set: { erasingSince: toTimestamp(now()) },\n    if: unchangedState(workspace),',
        with: 'set: { erasingSince: toTimestamp(now()) },\n    if: { pk: present },',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'is not erased if it was resumed after the run had found it',
    ],
  },
  'a workspace is resumed although its erasure has just begun': {
    patches: [
      {
        file: 'lib/workspaces/suspension.ts',
        replace:
          'set: { suspendedAt, deleteAfter, deletedBy, dueAt, dueShard },\n      if: unchangedState(before),',
        with: 'set: { suspendedAt, deleteAfter, deletedBy, dueAt, dueShard },\n      if: { pk: present },',
      },
    ],
    caughtBy: [
      'test/lib/erasure/erasure.test.ts',
      'cannot be resumed by an operator who has read it just before its erasure began',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
