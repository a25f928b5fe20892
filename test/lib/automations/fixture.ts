import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  payload,
  type Shape,
  type WebhookEvent,
} from '@herald/platform-simulators/instagram/webhook-shapes.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { actionFromItem } from '../../../lib/automations/actions/item.ts';
import { wakeWaitingActions } from '../../../lib/automations/actions/noted-waits.ts';
import type { ActionPorts } from '../../../lib/automations/actions/ports.ts';
import { resendDueActions } from '../../../lib/automations/actions/resend-due.ts';
import { runAction } from '../../../lib/automations/actions/run-action.ts';
import { messageOf } from '../../../lib/automations/actions/store.ts';
import { readCounts } from '../../../lib/automations/counts.ts';
import { type IngestPorts, ingestDelivery } from '../../../lib/automations/inbound/ingest-delivery.ts';
import { resendDueIntake } from '../../../lib/automations/inbound/resend-intake.ts';
import { type IntakePorts, runIntake } from '../../../lib/automations/inbound/run-intake.ts';
import {
  Automation,
  type AutomationAction,
  type AutomationMessage,
} from '../../../lib/automations/schemas.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { isOwnComment, isOwnEvent } from '../../../lib/platforms/instagram/inbound.ts';
import { messagingLimits } from '../../../lib/platforms/instagram/limits.ts';
import { readDelivery } from '../../../lib/platforms/instagram/webhook.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import {
  automationKey,
  automationPartition,
  automationPostKey,
  connectedAccountKey,
  type Key,
} from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import type { ControlAnswer, SimulatedInstagram } from '../../support/instagram.ts';

export const linkBaseUrl = 'https://herald.example.com';

