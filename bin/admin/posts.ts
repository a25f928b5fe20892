import { minuteMs, secondMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { findFailedTargets } from '../../lib/operating/failed-targets.ts';
import { findOwner } from '../../lib/operating/find-owner.ts';
import {
  explainPost,
  type PostReason,
  type TargetReason,
  toFailedRow,
} from '../../lib/operating/why-post.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { retryPost } from '../../lib/posts/retry.ts';
import { readTimeline } from '../../lib/posts/timeline.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { countTo, durationMsTo, readPlatform } from './values.ts';

export const postCommands: Commands = {
  'post list': operatorCommand({
    verb: 'post.read',
    options: {
      failed: { isRequired: true, summary: 'the posts that have failed and were not retried since' },
      since: {
        value: 'duration',
        read: durationMsTo('7d'),
        default: '1h',
        summary: 'the period to search: 30m, 24h, at most 7d',
      },
      platform: {
        value: 'platform',
        read: readPlatform,
        summary: `only on one of ${platformNames.join(', ')}`,
      },
      limit: {
        value: 'number',
        read: countTo(1_000),
        default: '100',
        summary: 'maximum number of destinations',
      },
    },
    summary: 'list the destinations of all workspaces that have failed, latest first, with the reasons',
    run: async ({ table, now, out }, _, { since, platform, limit }) => {
      const range = { sinceMs: now - since, now, limit, platform };
      const { targets, isCut } = await findFailedTargets(table, range, progressTo(out));
      out.list(targets.map((target) => ({ ...toFailedRow(target) })));
      if (isCut) out.note('There are more: shorten --since, choose a --platform, or raise --limit.');
    },
  }),
  'post why': operatorCommand({
    verb: 'post.read',
    words: { postId: {} },
    summary: 'explain why a post waits or has failed: its state, the reason, who can act, and the last calls',
    run: async ({ table, now, out }, { postId }) => {
      const reason = await explainPost(table, postId, now);
      out.result(reason, whyLines(reason));
    },
  }),
  'post retry': operatorCommand({
    verb: 'post.retry',
    words: { postId: {} },
    summary: 'retry the failed destinations of a post now, as its workspace could',
    detail:
      'The audit log of the workspace names you. If the outcome of a call is unknown, it is looked up once more, and the post is published again if it is not found: look at the account first.',
    run: async (operator, { postId }) => {
      const context = await inWorkspace(operator, await findOwner(operator.table, 'post', postId));
      const { targets } = await retryPost(context, postId);
      const retried = targets.filter(({ retriedAt }) => retriedAt === toTimestamp(operator.now));
      const destinations = retried.map(({ platform, accountId }) => ({ platform, accountId }));
      operator.out.result({ postId, retried: destinations }, [
        ...destinations.map(({ platform, accountId }) => `Retried ${platform} ${accountId}.`),
      ]);
      operator.out.note(`To follow its outcome: npm run admin -- post why ${postId}`);
    },
  }),
  'post timeline': operatorCommand({
    verb: 'post.read',
    words: { workspaceId: {}, postId: {} },
    summary: 'show everything that happened to a post and each of its destinations, oldest first',
    detail:
      'The log lines of every function contain both ids. post why is shorter, and needs no workspace id.',
    run: async (operator, { workspaceId, postId }) => {
      const entries = await readTimeline(await inWorkspace(operator, workspaceId), postId);
      operator.out.result(
        entries,
        entries.flatMap(({ at, platform, accountId, event, calls, reason, nextAt }) => {
          const who = platform === null ? 'post' : `${platform} ${accountId}`;
          const next = nextAt === null ? '' : ` (next at ${nextAt})`;
          return [
            `${at}  ${who}  ${event}${next}${reason === null ? '' : `: ${reason}`}`,
            ...calls.map(({ call, status, milliseconds }) => callLine(call, status, milliseconds)),
          ];
        }),
      );
    },
  }),
};

const callLine = (call: string, status: number | null, milliseconds: number): string =>
  `    ${call}  ${status ?? 'no response'}  ${milliseconds} ms`;

async function inWorkspace(operator: AdminContext, workspaceId: string) {
  const { id, cursorSecret } = await getWorkspace(operator.table, workspaceId);
  return { ...operator, workspaceId: id, cursorSecret };
}

/** Returns a callback that shows the progress of a long search to the operator. */
function progressTo(out: AdminContext['out']): (hour: number) => void {
  let toldAt = performance.now();
  return (hour) => {
    if (performance.now() < toldAt + 2 * secondMs) return;
    toldAt = performance.now();
    out.note(`Looking at ${toTimestamp(hour - (hour % minuteMs))} …`);
  };
}

function whyLines({ postId, workspaceId, status, createdAt, targets }: PostReason): string[] {
  return [
    `post ${postId} of workspace ${workspaceId} is ${status}, created at ${createdAt}`,
    ...targets.flatMap(targetLines),
  ];
}

function targetLines(target: TargetReason): string[] {
  const { platform, accountId, status, scheduledFor, code, reason, who, nextStep, calls } = target;
  return [
    '',
    `${platform} ${accountId}: ${status}${scheduledFor === null ? '' : `, due at ${scheduledFor}`}`,
    ...(code === null ? [] : [`  why        ${code}: ${reason ?? ''}`]),
    `  who        ${who}`,
    `  next step  ${nextStep}`,
    ...calls.map(
      ({ at, call, status: reply, milliseconds }) =>
        `  ${at}${callLine(call, reply, milliseconds).replace(/^ +/, '  ')}`,
    ),
  ];
}
