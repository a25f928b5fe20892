import { minuteMs, secondMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { invalidField } from '../../lib/kernel/errors.ts';
import { findFailedTargets, longestSpanMs } from '../../lib/operating/failed-targets.ts';
import { findOwner } from '../../lib/operating/find-owner.ts';
import {
  explainPost,
  type PostReason,
  type TargetReason,
  toFailedRow,
} from '../../lib/operating/why-post.ts';
import { Platform, platformNames } from '../../lib/platforms/contract/names.ts';
import { retryPost } from '../../lib/posts/retry.ts';
import { readTimeline } from '../../lib/posts/timeline.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import type { AdminContext, Commands } from './command.ts';
import { readCount } from './numbers.ts';
import { readDurationMs } from './times.ts';

const mostRows = 1_000;

export const postCommands: Commands = {
  'post list': {
    verb: 'post.read',
    words: [],
    options: {
      failed: { isRequired: true, summary: 'the posts that have failed and were not retried since' },
      since: { value: 'duration', summary: 'the period to search: 30m, 24h, at most 7d; default: 1h' },
      platform: { value: 'platform', summary: `only on one of ${platformNames.join(', ')}` },
      limit: { value: 'number', summary: 'maximum number of destinations; default: 100' },
    },
    summary: 'list the destinations of all workspaces that have failed, latest first, with the reasons',
    run: async ({ table, now, options, out }) => {
      const spanMs = readDurationMs('since', options['since'] ?? '1h');
      if (spanMs > longestSpanMs) throw invalidField('since', 'may be at most 7d');
      const limit = readCount('limit', options['limit'] ?? '100', mostRows);
      const range = { sinceMs: now - spanMs, now, limit, platform: readPlatform(options['platform']) };
      const { targets, isCut } = await findFailedTargets(table, range, progressTo(out));
      out.list(targets.map((target) => ({ ...toFailedRow(target) })));
      if (isCut) out.note('There are more: shorten --since, choose a --platform, or raise --limit.');
    },
  },
  'post why': {
    verb: 'post.read',
    words: ['post id'],
    summary: 'explain why a post waits or has failed: its state, the reason, who can act, and the last calls',
    run: async ({ table, now, out }, postId = '') => {
      const reason = await explainPost(table, postId, now);
      out.result(reason, whyLines(reason));
    },
  },
  'post retry': {
    verb: 'post.retry',
    words: ['post id'],
    summary: 'retry the failed destinations of a post now, as its workspace could',
    detail:
      'The audit log of the workspace names you. If the outcome of a call is unknown, it is looked up once more, and the post is published again if it is not found: look at the account first.',
    run: async (operator, postId = '') => {
      const context = await inWorkspace(operator, await findOwner(operator.table, 'post', postId));
      const { targets } = await retryPost(context, postId);
      const retried = targets.filter(({ retriedAt }) => retriedAt === toTimestamp(operator.now));
      const destinations = retried.map(({ platform, accountId }) => ({ platform, accountId }));
      operator.out.result({ postId, retried: destinations }, [
        ...destinations.map(({ platform, accountId }) => `Retried ${platform} ${accountId}.`),
      ]);
      operator.out.note(`To follow its outcome: npm run admin -- post why ${postId}`);
    },
  },
  'post timeline': {
    verb: 'post.read',
    words: ['workspace id', 'post id'],
    summary: 'show everything that happened to a post and each of its destinations, oldest first',
    detail:
      'The log lines of every function contain both ids. post why is shorter, and needs no workspace id.',
    run: async (operator, workspaceId = '', postId = '') => {
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
  },
};

const callLine = (call: string, status: number | null, milliseconds: number): string =>
  `    ${call}  ${status ?? 'no response'}  ${milliseconds} ms`;

async function inWorkspace(operator: AdminContext, workspaceId: string) {
  const { id, cursorSecret } = await getWorkspace(operator.table, workspaceId);
  return { ...operator, workspaceId: id, cursorSecret };
}

/** @throws HeraldError `invalid` */
function readPlatform(text: string | undefined): Platform | undefined {
  if (text === undefined) return undefined;
  const known = Platform.safeParse(text);
  if (!known.success) throw invalidField('platform', `must be one of ${platformNames.join(', ')}`);
  return known.data;
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
