import type { PlantedBug } from './planted-bug.ts';
import {
  both,
  dueSoon,
  onlyFaults,
  onPlatform,
  withAnswers,
  withChain,
  withEdits,
  withSameTexts,
} from './worlds.ts';

/** Bugs that are typical of services like this one, each in a place that had no bug. */
export const typicalBugs = {
  'a worker never renews its lease': {
    patches: [
      {
        file: 'lib/table/lease.ts',
        replace: 'const heartbeatMs = 6 * secondMs;',
        with: 'const heartbeatMs = 6_000 * secondMs;',
      },
    ],
    finding: /took the lease/,
    narrow: onlyFaults({ responseLate: 0.5 }),
    seed: 1,
  },
  'silence counts as proof that nothing went live': {
    patches: [
      {
        file: 'lib/at-most-once/judge-finding.ts',
        replace: "return { kind: 'unknown', calls: looked, why: latest.refusal };",
        with: "return { kind: 'absent', outcome: 'absent', proof: 'it is not listed' };",
      },
    ],
    finding: /has failed .*Content is a duplicate/,
    narrow: both(onlyFaults({ connectionLost: 0.5, readsLate: 1 }), both(onPlatform('linkedin'), dueSoon)),
    seed: 36,
  },
  'a call without an answer counts as refused': {
    patches: [
      {
        file: 'lib/at-most-once/make-call.ts',
        replace: "if (error instanceof PlatformError && error.remedy !== 'unknown') return",
        with: 'if (error instanceof PlatformError) return',
      },
    ],
    finding: /went live 2 times/,
    narrow: onlyFaults({ connectionLost: 0.3 }),
    seed: 1,
  },
  'the last call is made before its intent is committed': {
    patches: [
      {
        file: 'lib/at-most-once/make-call.ts',
        replace:
          'const held = await commitIntent(begun);\n  return { held, sent: await sendOnce(ports, begun, send) };',
        with: 'const [held, sent] = await Promise.all([commitIntent(begun), sendOnce(ports, begun, send)]);\n  return { held, sent };',
      },
    ],
    finding: /went live .*without an intent/,
    seed: 24,
  },
  'a worker that has lost its lease keeps writing': {
    patches: [
      {
        file: 'lib/targets/store.ts',
        replace: 'if: { attempt, status, wakeNumber } };',
        with: 'if: { status, wakeNumber } };',
      },
    ],
    finding: /written by a worker that had lost its lease/,
    narrow: onlyFaults({ standstill: 0.05 }),
    seed: 5,
  },
  'every run of a chain creates posts of its steps': {
    patches: [
      {
        file: 'lib/posts/stored/chain-steps.ts',
        replace: 'if: { [`',
        with: 'if: {}, never: { [`',
      },
      {
        file: 'lib/posts/run-chain.ts',
        replace: "const id = derivedTimeId(liveMs, post.id, 'chain', String(index));",
        with: "const id = derivedTimeId(liveMs, post.id, 'chain', String(now()));",
      },
    ],
    finding: /has 1 steps and became 2 posts/,
    narrow: both(onlyFaults({ streamTwice: 0.5, slowCall: 0.5 }), withChain),
    seed: 45,
  },
  'a worker commits although its target was changed or taken': {
    patches: [
      {
        file: 'lib/targets/store.ts',
        replace: 'if: { attempt, status, wakeNumber } };',
        with: 'if: { status } };',
      },
    ],
    finding: /without an intent|had lost its lease/,
    narrow: both(onlyFaults({ slowCall: 0.8 }), both(onPlatform('linkedin'), withEdits(-2, -1, 0))),
    seed: 1,
  },
  'an idempotency key is ignored': {
    patches: [
      {
        file: 'lib/posts/create.ts',
        replace: 'if (clientKey !== undefined) return',
        with: 'if (clientKey !== undefined) return undefined;\n  if (clientKey !== undefined) return',
      },
    ],
    finding: /posts were created/,
    narrow: onlyFaults({ crash: 0.1 }),
    seed: 6,
  },
  'an edited target keeps what was prepared for the former text': {
    patches: [
      {
        file: 'lib/posts/planning/plan-post.ts',
        replace: 'timeline: before?.timeline ?? [],',
        with: 'timeline: before?.timeline ?? [],\n    ...(before?.preparation && { preparation: before.preparation }),',
      },
    ],
    finding: /went live/,
    narrow: onlyFaults({}),
    seed: 8,
  },
  'a post is edited without a check that its targets still wait': {
    patches: [
      {
        file: 'lib/posts/edit.ts',
        replace: 'const unchanged = ({ wakeNumber, status }: Target) => ({ wakeNumber, status });',
        with: "const unchanged = (_target: Target) => ({ kind: 'target' });",
      },
    ],
    finding: /lost the records of its last calls/,
    narrow: both(onlyFaults({ slowCall: 0.8 }), withEdits(-2, -1, 0)),
    seed: 6,
  },
  'a transaction that meets another one counts as refused': {
    patches: [
      {
        file: 'lib/table/transaction.ts',
        replace: 'await untilServed(table, () => table.client.send(command), limits);',
        with: "const refused = await table.client.send(command).then(() => false, (error: unknown) => refusalOf(error) === 'conflict');\n    if (refused) return { committed: false, failedIndex: 0, oldItem: undefined };",
      },
    ],
    finding: /was not written: condition 0 failed/,
    narrow: onlyFaults({ transactionConflict: 0.5 }),
    seed: 1,
  },
  'keys that the table returned unprocessed are not read': {
    patches: [
      {
        file: 'lib/table/batch-get.ts',
        replace: 'return (UnprocessedKeys?.[table.name]?.Keys ?? []) as unknown as Key[];',
        with: 'return (UnprocessedKeys ? [] : []) as Key[];',
      },
    ],
    finding: /no such account|is not the publicUrl of an upload/,
    narrow: onlyFaults({ keysHandedBack: 0.5 }),
    seed: 5,
  },
  'a target goes live as soon as it is prepared': {
    patches: [
      {
        file: 'lib/publishing/publish-scheduled.ts',
        replace: '  void connectAhead(ports, prepared);\n  await waitUntil(ports, dueMs);',
        with: '  void connectAhead(ports, prepared);',
      },
    ],
    finding: /ms early/,
    narrow: onlyFaults({}),
    seed: 1,
  },
  'a write whose response was lost counts as refused': {
    patches: [
      {
        file: 'lib/table/items.ts',
        replace:
          "return writeId !== undefined && item?.['writeId'] === writeId ? { written: true, item } : outcome;",
        with: 'return outcome;',
      },
    ],
    finding: /kept the lease/,
    narrow: onlyFaults({ tableReplyLost: 0.2 }),
    seed: 1,
  },
  'a message that comes again moves its conversation on again': {
    patches: [
      {
        file: 'lib/automations/inbound/store.ts',
        replace: 'return putPart(table, inboundItem(inbound), { pk: absent });',
        with: 'return putPart(table, inboundItem(inbound), { [either]: [{ pk: absent }, { workspaceId: inbound.workspaceId }] });',
      },
      {
        file: 'lib/automations/inbound/store.ts',
        replace: "import { absent } from '../../table/condition.ts';",
        with: "import { absent, either } from '../../table/condition.ts';",
      },
    ],
    finding: /was refused \d+ times, after \d+ answers/,
    narrow: both(onlyFaults({ inboundAgain: 0.5 }), withAnswers),
    seed: 1,
  },
  'an automation keeps the message that the response of another one has claimed': {
    patches: [
      {
        file: 'lib/automations/actions/sent-claims.ts',
        replace: "if (other?.state !== 'done') return [];",
        with: "if (other?.state !== 'unknown') return [];",
      },
    ],
    finding: /are recorded as having sent/,
    narrow: both(onlyFaults({ connectionLost: 0.3, responseLate: 0.2 }), withSameTexts),
    seed: 2,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;