/** People who comment, write and tap at the simulated Instagram. Queue and clock are in memory. */
export async function openFixture(table: Table, instagram: SimulatedInstagram, workspaceId = newId(startMs)) {
  const { account: connected, clock } = instagram;
  const queue: { readonly message: AutomationMessage; readonly dueMs: number }[] = [];
  /** The heartbeats of the workers that are at work. They beat only if a test calls them. */
  const heartbeats = new Set<() => Promise<void>>();
  const marks: string[] = [];
  const errors: unknown[] = [];
  const account = await connectAccount(table, workspaceId, connected);
  const igId = connected.platformAccountId;

  const ports: IntakePorts = {
    table,
    isOwn: isOwnComment,
    now: clock.now,
    chance: () => 0.5,
    every: (_milliseconds, task) => {
      heartbeats.add(task);
      return () => heartbeats.delete(task);
    },
    uniqueId: () => newId(clock.now()),
    linkBaseUrl,
    commentPlatformFor,
    stageFeatures: {},
    toolsFor: async () => instagram.tools,
    accessToken: async () => connected.tokens.accessToken,
    renewToken: async () => false,
    markAccount: async (_account, status, reason) => marks.push(`${status}: ${reason}`),
    clearMark: async ({ status }) => marks.push(`ok after ${status}`),
    enqueue: async (message, delaySeconds) => {
      queue.push({ message, dueMs: clock.now() + delaySeconds * 1_000 });
    },
    report: (_message, error) => errors.push(error),
  };
  const sendAll = async (messages: readonly AutomationMessage[]) => {
    for (const message of messages) await ports.enqueue(message, 0);
    return new Set<AutomationMessage>();
  };
  const ingestPorts: IngestPorts = {
    table,
    now: clock.now,
    platform: 'instagram',
    limits: messagingLimits,
    readDelivery,
    isOwn: isOwnEvent,
    sendAll,
  };

  const ingest = (events: readonly WebhookEvent[], shape: Shape = 'changes') =>
    ingestDelivery(ingestPorts, payload(events, shape, clock.now()));

  /** Works every message that is due. @returns the outcomes of those that found something to do */
  async function work(using: ActionPorts = ports): Promise<string[]> {
    const outcomes: string[] = [];
    for (;;) {
      const index = queue.findIndex(({ dueMs }) => dueMs <= clock.now());
      const [next] = index < 0 ? [] : queue.splice(index, 1);
      if (!next) return outcomes;
      const outcome = next.message.intake
        ? await runIntake({ ...ports, ...using }, next.message)
        : await runAction(using, next.message);
      if (outcome !== 'dropped') outcomes.push(outcome);
    }
  }
  const sweepAt = async (nowMs: number) => {
    const sweepPorts = {
      table,
      now: () => nowMs,
      sendAll,
      report: (_key: Key, error: unknown) => {
        throw error;
      },
    };
    const { stageFeatures } = ports;
    await wakeWaitingActions({ ...sweepPorts, stageFeatures }, nowMs + minuteMs);
    const sent = await resendDueActions(sweepPorts, nowMs + minuteMs);
    return sent + (await resendDueIntake(sweepPorts, nowMs + minuteMs));
  };
  const sweep = () => sweepAt(clock.now());

  async function actions(automationId: string): Promise<AutomationAction[]> {
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: { ':partition': automationPartition(automationId) },
        ConsistentRead: true,
      }),
    );
    return Items.filter(({ kind }) => kind !== 'automationCounts').map(actionFromItem);
  }

  /** Finds the next time at which something happens to these actions: a message is due, or a sweep; undefined if none waits. */
  function nextWake(all: readonly AutomationAction[]): Wake | undefined {
    const sweeps = all.flatMap(({ wakeAt, leaseUntil }) =>
      wakeAt === undefined ? [] : [Date.parse(max(wakeAt, leaseUntil)) + minuteMs],
    );
    if (sweeps.length === 0) return undefined;
    const sweepMs = Math.min(...sweeps);
    const atMs = Math.min(sweepMs, ...queue.map(({ dueMs }) => dueMs));
    return atMs < sweepMs
      ? { atMs, isSweep: false }
      : { atMs: Math.max(clock.now() + minuteMs, sweepMs), isSweep: true };
  }

  /** Moves the clock to the next wake. */
  async function wake({ atMs, isSweep }: Wake): Promise<void> {
    clock.time = Math.max(clock.time, atMs);
    if (isSweep) await sweep();
  }

  return {
    workspaceId,
    account,
    clock,
    ports,
    ingestPorts,
    queue,
    heartbeats,
    marks,
    errors,
    ingest,
    work,
    sweep,
    sweepAt,
    actions,
    counts: (automationId: string) => readCounts(table, automationId),
    async post(): Promise<string> {
      return (await instagram.act('posts', { username: connected.username })).id;
    },
    /** Stores an automation of a post, as the API would. */
    async automation(changes: Partial<Automation> = {}): Promise<Automation> {
      const platformPostId = changes.platformPostId ?? (await this.post());
      return putAutomation(table, account, { ...changes, platformPostId });
    },
    /** Replaces an automation. */
    rewrite: (automation: Automation) => putAutomation(table, account, automation),
    /** Someone comments, and Instagram delivers the webhook. */
    async comment(
      { platformPostId: postId }: Pick<Automation, 'platformPostId'>,
      username: string,
      text = 'link',
      { parentId, ...delivery }: { parentId?: string; isAd?: boolean; shape?: Shape } = {},
    ): Promise<ControlAnswer> {
      const made = await instagram.act('comments', { postId, username, text, parentId });
      const comment = made as unknown as Extract<WebhookEvent, { field: 'comments' }>['comment'];
      await ingest([{ field: 'comments', igId, comment, isAd: delivery.isAd ?? false }], delivery.shape);
      return made;
    },
    /** The person taps. Each call of the returned function delivers the webhook. */
    async tap(message: ControlAnswer | undefined, button = 0) {
      const at = clock.now();
      const tap = await instagram.act('taps', { messageId: message?.id, button });
      const content = { mid: String(tap['mid']), title: '', payload: String(tap['payload']) };
      const person = { id: message?.personId ?? '' };
      return () => ingest([{ field: 'messaging_postbacks', igId, person, tap: content, at }]);
    },
    /** The person writes. Each call of the returned function delivers the webhook. */
    async write(username: string, text: string, more: { storyId?: string; account?: string } = {}) {
      const made = await instagram.act('messages', { username, text, ...more });
      const message = made as unknown as Extract<WebhookEvent, { field: 'messages' }>['message'];
      return () => ingest([{ field: 'messages', igId, message }]);
    },
    messagesTo: async (username: string): Promise<readonly ControlAnswer[]> =>
      (await instagram.list('messages')).filter(
        (message) => message['username'] === username && message['from'] === 'account',
      ),
    repliesTo: async ({ id }: ControlAnswer): Promise<readonly ControlAnswer[]> =>
      (await instagram.list('replies')).filter(({ commentId }) => commentId === id),
    /** Enqueues all actions of the automation, then runs them to their end. */
    async runAll(automation: Automation): Promise<readonly AutomationAction[]> {
      for (const action of await actions(automation.id)) await ports.enqueue(messageOf(action), 0);
      return this.runToEnd(automation);
    },
    /** Moves the clock from wake to wake until no action of the automation waits. */
    async runToEnd({ id }: Automation): Promise<readonly AutomationAction[]> {
      for (let wakes = 0; wakes < 400; wakes += 1) {
        await work();
        const all = await actions(id);
        const next = nextWake(all);
        if (next === undefined) return all;
        await wake(next);
      }
      throw new Error(`an action still waits: ${JSON.stringify(await actions(id))}`);
    },
    /**
     * Lets time pass, from wake to wake of the automation's actions. Works every message that becomes due.
     * @returns the outcomes of those that found something to do
     */
    async pass({ id }: Automation, milliseconds: number, using?: ActionPorts): Promise<string[]> {
      const endMs = clock.now() + milliseconds;
      const outcomes = await work(using);
      for (;;) {
        const next = nextWake(await actions(id));
        if (next === undefined || next.atMs > endMs) break;
        await wake(next);
        outcomes.push(...(await work(using)));
      }
      clock.time = Math.max(clock.time, endMs);
      await sweep();
      return [...outcomes, ...(await work(using))];
    },
  };
}

