import type { PlantedBug } from './planted-bug.ts';
import { both, forWeeks, onlyFaults, withConversion } from './worlds.ts';

/** Bugs of files that are converted for a platform. */
export const conversionBugs = {
  'a target does not wait for its rendition': {
    patches: [
      {
        file: 'lib/publishing/adapt-files.ts',
        replace: 'const [first] = awaited;',
        with: 'const [first] = awaited.slice(awaited.length);',
      },
    ],
    finding: /fetched .* itself, and not its rendition/,
    narrow: both(onlyFaults({}), withConversion(0)),
    seed: 1,
  },
  'a failed conversion is told only when the target is prepared': {
    patches: [
      {
        file: 'lib/publishing/ready-files.ts',
        replace: 'if (error instanceof ConversionFailure) {',
        with: 'if (error instanceof ConversionFailure && error.code !== error.code) {',
      },
    ],
    finding: /failed \d+ ms too late because of its file/,
    narrow: both(onlyFaults({ renditionFails: 1 }), withConversion(60)),
    seed: 1,
  },
  'a planned target is not woken for its files': {
    patches: [
      {
        file: 'lib/posts/planning/plan-post.ts',
        replace: "if (files === 'fit' ||",
        with: "if (files !== 'awaited' ||",
      },
    ],
    finding: /failed \d+ ms too late because of its file/,
    narrow: both(onlyFaults({ renditionFails: 1 }), withConversion(60)),
    seed: 1,
  },
  'the message of a rendition is never sent again': {
    patches: [
      {
        file: 'lib/media/renditions/records.ts',
        replace: 'if (ports.now() < nextMessageMs(rendition)) return;',
        with: 'if (ports.now() > 0) return;',
      },
    ],
    finding: /was not converted .* nothing in the run|later than 90 s after the faults/,
    narrow: both(onlyFaults({ sendFails: 0.5 }), withConversion(60)),
    seed: 1,
  },
  'a file that arrives late is not converted ahead': {
    patches: [
      {
        file: 'lib/posts/planning/plan-post.ts',
        replace: "status === 'pending')) return 'awaited';",
        with: "status === 'pending')) return 'fit';",
      },
    ],
    finding: /failed \d+ ms too late because of its file/,
    narrow: both(onlyFaults({ renditionFails: 1 }), withConversion(60, true)),
    seed: 1,
  },
  'the objects of renditions outlive their original': {
    patches: [
      {
        file: 'lib/media/retention/sweep.ts',
        replace: 'await Promise.all(renditions.map(({ objectKey }) => ports.removeObject(objectKey)));',
        with: '',
      },
    ],
    finding: /has no record/,
    narrow: both(both(onlyFaults({}), withConversion(5)), forWeeks),
    seed: 1,
  },
  'the records of renditions outlive their original': {
    patches: [
      {
        file: 'lib/media/retention/sweep.ts',
        replace: '(await areForgotten(ports.table, renditions)) && (await',
        with: '(await',
      },
    ],
    finding: /has outlived its original/,
    narrow: both(both(onlyFaults({}), withConversion(5)), forWeeks),
    seed: 1,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;
