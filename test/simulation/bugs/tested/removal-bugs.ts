import type { TestedBug } from '../planted-bug.ts';

/** Bugs of taking live posts down. */
export const removalBugs = {
  'the rest of a thread that was taken down is published by a retry': {
    patches: [{ file: 'lib/posts/retry.ts', replace: '!isTakenDown(target) && (', with: '(' }],
    caughtBy: ['test/lib/publishing/remove.test.ts', 'does not continue if it is live in part'],
  },
  'a deletion has no intent': {
    patches: [
      {
        file: 'lib/publishing/remove.ts',
        replace: 'intended: [...intended, id] } },',
        with: 'intended: id ? intended : [] } },',
      },
    ],
    caughtBy: ['test/lib/publishing/remove.test.ts', 'commits the intent before the call'],
  },
  'a deletion whose response was lost is taken for one of somebody else': {
    patches: [
      {
        file: 'lib/publishing/remove.ts',
        replace: "deletion === 'gone' && !isRepeat;",
        with: "deletion === 'gone' && isRepeat !== undefined;",
      },
    ],
    caughtBy: [
      'test/lib/publishing/remove.test.ts',
      'says that it has deleted the post itself, if a crashed worker was about to',
    ],
  },
  'the post of another target is deleted': {
    patches: [
      {
        file: 'lib/publishing/remove.ts',
        replace: 'if (await isOfAnother(ports, target, id)) {',
        with: 'if ((await isOfAnother(ports, target, id)) && id === undefined) {',
      },
    ],
    caughtBy: ['test/lib/publishing/remove.test.ts', 'is not deleted once its owner is proven'],
  },
  'a step of a chain follows a post that was taken down': {
    patches: [{ file: 'lib/posts/run-chain.ts', replace: ' && !isTakenDown(target)', with: '' }],
    caughtBy: [
      'test/lib/posts/run-chain.test.ts',
      'follows what is left if one of two live targets was taken down',
    ],
  },
  'a worker that was held up writes to a target whose post is gone': {
    patches: [{ file: 'lib/targets/mark-removed.ts', replace: 'add: { attempt: 1 },', with: '' }],
    caughtBy: [
      'test/lib/targets/mark-removed.test.ts',
      'is not written any more by a worker that was held up',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
