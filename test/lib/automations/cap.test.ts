import { beforeAll, describe, expect, it } from 'vitest';
import { act } from '../../../lib/automations/act.ts';
import { reserveMessage } from '../../../lib/automations/cap.ts';
import type { ActPorts } from '../../../lib/automations/ports.ts';
import type { AutomationMessage } from '../../../lib/automations/schemas.ts';
import { sweepActions } from '../../../lib/automations/sweep-actions.ts';
import { takeInbound } from '../../../lib/automations/take-inbound.ts';
import { hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { messagingLimits } from '../../../lib/platforms/instagram/limits.ts';
import { readDelivery } from '../../../lib/platforms/instagram/webhook.ts';
import type { CommentPlatform } from '../../../lib/platforms/messaging.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { connectAccount, publicBaseUrl, storeRule } from './world.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describe('the messages of an hour', () => {
  const account = () => ({ workspaceId: newId(startMs), accountId: newId(startMs) });

  it('are granted until there are as many, counted from the first', async () => {
    const ref = account();
    const ask = (now: number) => reserveMessage(table, ref, { now, most: 2, chance: 0.5 });
    expect(await ask(startMs)).toMatchObject({ state: 'granted' });
    expect(await ask(startMs + hourMs - 1)).toMatchObject({ state: 'granted' });
    const wakeMs = startMs + hourMs + 0.5 * 0.75 * hourMs;
    expect(await ask(startMs + hourMs - 1)).toEqual({ state: 'full', wakeMs });
    expect(await ask(startMs + hourMs)).toMatchObject({ state: 'granted' });
  });

  it('are never more, however many ask at once', async () => {
    const ref = account();
    const asked = Array.from({ length: 60 }, () =>
      reserveMessage(table, ref, { now: startMs, most: 20, chance: 0 }),
    );
    const states = (await Promise.all(asked)).map(({ state }) => state);
    expect(states.filter((state) => state === 'granted')).toHaveLength(20);
  });
});

/** An Instagram in memory that refuses what is above its cap, in any sixty minutes. */
function instagramInMemory(now: () => number) {
  const sent: { readonly commentId: string; readonly atMs: number }[] = [];
  const platform = {
    limits: messagingLimits,
    sendPrivateReply: async ({ comment: { commentId } }) => {
      sent.push({ commentId, atMs: now() });
      return { messageId: `m${sent.length}` };
    },
  } as Partial<CommentPlatform> as CommentPlatform;
  return { sent, platform };
}

/** @returns the delivery that tells of these people's comments */
function delivery(igId: string, postId: string, people: readonly number[]): string {
  const changes = people.map((person) => ({
    field: 'comments',
    value: {
      id: `9${person}`,
      text: 'link please',
      from: { id: `8${person}`, username: `p${person}` },
      media: { id: postId },
    },
  }));
  return JSON.stringify({ object: 'instagram', entry: [{ id: igId, time: startMs / 1_000, changes }] });
}

describe('more people than an hour has messages', () => {
  it('are all written to, in the hours that it takes, and nobody twice', async () => {
    const [most, count] = [75, 200];
    let time = startMs;
    const now = () => time;
    const igId = '17841400000000077';
    const account = await connectAccount(table, newId(startMs), { platformAccountId: igId, username: 'a' });
    const rule = await storeRule(table, account, { platformPostId: '123', commentReply: null });
    const queue: AutomationMessage[] = [];
    const { platform, sent } = instagramInMemory(now);
    const sendAll = async (messages: readonly AutomationMessage[]) => {
      queue.push(...messages);
      return new Set<AutomationMessage>();
    };
    let random = 7;
    const ports: ActPorts = {
      table,
      now,
      chance: () => {
        random = (random * 48_271) % 2_147_483_647;
        return random / 2_147_483_647;
      },
      uniqueId: () => newId(time),
      publicBaseUrl,
      commentPlatformFor: () => platform,
      toolsFor: async () => ({}) as Awaited<ReturnType<ActPorts['toolsFor']>>,
      accessToken: async () => 'token',
      renewToken: async () => false,
      markAccount: async () => {},
      enqueue: async (message) => void queue.push(message),
      report: (_message, error) => {
        throw error;
      },
      privateRepliesPerHour: most,
    };
    const takePorts = {
      table,
      now,
      platform: 'instagram' as const,
      readDelivery,
      isOwn: () => false,
      sendAll,
    };
    const people = Array.from({ length: count }, (_, index) => index);
    const bodies = [people, people.slice(0, 50)].map((some) => delivery(igId, rule.platformPostId, some));
    await Promise.all(bodies.map((body) => takeInbound(takePorts, body)));
    expect(queue).toHaveLength(count);

    const report = (_key: unknown, error: unknown) => {
      throw error;
    };
    for (; time < startMs + 3 * hourMs; time += minuteMs) {
      while (queue.length > 0) {
        await Promise.all(queue.splice(0, 20).map((message) => act(ports, message)));
      }
      await sweepActions({ table, now, sendAll, report }, time + minuteMs);
    }

    expect(new Set(sent.map(({ commentId }) => commentId)).size).toBe(count);
    expect(sent).toHaveLength(count);
    const inHour = (hour: number) =>
      sent.filter(({ atMs }) => Math.floor((atMs - startMs) / hourMs) === hour).length;
    expect(inHour(0)).toBe(most);
    // From the second hour on, people come one by one: a burst at its beginning would be refused by the platform.
    const second = sent.filter(
      ({ atMs }) => atMs >= startMs + hourMs && atMs < startMs + hourMs + 5 * minuteMs,
    );
    expect(second.length).toBeLessThan(most / 2);
  });
});
