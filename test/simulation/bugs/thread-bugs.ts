import type { PlantedBug } from './planted-bug.ts';
import { both, onlyFaults, withThread } from './worlds.ts';

/** Bugs in the publishing of threads. */
export const threadBugs = {
  'a part of a thread whose call got no answer is published again': {
    patches: [
      {
        file: 'lib/publishing/publish.ts',
        replace:
          'return unsettledCall(target.calls) ? reconcileTarget(ports, work) : publishNextPart(ports, work);',
        with: 'return publishNextPart(ports, work);',
      },
    ],
    finding: /no thread knows it|replies to/,
    narrow: both(onlyFaults({ connectionLost: 0.3 }), withThread),
    seed: 1,
  },
  'each part of a thread replies to the first': {
    patches: [
      {
        file: 'lib/publishing/load-job.ts',
        replace: 'const replyTo = livePartsOf(target)[part - 1]?.platformPostId;',
        with: 'const replyTo = livePartsOf(target)[0]?.platformPostId;',
      },
    ],
    finding: /replies to .*, not to/,
    narrow: both(onlyFaults({}), withThread),
    seed: 1,
  },
  'a retry of a thread begins again with its first part': {
    patches: [
      {
        file: 'lib/posts/retry.ts',
        replace: 'if (hasPartsLeft(target)) return continuationOf(table, target, nowMs, use);',
        with: '',
      },
      {
        file: 'lib/targets/state.ts',
        replace: "partial: ['failed', 'publishing', 'published'],",
        with: "partial: ['failed', 'publishing', 'published', 'scheduled'],",
      },
    ],
    finding: /went live 2 times/,
    narrow: both(onlyFaults({ rejected: 0.2 }), withThread),
    seed: 1,
  },
  'a later part of a thread is published before the one before it is known': {
    patches: [
      {
        file: 'lib/publishing/finish.ts',
        replace: 'if (hasPartsLeft(target) && step.post.platformPostId === null) {',
        with: 'if (step.post.platformPostId === null && step.post.permalink !== null) {',
      },
    ],
    finding: /stays publishing|would reply to a post without an id/,
    narrow: both(onlyFaults({ connectionLost: 0.3, readsLate: 1 }), withThread),
    seed: 1,
  },
  'a thread forgets a part that a lookup has found': {
    patches: [
      {
        file: 'lib/publishing/transitions.ts',
        replace: 'const parts = [...livePartsOf(held), livePart(live, publishedAt, isFinished)];',
        with: 'const parts = [...livePartsOf(held).slice(0, 1), livePart(live, publishedAt, isFinished)];',
      },
    ],
    finding: /replies to|no thread knows it|claim/,
    narrow: both(onlyFaults({}), withThread),
    seed: 1,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;
