import type { TestedBug } from '../planted-bug.ts';

/** Bugs of posts, chains, repair tasks, pauses and their times. */
export const postBugs = {
  'a post is deleted whatever the status of its destinations is by then': {
    patches: [
      {
        file: 'lib/posts/remove.ts',
        replace: 'deletePart(table, targetKey(workspaceId, postId, accountId), { status }),',
        with: 'deletePart(table, targetKey(workspaceId, postId, accountId), status && unconditionally),',
      },
    ],
    caughtBy: ['test/lib/posts/change.test.ts', 'cannot be one that begins to go live while it is deleted'],
  },
  'a repair task is removed although it was stored again': {
    patches: [
      {
        file: 'lib/overdue/repair-tasks.ts',
        replace: 'await deleteItem(table, repairTaskKey(id), { dueAt });',
        with: 'await deleteItem(table, repairTaskKey(id), dueAt ? unconditionally : unconditionally);',
      },
    ],
    caughtBy: [
      'test/lib/recovery/sweep.test.ts',
      'is done once more if it failed again while the sweep did it',
    ],
  },
  'a repair task that failed is not postponed': {
    patches: [
      {
        file: 'lib/recovery/run-repair.ts',
        replace: 'await postponeRepairTask(table, stored, now());',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/recovery/sweep.test.ts',
      'is retried by the sweep at growing intervals until it succeeds',
    ],
  },
  'a repair task that schedules a wake backs off beyond the wake': {
    patches: [
      {
        file: 'lib/overdue/repair-tasks.ts',
        replace: 'return leftMs > 0 ? Math.min(waitMs, leftMs) : Math.min(waitMs, growing.baseMs);',
        with: 'return leftMs > 0 ? waitMs : waitMs;',
      },
    ],
    caughtBy: [
      'test/lib/recovery/distant-wakes.test.ts',
      'minutes ahead reaches the queue a moment before its time',
    ],
  },
  'the checks of a chain end with its last step although an earlier one failed': {
    patches: [
      {
        file: 'lib/posts/run-chain.ts',
        replace: 'const isLast = index === waiting.at(-1)?.index && failures.length === 0;',
        with: 'const isLast = index === waiting.at(-1)?.index;',
      },
    ],
    caughtBy: [
      'test/lib/posts/run-chain.test.ts',
      'is still checked by the sweep, although its last step became a post',
    ],
  },
  'a retry does not schedule the check of the chain': {
    patches: [
      {
        file: 'lib/posts/retry.ts',
        replace: 'await scheduleCheckAfterRetry(table, post, now);',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/posts/stored/chain-checks.test.ts',
      'resumes after a retry, until the retry has ended',
    ],
  },
  'a retry does not write its time to the calendar': {
    patches: [
      {
        file: 'lib/posts/retry.ts',
        replace:
          'await Promise.all(dues.map((due) => putItem(table, calendarEntryItem(due), unconditionally)));',
        with: '',
      },
    ],
    caughtBy: ['test/lib/posts/auto.test.ts', 'failed, and its retry takes a new time'],
  },
  'a retried post still expires': {
    patches: [
      {
        file: 'lib/posts/retry.ts',
        replace: 'if (expiresAtSeconds === undefined) return [];',
        with: 'if (expiresAtSeconds !== 0) return [];',
      },
    ],
    caughtBy: [
      'test/lib/posts/stored/expiry.test.ts',
      'is kept again as long as a failed destination is retried, with its external id',
    ],
  },
  'a hold does not look whether its pause has ended meanwhile': {
    patches: [
      {
        file: 'lib/publishing/hold.ts',
        replace: 'if ((await findPause(ports.table, scope))?.id !== pause.id)',
        with: 'if (pause.id === undefined)',
      },
    ],
    caughtBy: [
      'test/lib/publishing/pauses.test.ts',
      'is held by the pause that replaced it, with its reason',
    ],
  },
  'the look after held targets ends with the first empty one': {
    patches: [
      {
        file: 'lib/recovery/held-targets.ts',
        replace: 'const lastLooks = 10;',
        with: 'const lastLooks = 1;',
      },
    ],
    caughtBy: [
      'test/lib/recovery/held-targets.test.ts',
      'looks again for ten minutes, because the index may show a held target late, and then ends its task',
    ],
  },
  'a freed time is deleted although its target has taken it again': {
    patches: [
      {
        file: 'lib/calendar/free.ts',
        replace: "await deleteItem(table, entryKey, { writeId: entry['writeId'] });",
        with: "await deleteItem(table, entryKey, { kind: entry['kind'] });",
      },
    ],
    caughtBy: [
      'test/lib/calendar/free.test.ts',
      'stays taken if the post returns to it while it is being freed',
    ],
  },
  'a place of a day is never given back': {
    patches: [
      {
        file: 'lib/daily-limits/settle.ts',
        replace: "if (isPlanned) await deleteItem(table, placeKey, { writeId: stored['writeId'] });",
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/daily-limits/settle.test.ts',
      'stays used if its destination moves to another day, where it takes another',
    ],
  },
  'a used place of a day is given back when its post is deleted': {
    patches: [
      {
        file: 'lib/daily-limits/settle.ts',
        replace: "const isPlanned = stored !== undefined && stored['isUsed'] !== true;",
        with: 'const isPlanned = stored !== undefined;',
      },
    ],
    caughtBy: [
      'test/lib/daily-limits/settle.test.ts',
      'stays used if its destination moves to another day, where it takes another',
    ],
  },
  'an expired idempotency record still counts': {
    patches: [
      {
        file: 'lib/posts/stored/store.ts',
        replace: '{ expiresAtSeconds: lessThan(nowSeconds) }',
        with: '{ expiresAtSeconds: lessThan(0 * nowSeconds) }',
      },
    ],
    caughtBy: ['test/lib/posts/create.test.ts', 'expires after 30 days, and can then be used for a new post'],
  },
  'the record of a live post never expires': {
    patches: [
      {
        file: 'lib/posts/stored/expiry.ts',
        replace: 'await setLivePostExpiry(table, { ...owner, platformPostId }, expiresAtSeconds);',
        with: 'void [setLivePostExpiry, owner, platformPostId];',
      },
    ],
    caughtBy: [
      'test/lib/posts/stored/expiry.test.ts',
      'expires 100 days after its last destination went live, with everything that belongs to it',
    ],
  },
  'an edit of the text alone gives up the upload that the platform keeps': {
    patches: [
      {
        file: 'lib/posts/planning/kept-work.ts',
        replace:
          'if (!isSame && !(isKeptUpload && isDeepStrictEqual(filesIn(before), filesIn(after)))) return unbegun;',
        with: 'if (!isSame || (filesIn(before) === filesIn(after) && isKeptUpload)) return unbegun;',
      },
    ],
    caughtBy: [
      'test/lib/posts/change.test.ts',
      'whose platform keeps the upload keep it or not if a request changes',
    ],
  },
  'an upload that has become visible is deleted': {
    patches: [
      {
        file: 'lib/platforms/youtube/private-video.ts',
        replace: "if (video !== undefined && video.privacyStatus !== 'private') return undefined;",
        with: 'void video;',
      },
    ],
    caughtBy: ['test/lib/platforms/youtube/private-video.test.ts', 'stays if it has become visible'],
  },
  'the call that makes a video public resets the rest of its status': {
    patches: [
      {
        file: 'lib/platforms/youtube/private-video.ts',
        replace: '{ status: statusOf(options, wanted, settings) }',
        with: '{ status: { privacyStatus: wanted, ...(settings === undefined && statusOf(options, wanted)) } }',
      },
    ],
    caughtBy: [
      'test/lib/platforms/youtube/private-video.test.ts',
      'is private until the last call, which sends the whole status',
    ],
  },
  'an upload session that is still open counts as proof that nothing went live on YouTube': {
    patches: [
      {
        file: 'lib/platforms/youtube/adapter.ts',
        replace: "return { state: 'unseen', preparation: { ...progress, sessionUri, offset } };",
        with: "return { state: 'absent', proof: 'the session is open', preparation: { ...progress, sessionUri, offset } };",
      },
    ],
    caughtBy: [
      'test/lib/platforms/youtube/upload.test.ts',
      'is sent again to the same session if its worker was killed before the call',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
