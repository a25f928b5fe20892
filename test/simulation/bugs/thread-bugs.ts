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
        with: 'return publishNextPart(ports, { ...work, target: { ...target, preparation: {} } });',
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
  'a retry of a thread begins again with its second part': {
    patches: [
      {
        file: 'lib/posts/retry.ts',
        replace:
          "targetUpdatePart(table, target, { status: 'publishing', ...beginningAgain(target, nowMs, use) });",
        with: "targetUpdatePart(table, target, { status: 'publishing', parts: target.parts?.slice(0, 1), ...beginningAgain(target, nowMs, use) });",
      },
    ],
    finding: /no thread knows it/,
    narrow: both(onlyFaults({ rejected: 0.1 }), withThread),
    seed: 1,
  },
  'a thread ends with its first part': {
    patches: [
      {
        file: 'lib/publishing/transitions.ts',
        replace: "if (!hasPartsLeft(after)) return { status: 'published', wakeAt: null };",
        with: "return { status: 'published', wakeAt: null };",
      },
    ],
    finding: /is published, but has \d live parts/,
    narrow: both(onlyFaults({}), withThread),
    seed: 1,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;
