import type { TestedBug } from '../planted-bug.ts';

/** Bugs of files: their imports, uploads and retention. */
export const fileBugs = {
  'an import is committed by a worker that has lost it': {
    patches: [
      {
        file: 'lib/media/imports/held-import.ts',
        replace: 'found.import.attempts === attempts &&',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/media/imports/import.test.ts',
      'that wakes up while another one fetches the file changes nothing',
    ],
  },
  'the lease of an import is never renewed': {
    patches: [
      {
        file: 'lib/media/imports/held-import.ts',
        replace: 'const imported = { ...media.import, ...lease(now()), ...progress };',
        with: 'const imported = { ...media.import, ...progress };',
      },
    ],
    caughtBy: [
      'test/lib/media/imports/import.test.ts',
      'keeps a file whose bytes take longer than its lease',
    ],
  },
  'an open import is never given back': {
    patches: [
      {
        file: 'lib/media/imports/open-import.ts',
        replace: 'return isCounted ? -1 : 0;',
        with: 'return isCounted ? 0 : 0;',
      },
    ],
    caughtBy: [
      'test/lib/media/imports/open-imports.test.ts',
      'is deleted, and its file arrives all the same',
    ],
  },
  'an import that breaks off counts as complete': {
    patches: [
      {
        file: 'lib/media/imports/transfer.ts',
        replace: 'if (totalBytes !== undefined && receivedBytes !== totalBytes)',
        with: 'if (totalBytes !== undefined && receivedBytes > totalBytes)',
      },
    ],
    caughtBy: [
      'test/lib/media/imports/import.test.ts',
      'is tried again if fewer bytes arrive than were promised, without any error',
    ],
  },
  'a failing import is tried for ever': {
    patches: [
      {
        file: 'lib/media/imports/run-import.ts',
        replace: 'const isTooLate = now + waitMs > Date.parse(failingSince) + patienceMs;',
        with: 'const isTooLate = now + waitMs > now + patienceMs;',
      },
    ],
    caughtBy: ['test/lib/media/imports/import.test.ts', 'is given up half an hour after its first failure'],
  },
  'a lost inspection is waited for longer than posts wait for their files': {
    patches: [
      {
        file: 'lib/media/imports/times.ts',
        replace: 'const shortestInspectionMs = 5 * minuteMs;',
        with: 'const shortestInspectionMs = hourMs;',
      },
    ],
    caughtBy: [
      'test/lib/media/imports/import.test.ts',
      'is fetched again after five minutes, and then after waits that double up to an hour',
    ],
  },
  'an import whose workers crash is tried for ever': {
    patches: [
      {
        file: 'lib/media/imports/held-import.ts',
        replace: "if (media.import.attempts >= maxAttempts) return 'used up';",
        with: "if (media.import.attempts < 0) return 'used up';",
      },
    ],
    caughtBy: ['test/lib/media/imports/import.test.ts', 'that always crashes is not started for ever'],
  },
  'the record of a removed file goes before its cached copies': {
    patches: [
      {
        file: 'lib/media/retention/sweep.ts',
        replace: 'for (const { key } of removed) fail(key, error);\n    return;',
        with: 'for (const { key } of removed) fail(key, error);',
      },
    ],
    caughtBy: [
      'test/lib/media/invalidation.test.ts',
      'keeps the record, and tries again, until the invalidation is accepted',
    ],
  },
  'the upload of an import that another worker has taken is completed': {
    patches: [
      {
        file: 'lib/media/imports/transfer.ts',
        replace: 'await held.commit({ receivedBytes });\n    await upload.complete();',
        with: 'await upload.complete();',
      },
    ],
    caughtBy: [
      'test/lib/media/imports/import.test.ts',
      'that has sent its parts and wakes up while another one fetches the file removes them',
    ],
  },
  'the object of a deleted file goes while a request may still store a post with it': {
    patches: [
      {
        file: 'lib/media/times.ts',
        replace: 'export const removalSettlesMs = 60 * secondMs;',
        with: 'export const removalSettlesMs = 0 * secondMs;',
      },
    ],
    caughtBy: [
      'test/lib/posts/stored/media-usage.test.ts',
      'keeps its object for as long as a request that saw the file may still store a post with it',
    ],
  },
  'the object of a deleted file goes although a post was stored with it meanwhile': {
    patches: [
      {
        file: 'lib/media/retention/sweep.ts',
        replace: 'const isNeeded =\n    usage.scheduledPostId !== undefined ||\n    usage.isTooMany ||',
        with: 'const isNeeded =\n    usage.isTooMany ||',
      },
    ],
    caughtBy: [
      'test/lib/posts/stored/media-usage.test.ts',
      'is restored, with its quota, for a post that was stored in the meantime',
    ],
  },
  'the cleanup removes a file that a draft has': {
    patches: [
      {
        file: 'lib/media/retention/sweep.ts',
        replace:
          'const isNeeded = scheduledPostId !== undefined || draftPostId !== undefined || isTooMany === true;',
        with: 'const isNeeded = scheduledPostId !== undefined || (draftPostId && isTooMany) === true;',
      },
    ],
    caughtBy: [
      'test/lib/posts/stored/media-usage.test.ts',
      'leaves a file alone that was published long ago, as long as a draft has it',
    ],
  },
  'a file that is being removed can be used': {
    patches: [
      {
        file: 'lib/posts/planning/problems.ts',
        replace:
          'return media?.objectKey === objectKey && media.removedAt === undefined ? media : undefined;',
        with: 'return media?.objectKey === objectKey ? media : undefined;',
      },
    ],
    caughtBy: ['test/lib/posts/gone-references.test.ts', 'does not take another file that was deleted'],
  },
  'a rendition that is made during its removal leaves its object behind': {
    patches: [
      {
        file: 'lib/media/renditions/records.ts',
        replace: 'return deleteItem(table, keyOf(rendition), { version: rendition.version });',
        with: 'return deleteItem(table, keyOf(rendition), {});',
      },
    ],
    caughtBy: [
      'test/lib/media/renditions/removal.test.ts',
      'leaves nothing behind, whenever a worker makes one',
    ],
  },
  'a file that is being deleted gets further renditions': {
    patches: [
      {
        file: 'lib/media/renditions/records.ts',
        replace: 'removedAt: absent,',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/media/renditions/removal.test.ts',
      'begins no further rendition of a file that is being deleted',
    ],
  },
  'all who wait for a rendition send its message': {
    patches: [
      {
        file: 'lib/media/renditions/records.ts',
        replace: 'if: { sentAt, status } };',
        with: 'if: { status } };',
      },
    ],
    caughtBy: [
      'test/lib/media/renditions/records.test.ts',
      'gets one message from all who look at the same moment',
    ],
  },
  'a retry tries a failed conversion at every look': {
    patches: [
      {
        file: 'lib/media/renditions/records.ts',
        replace: 'if (retriedAt === undefined || retriedAt <= wantedAt) return false;',
        with: 'if (retriedAt === undefined || wantedAt === undefined) return false;',
      },
    ],
    caughtBy: ['test/lib/publishing/renditions.test.ts', 'tries the conversion again, once'],
  },
  'a retry publishes a target long before its time, because its file could not be converted': {
    patches: [
      {
        file: 'lib/posts/retry.ts',
        replace: 'const keepsTime = awaitsFiles !== undefined && askedFor > now;',
        with: 'const keepsTime = awaitsFiles !== undefined && askedFor > now && now > askedFor;',
      },
    ],
    caughtBy: ['test/lib/publishing/renditions.test.ts', 'keeps its time when a person retries it'],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
