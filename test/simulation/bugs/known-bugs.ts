import type { PlantedBug } from './planted-bug.ts';
import {
  both,
  deletedBeforeDue,
  distantAndNear,
  dueSoon,
  everyThreeSeconds,
  onlyFaults,
  onlyOutage,
  onPlatform,
  twins,
  withEdits,
} from './worlds.ts';

/** Bugs that the service or an earlier simulation had, planted again. */
export const knownBugs = {
  'the relay forgets a wake that the queue has refused': {
    patches: [
      {
        file: 'lib/publishing/relay/relay.ts',
        replace: 'if (isForQueue(effect, ports) && !isOld) throw error;',
        with: 'if (isForQueue(effect, ports) && !isOld) return;',
      },
    ],
    finding: /ms late/,
    narrow: both(onlyFaults({ sendFails: 0.3 }), both(onPlatform('facebook'), dueSoon)),
    seed: 46,
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
    seed: 3,
  },
  'a last call may be made long after its intent': {
    patches: [
      {
        file: 'lib/at-most-once/make-call.ts',
        replace: 'if (!(now() <= intentMs + latestCallStartMs)) {',
        with: 'if (!(now() <= intentMs + 3_600_000)) {',
      },
    ],
    finding: /after its intent/,
    narrow: onlyFaults({ standstill: 0.1 }),
    seed: 16,
  },
  'live posts are never claimed': {
    patches: [
      {
        file: 'lib/targets/store.ts',
        replace: 'if (platformPostId === undefined || changes.isClaimed) {',
        with: 'if (platformPostId !== null) {',
      },
      {
        file: 'lib/targets/live-posts.ts',
        replace: 'return (await updateItem(table, keyOf(record), claim(record))).written;',
        with: 'return true;',
      },
    ],
    finding: /claim the same post/,
    narrow: both(onlyFaults({ connectionLost: 0.5 }), twins),
    seed: 6,
  },
  'the relay forgets a roll-up that has failed': {
    patches: [
      {
        file: 'lib/publishing/relay/repair.ts',
        replace: "case 'roll-up':\n      return [effect];",
        with: "case 'roll-up':\n      return [];",
      },
    ],
    finding: /outdated summary|has the status/,
    narrow: onlyFaults({ tableThrottled: 0.9 }),
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
    narrow: onlyFaults({ responseLate: 0.5 }),
    seed: 16,
  },
  'a retried target is not in the index of overdue work': {
    patches: [
      {
        file: 'lib/targets/wake.ts',
        replace: '...overdueKeys({ ...target, wakeAt }) };',
        with: 'dueAt: wakeAt };',
      },
    ],
    finding: /the sweep does not find its wake/,
    narrow: onlyFaults({ rejected: 0.5 }),
    seed: 1,
  },
  'a video is uploaded as its author wishes to show it, long before its time': {
    patches: [
      {
        file: 'lib/platforms/youtube/prepare.ts',
        replace: "isPrivate ? 'private' : wanted",
        with: 'wanted',
      },
    ],
    finding: /went live \d+ ms early on youtube|without an intent/,
    narrow: both(both(onlyFaults({}), onPlatform('youtube')), dueSoon),
    seed: 1,
  },
  'the upload of a post that was deleted or changed stays on YouTube': {
    patches: [
      {
        file: 'lib/publishing/relay/effects.ts',
        replace: "if (upload) effects.push({ kind: 'discard upload', upload });",
        with: 'void upload;',
      },
    ],
    finding: /the private video \S+ is left on YouTube/,
    narrow: both(both(onlyFaults({ platformFails: 0.1 }), onPlatform('youtube')), deletedBeforeDue),
    seed: 1,
  },
  'a task to delete an upload is removed when its message is sent': {
    patches: [
      {
        file: 'lib/recovery/run-repair.ts',
        replace: 'await postponeRepairTask(table, stored, ports.now());',
        with: 'await removeRepairTask(table, stored);',
      },
    ],
    finding: /the private video \S+ is left on YouTube/,
    narrow: both(both(onlyFaults({}), onPlatform('youtube')), deletedBeforeDue),
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
    narrow: both(onlyFaults({ connectionLost: 0.3, readsLate: 0.8 }), onPlatform('instagram')),
    seed: 20,
  },
  'an edit removes the records of earlier last calls': {
    patches: [
      {
        file: 'lib/posts/planning/plan-post.ts',
        replace: '...(calls && { calls }),',
        with: '',
      },
    ],
    finding: /lost the records/,
    narrow: both(onlyFaults({ connectionRefused: 0.4, rateLimited: 0.4 }), withEdits(5, 12, 20, 30)),
    seed: 6,
  },
  'a wake that Scheduler refuses holds up the changes behind it': {
    patches: [
      {
        file: 'functions/streams/relay.ts',
        replace: 'enqueueDistant: distantWakeQueue.send,',
        with: "enqueueDistant: (wake) => (dependencies as never)['schedules'].create(wake.message.postId, wake.message, wake.wakeMs, 'publish'),",
      },
      {
        file: 'lib/publishing/relay/relay.ts',
        replace: 'if (isForQueue(effect, ports) && !isOld) throw error;',
        with: 'if (ports.now() - (changes[indexes[0] ?? 0]?.atMs ?? 0) < 600_000) throw error;',
      },
    ],
    finding: /ms late/,
    narrow: both(onlyOutage('scheduler', 9), both(onPlatform('linkedin'), distantAndNear)),
    seed: 47,
  },
  'the last call is made on a connection that the platform may have closed': {
    patches: [
      {
        file: 'lib/platforms/shared/http.ts',
        replace: 'body: encoded.body, ...limits };',
        with: 'body: encoded.body, ...limits, isLastCall: undefined };',
      },
      {
        file: 'lib/platforms/shared/http-transport.ts',
        replace: 'export const longestIdleMs = 2 * secondMs;',
        with: 'export const longestIdleMs = 10 * secondMs;',
      },
    ],
    finding: /has an unknown outcome .*but nothing went wrong/,
    narrow: both(onlyFaults({}), both(onPlatform('facebook'), everyThreeSeconds)),
    seed: 2,
  },
  'a post that another target has claimed may be claimed again': {
    patches: [
      {
        file: 'lib/targets/live-posts.ts',
        replace:
          'if: { [either]: [{ pk: absent }, { workspaceId: record.workspaceId, postId: record.postId }] },',
        with: 'if: { [either]: [{ pk: absent }, { kind: "livePost" }] },',
      },
      {
        file: 'lib/publishing/load-job.ts',
        replace:
          'return owner !== undefined && !(owner.workspaceId === workspaceId && owner.postId === postId);',
        with: 'return false;',
      },
    ],
    finding: /claim the same post/,
    narrow: both(onlyFaults({ connectionLost: 0.5 }), twins),
    seed: 6,
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
    narrow: onlyFaults({ tableThrottled: 0.9 }),
    seed: 1,
  },
  'the sweep does not move what it has sent to a later time': {
    patches: [
      {
        file: 'lib/overdue/resend.ts',
        replace: 'await postpone(table, due, nowMs + Math.min(waitMs, claimedMs))',
        with: 'true',
      },
    ],
    finding: /left its target first in the index/,
    narrow: onlyOutage('queue', 10),
    seed: 2,
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;
