import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { PlantedBug } from './planted-bug.ts';
import { both, type Narrow, onlyFaults } from './worlds.ts';

/** Every customer reads the event feed. */
const withReaders: Narrow = (drawn) => ({
  ...drawn,
  workspaces: drawn.workspaces.map(({ endpointOff: _, ...workspace }) => ({
    ...workspace,
    hasWebhook: true,
    readsEvents: true,
  })),
});

/** Every customer's endpoint is disabled for half an hour, while the posts go live, and then gets everything again. */
const withReplays: Narrow = (drawn) => {
  const fromMs = drawn.world.startMs + 2 * secondMs;
  const endpointOff = { fromMs, untilMs: fromMs + 30 * minuteMs };
  const workspaces = drawn.workspaces.map(({ readsEvents: _, ...workspace }) => ({
    ...workspace,
    hasWebhook: true,
    endpointOff,
  }));
  return {
    ...drawn,
    world: { ...drawn.world, faultsEndMs: Math.max(drawn.world.faultsEndMs, fromMs + 60 * minuteMs) },
    workspaces,
  };
};

/** Bugs of the event feed and of replays. */
export const eventBugs = {
  'an event that is announced again gets another place in the feed': {
    patches: [
      {
        file: 'lib/webhooks/feed/record.ts',
        replace:
          "return stored?.['sequence'] === undefined ? [{ event, isStored: stored !== undefined }] : [];",
        with: 'return [{ event, isStored: stored !== undefined }];',
      },
      {
        file: 'lib/webhooks/feed/record.ts',
        replace: 'if: { pk: present, sequence: absent } }',
        with: 'if: { pk: present }, never: absent } as never',
      },
    ],
    finding: /has two places in the feed/,
    narrow: both(onlyFaults({ crash: 0.02, streamTwice: 0.2 }), withReaders),
    seed: 1,
  },
  'two writers may write the same place of the feed': {
    patches: [
      {
        file: 'lib/webhooks/feed/record.ts',
        replace: 'if: { sequence: head.sequence === 0 ? absent : head.sequence },',
        with: 'if: {},',
      },
      {
        file: 'lib/webhooks/feed/record.ts',
        replace: "putPart(table, { ...key, kind: 'feedPlace', ...place }, { pk: absent })",
        with: "putPart(table, { ...key, kind: 'feedPlace', ...place }, {})",
      },
    ],
    finding: /of the feed was written twice|the feed got the place/,
    narrow: both(onlyFaults({ slowCall: 0.3 }), withReaders),
    seed: 3,
  },
  'a reader of the feed is shown what follows a hole': {
    patches: [
      {
        file: 'lib/webhooks/feed/places.ts',
        replace: 'found.filter(({ sequence }, index) => sequence === next + index)',
        with: 'found.filter(({ sequence }) => sequence >= next)',
      },
    ],
    finding: /a reader of the feed got the sequence/,
    narrow: both(onlyFaults({ transactionLate: 0.8 }), withReaders),
    seed: 10,
  },
  'a replay counts events before their deliveries exist': {
    patches: [
      {
        file: 'lib/webhooks/replays/run.ts',
        replace:
          'made += await makeDeliveries(ports, replay, endpoint, places);\n    if (!(await advance(table, replay, position.sequence, last.sequence))) return made;',
        with: 'if (!(await advance(table, replay, position.sequence, last.sequence))) return made;\n    made += await makeDeliveries(ports, replay, endpoint, places);',
      },
    ],
    finding: /no webhook reports/,
    narrow: both(onlyFaults({ crash: 0.1 }), withReplays),
    seed: 5,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;
