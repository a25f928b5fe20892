import { expect } from 'vitest';
import type { ActionPorts } from '../../lib/automations/actions/ports.ts';
import { resendDueActions } from '../../lib/automations/actions/resend-due.ts';
import { runAction } from '../../lib/automations/actions/run-action.ts';
import { readCounts } from '../../lib/automations/counts.ts';
import { type IngestPorts, ingestDelivery } from '../../lib/automations/inbound/ingest-delivery.ts';
import type { Automation, AutomationMessage } from '../../lib/automations/schemas.ts';
import { hourMs, minuteMs } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import type { CommentPlatform } from '../../lib/platforms/contract/messaging.ts';
import { messagingAbsence } from '../../lib/platforms/instagram/absence.ts';
import { messagingLimits } from '../../lib/platforms/instagram/limits.ts';
import { readDelivery } from '../../lib/platforms/instagram/webhook.ts';
import type { Table } from '../../lib/table/table.ts';
import { connectAccount, linkBaseUrl, putAutomation } from '../lib/automations/fixture.ts';
import { startMs } from './builders.ts';

export interface Crowd {
  readonly people: number;
  /** Number of private replies that may be sent per hour. */
  readonly perHour: number;
  /** Number of comments that are delivered twice. */
  readonly repeated: number;
  /** Simulated hours. */
  readonly hours: number;
  /** The time at which all people comment, in epoch milliseconds. */
  readonly atMs: number;
  /** Number of workspaces that have connected the account. Each has an automation for a post of its own. 1 if absent. */
  readonly workspaces?: number;
  /** The account's id at the platform. Crowds with the same id share a cap. */
  readonly platformAccountId?: string;
  /** Called at the end of each hour. */
  readonly onHour?: (automations: readonly Automation[], nowMs: number) => Promise<void>;
}

/** A private reply that was sent, `afterMs` after the comments. */
export interface SentToCrowd {
  readonly commentId: string;
  readonly afterMs: number;
}

const workedAtOnce = 20;

/**
 * Simulates people who comment on the posts of one account at the same moment. The engine runs on a real table, with
 * queue and Instagram in memory and a clock that moves minute by minute.
 *
 * @returns the private replies in the order in which they were sent
 */
export async function messageCrowd(table: Table, crowd: Crowd): Promise<readonly SentToCrowd[]> {
  let time = crowd.atMs;
  const now = () => time;
  const { platformAccountId = '17841400000000077', workspaces = 1 } = crowd;
  const automations: Automation[] = [];
  for (let index = 0; index < workspaces; index += 1) {
    const account = await connectAccount(table, newId(startMs), { platformAccountId, username: 'a' });
    const platformPostId = String(123 + index);
    automations.push(await putAutomation(table, account, { platformPostId, commentReply: null }));
  }
  const queue: AutomationMessage[] = [];
  const sent: SentToCrowd[] = [];
  const platform = {
    limits: messagingLimits,
    absenceRules: messagingAbsence,
    sendPrivateReply: async ({ comment: { commentId } }) => {
      sent.push({ commentId, afterMs: now() - crowd.atMs });
      return { messageId: `m${sent.length}` };
    },
  } as Partial<CommentPlatform> as CommentPlatform;
  const sendAll = async (messages: readonly AutomationMessage[]) => {
    queue.push(...messages);
    return new Set<AutomationMessage>();
  };
  const fail = (_what: unknown, error: unknown) => {
    throw error;
  };
  const ports: ActionPorts = {
    table,
    now,
    chance: randomFrom(7),
    every: () => () => {},
    uniqueId: () => newId(time),
    linkBaseUrl,
    commentPlatformFor: () => platform,
    stageFeatures: {},
    toolsFor: async () => ({}) as Awaited<ReturnType<ActionPorts['toolsFor']>>,
    accessToken: async () => 'token',
    renewToken: async () => false,
    markAccount: async () => {},
    clearMark: async () => {},
    // Without delayed messages: no worker crashes here, and the sweep ends all waits.
    enqueue: async (message, delaySeconds) => {
      if (delaySeconds === 0) queue.push(message);
    },
    report: fail,
    privateRepliesPerHour: crowd.perHour,
  };
  const takePorts: IngestPorts = {
    table,
    now,
    platform: 'instagram',
    limits: messagingLimits,
    readDelivery,
    isOwn: () => false,
    sendAll,
  };
  const people = Array.from({ length: crowd.people }, (_, person) => person);
  for (const some of [people, people.slice(0, crowd.repeated)]) {
    await ingestDelivery(takePorts, delivery(platformAccountId, automations, some, crowd.atMs));
  }
  for (; time < crowd.atMs + crowd.hours * 60 * minuteMs; time += minuteMs) {
    while (queue.length > 0) {
      await Promise.all(queue.splice(0, workedAtOnce).map((message) => runAction(ports, message)));
    }
    const isHourEnd = (time + minuteMs - crowd.atMs) % hourMs === 0;
    if (isHourEnd) await crowd.onHour?.(automations, time);
    await resendDueActions({ table, now, sendAll, report: fail }, time + minuteMs);
  }
  return sent;
}

/** The number of people who were sent something. */
export const distinct = (sent: readonly SentToCrowd[]): number =>
  new Set(sent.map(({ commentId }) => commentId)).size;

/** Expects that as many people as the cap allows get a message within a minute, the others an hour later, and none twice. */
export async function expectRestWithinNextHour(
  table: Table,
  { people, perHour, platformAccountId }: Pick<Crowd, 'people' | 'perHour'> & { platformAccountId: string },
): Promise<void> {
  const rest = people - perHour;
  const counted: unknown[] = [];
  const onHour: Crowd['onHour'] = async ([automation]) => {
    const { matches, messages, waiting } = await readCounts(table, automation?.id ?? '');
    counted.push({ matches, messages, waiting });
  };
  const crowd = { people, perHour, repeated: 20, hours: 2, atMs: startMs, platformAccountId, onHour };
  const sent = await messageCrowd(table, crowd);
  const inHour = (hour: number) => sent.filter(({ afterMs }) => Math.floor(afterMs / hourMs) === hour).length;
  expect([inHour(0), inHour(1), distinct(sent)]).toEqual([perHour, rest, people]);
  expect(sent.filter(({ afterMs }) => afterMs < minuteMs)).toHaveLength(perHour);
  expect(counted).toEqual([
    { matches: people, messages: perHour, waiting: { hourly_limit: rest } },
    { matches: people, messages: people, waiting: {} },
  ]);
}

/** A linear congruential generator, which gives the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Returns the body of a webhook call with these people's comments, on each post in turn. */
function delivery(
  accountId: string,
  posts: readonly Pick<Automation, 'platformPostId'>[],
  people: readonly number[],
  atMs: number,
): string {
  const changes = people.map((person) => ({
    field: 'comments',
    value: {
      id: `9${person}`,
      text: 'link please',
      from: { id: `8${person}`, username: `p${person}` },
      media: { id: posts[person % posts.length]?.platformPostId },
    },
  }));
  return JSON.stringify({
    object: 'instagram',
    entry: [{ id: accountId, time: Math.floor(atMs / 1_000), changes }],
  });
}