/** The next moment at which something happens by itself. */
interface Wake {
  readonly atMs: number;
  /** True if it needs a sweep; false if a message of the queue is due. */
  readonly isSweep: boolean;
}

const max = (one: string, other = ''): string => (one > other ? one : other);

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** Stores an account as connecting does, so that it is found by its id at the platform. */
export async function connectAccount(
  table: Table,
  workspaceId: string,
  {
    platformAccountId,
    username,
    meta,
  }: Pick<Account, 'platformAccountId' | 'username'> & { readonly meta?: Account['meta'] },
): Promise<Account> {
  const account = await storeAccount(table, workspaceId, { platformAccountId, username, meta: meta ?? {} });
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...connectedAccountKey(account),
        kind: 'connectedAccount',
        workspaceId,
        accountId: account.id,
      },
    }),
  );
  return account;
}

/** Stores an automation and its claim on the post. */
export async function putAutomation(
  table: Table,
  { workspaceId, id: accountId }: Account,
  changes: Partial<Automation> & Pick<Automation, 'platformPostId'>,
): Promise<Automation> {
  const automation = Automation.parse({
    id: newId(startMs),
    workspaceId,
    accountId,
    name: null,
    isActive: true,
    keywords: ['link'],
    matchMode: 'contains',
    typoTolerance: false,
    commentReply: 'Sent you a message!',
    dmMessage: 'Here it is: https://shop.example/a',
    buttons: [],
    followGate: null,
    trackLinks: true,
    links: [{ code: 'abcdefghijkl', url: 'https://shop.example/a' }],
    createdAt: toTimestamp(startMs),
    updatedAt: toTimestamp(startMs),
    version: 1,
    ...changes,
  });
  const post = automationPostKey(workspaceId, accountId, automation.platformPostId);
  const items = [
    { ...automationKey(workspaceId, automation.id), kind: 'automation', ...automation },
    { ...post, kind: 'automationPost', automationId: automation.id },
  ];
  for (const Item of items) {
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  return automation;
}
