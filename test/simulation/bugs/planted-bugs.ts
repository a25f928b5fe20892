import type { Patch } from './plant.ts';

/** A bug that the simulation must find. */
export interface PlantedBug {
  readonly patches: readonly Patch[];
  /** What the judge must say about it. */
  readonly finding: RegExp;
  /** A seed that finds it, and that passes without it. */
  readonly seed: number;
}

/**
 * Bugs that are typical of services like this one, each planted in one place of the service's source. A simulation that
 * does not find them proves nothing.
 */
export const plantedBugs = {
  'the relay forgets a wake that the queue has refused': {
    patches: [
      {
        file: 'lib/publishing/relay/relay.ts',
        replace: 'mustRepeat.push(outcome.reason);',
        with: '',
      },
    ],
    finding: /late/,
    seed: 1,
  },
  'a worker takes a target that another worker holds': {
    patches: [
      {
        file: 'lib/table/lease.ts',
        replace: 'if: { ...claim.if, leaseUntil: anyOf(absent, atMost(toTimestamp(now))) },',
        with: 'if: claim.if,',
      },
    ],
    finding: /took the lease/,
    seed: 1,
  },
  'a last call may be made long after its intent': {
    patches: [
      {
        file: 'lib/at-most-once/send-once.ts',
        replace: 'if (!(now() <= intentMs + latestCallStartMs)) {',
        with: 'if (!(now() <= intentMs + 3_600_000)) {',
      },
    ],
    finding: /after its intent/,
    seed: 1,
  },
  'live posts are never claimed': {
    patches: [
      {
        file: 'lib/targets/store.ts',
        replace: 'if (!platformPostId || platformPostId === held.platformPostId) {',
        with: 'if (held) {',
      },
    ],
    finding: /claim the same post/,
    seed: 1,
  },
  'the relay forgets a roll-up that has failed': {
    patches: [
      {
        file: 'lib/publishing/relay/relay.ts',
        replace: "case 'roll-up':\n      return effect;",
        with: "case 'roll-up':\n      return undefined;",
      },
    ],
    finding: /outdated summary|has the status/,
    seed: 1,
  },
  'a lease lasts only 5 seconds': {
    patches: [
      {
        file: 'lib/table/lease.ts',
        replace: 'export const leaseMs = 14 * secondMs;',
        with: 'export const leaseMs = 5 * secondMs;',
      },
    ],
    finding: /took the lease/,
    seed: 1,
  },
  'a retried target is not in the index of overdue work': {
    patches: [
      {
        file: 'lib/targets/wake.ts',
        replace: '...(isCloseEnough ? {} : overdueKeys({ ...target, wakeAt })) };',
        with: '...(isCloseEnough ? {} : { dueAt: wakeAt }) };',
      },
    ],
    finding: /the sweep does not find its wake/,
    seed: 1,
  },
  'an upload session that is still open counts as proof that nothing went live on YouTube': {
    patches: [
      {
        file: 'lib/platforms/youtube/adapter.ts',
        replace: "return { state: 'unseen', preparation: { ...progress, sessionUri, offset } };",
        with: "return { state: 'absent', proof: 'the session is open', preparation: { ...progress, sessionUri, offset } };",
      },
    ],
    finding: /went live 2 times on youtube/,
    seed: 1,
  },
  'a container that cannot be read counts as proof that nothing went live': {
    patches: [
      {
        file: 'lib/platforms/shared/meta/container-calls.ts',
        replace: "default:\n      return { state: 'unseen' };",
        with: "default:\n      return { state: 'absent', proof: 'the container is lost', preparation: { renewals: 1 } };",
      },
    ],
    finding: /went live 2 times on (instagram|threads)/,
    seed: 1,
  },
  'an edit removes the records of earlier last calls': {
    patches: [
      {
        file: 'lib/posts/planning/plan-post.ts',
        replace: '...(before?.calls && { calls: before.calls }),',
        with: '',
      },
    ],
    finding: /lost the records/,
    seed: 1,
  },
  'a wake that Scheduler refuses holds up the changes behind it': {
    patches: [
      {
        file: 'lib/publishing/relay/relay.ts',
        replace: 'if (isForQueue(effect, ports) && !isOld) {',
        with: 'if (ports.now() - change.atMs < 600_000) {',
      },
    ],
    finding: /late/,
    seed: 1,
  },
  'the last call is made on a connection that the platform may have closed': {
    patches: [
      {
        file: 'lib/platforms/shared/http.ts',
        replace: 'totalSeconds, isLastCall };',
        with: 'totalSeconds };',
      },
      {
        file: 'lib/platforms/shared/http-transport.ts',
        replace: 'export const longestIdleMs = 2 * secondMs;',
        with: 'export const longestIdleMs = 10 * secondMs;',
      },
    ],
    finding: /late/,
    seed: 1,
  },
  'a post that another target has claimed may be claimed again': {
    patches: [
      {
        file: 'lib/targets/live-posts.ts',
        replace: 'if: { [either]: [{ pk: absent }, { postId: record.postId }] },',
        with: 'if: { [either]: [{ pk: absent }, { kind: "livePost" }] },',
      },
      {
        file: 'lib/publishing/load-work.ts',
        replace: 'return owner !== undefined && owner !== postId;',
        with: 'return false;',
      },
    ],
    finding: /claim the same post/,
    seed: 1,
  },
  'a worker that could not read the table keeps its lease': {
    patches: [
      {
        file: 'lib/publishing/publish.ts',
        replace: "ports.report('the work on a target failed', error);",
        with: "ports.report('the work on a target failed', error);\n    throw error;",
      },
    ],
    finding: /kept the lease/,
    seed: 1,
  },
  'the sweep does not move what it has sent to a later time': {
    patches: [
      {
        file: 'lib/overdue/resend.ts',
        replace: '(await postpone(table, due, now() + postponedMs))',
        with: 'true',
      },
    ],
    finding: /left its target first in the index/,
    seed: 1,
  },
  'a worker never renews its lease': {
    patches: [
      {
        file: 'lib/table/lease.ts',
        replace: 'const heartbeatMs = 6 * secondMs;',
        with: 'const heartbeatMs = 6_000 * secondMs;',
      },
    ],
    finding: /took the lease/,
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
    finding: /went live 2 times/,
    seed: 1,
  },
  'the platform is asked only once what became of a call': {
    patches: [
      {
        file: 'lib/at-most-once/judge-finding.ts',
        replace: 'if (now < caughtUpMs) {',
        with: 'if (now < 0) {',
      },
      {
        file: 'lib/at-most-once/judge-finding.ts',
        replace: "if (misses < rule.lookups && latest.outcome !== 'unknown') {",
        with: 'if (misses < 0) {',
      },
    ],
    finding: /went live 2 times/,
    seed: 1,
  },
  'the record of a last call has no token': {
    patches: [
      {
        file: 'lib/at-most-once/call-records.ts',
        replace: '    token,\n    endedAt',
        with: '    token: {},\n    endedAt',
      },
    ],
    finding: /./,
    seed: 1,
  },
  'a call without an answer counts as refused': {
    patches: [
      {
        file: 'lib/at-most-once/send-once.ts',
        replace: "if (error instanceof PlatformError && error.remedy !== 'unknown') return",
        with: 'if (error instanceof PlatformError) return',
      },
    ],
    finding: /went live 2 times/,
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
    seed: 1,
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
    seed: 1,
  },
  'every run of a chain creates posts of its steps': {
    patches: [
      {
        file: 'lib/posts/chain/settle-step.ts',
        replace: "if: { [`${at}.status`]: 'waiting' },",
        with: 'if: {},',
      },
      {
        file: 'lib/posts/run-chain.ts',
        replace: "const id = derivedTimeId(liveMs, post.id, 'chain', String(index));",
        with: "const id = derivedTimeId(liveMs, post.id, 'chain', String(now()));",
      },
    ],
    finding: /has 1 steps and became 2 posts/,
    seed: 1,
  },
  'an idempotency key is ignored': {
    patches: [
      {
        file: 'lib/posts/create.ts',
        replace: 'if (clientKey !== undefined) return sha256(`key:${clientKey}`);',
        with: 'if (clientKey !== undefined) return undefined;',
      },
    ],
    finding: /posts were created/,
    seed: 1,
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
    seed: 1,
  },
  'a post is edited without a check that its targets still wait': {
    patches: [
      {
        file: 'lib/posts/edit.ts',
        replace: 'const unchanged = ({ wakeNumber, status }: Target) => ({ wakeNumber, status });',
        with: "const unchanged = (_target: Target) => ({ kind: 'target' });",
      },
    ],
    finding: /./,
    seed: 1,
  },
  'a post is deleted without a check that its targets still wait': {
    patches: [
      {
        file: 'lib/posts/remove.ts',
        replace: 'deletePart(table, targetKey(workspaceId, postId, accountId), { status }),',
        with: "deletePart(table, targetKey(workspaceId, postId, accountId), { kind: 'target' }),",
      },
    ],
    finding: /./,
    seed: 1,
  },
  'two roll-ups of a post at the same time overwrite each other': {
    patches: [
      {
        file: 'lib/posts/roll-up.ts',
        replace: 'if: { version: post.version },',
        with: "if: { kind: 'post' },",
      },
    ],
    finding: /outdated summary|has the status/,
    seed: 1,
  },
  'a transaction that meets another one counts as refused': {
    patches: [
      {
        file: 'lib/table/transaction.ts',
        replace: 'if (!isTransient || attempt === maxAttempts) throw error;',
        with: 'if (isTransient) return { committed: false, failedIndex: 0, oldItem: undefined };',
      },
    ],
    finding: /./,
    seed: 1,
  },
  'keys that the table returned unprocessed are not read': {
    patches: [
      {
        file: 'lib/table/batch-get.ts',
        replace: 'waiting = [...unprocessed, ...waiting.slice(batchGetLimit)];',
        with: 'waiting = waiting.slice(batchGetLimit);',
      },
    ],
    finding: /./,
    seed: 1,
  },
  'a target goes live as soon as it is prepared': {
    patches: [
      {
        file: 'lib/publishing/publish-scheduled.ts',
        replace: '  await waitUntil(ports, dueMs);\n  await goLive',
        with: '  await goLive',
      },
    ],
    finding: /ms early/,
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
    finding: /./,
    seed: 1,
  },
  'a refreshed token is not stored': {
    patches: [
      {
        file: 'lib/accounts/tokens/store.ts',
        replace: '    ...newTokensUpdate(account, tokens),\n    if: { version },',
        with: '    set: noLease,\n    if: { version },',
      },
    ],
    finding: /./,
    seed: 1,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;

export type BugName = keyof typeof plantedBugs;
