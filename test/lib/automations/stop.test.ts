import { beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../../../lib/automations/answered-posts.ts';
import type { Automation } from '../../../lib/automations/schemas.ts';
import { stopAutomationsOfPost } from '../../../lib/automations/stop.ts';
import { findAutomation, startAutomation } from '../../../lib/automations/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { storeAutomation } from '../../support/automations.ts';
import { startMs } from '../../support/builders.ts';
import { clientOf, type Item } from '../../support/database/database.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const postId = newId(startMs);
const platformPostId = '17890';
type Posts = Parameters<typeof nameOf>[0];

const find = ({ workspaceId, id }: Automation) => findAutomation(table, workspaceId, id);
const stop = ({ workspaceId, accountId }: Automation, used = table) =>
  stopAutomationsOfPost(used, { workspaceId, accountId, platformPostId, postId }, startMs);
const storeFor = (posts: Posts) => storeAutomation(table, newId(startMs), { platformPostId: nameOf(posts) });

describe('the automation of a post that is gone', () => {
  it.each<[string, Posts]>([
    ['of the post itself', { kind: 'post', platformPostId }],
    ['that was attached to the post and has not started', { kind: 'herald post', postId }],
    ['of the next post, which was this one', { kind: 'next post', platformPostId }],
  ])('is switched off, once, if it is one %s', async (_name, posts) => {
    const automation = await storeFor(posts);
    await stop(automation);
    const stopped = {
      ...automation,
      isActive: false,
      updatedAt: toTimestamp(startMs),
      version: automation.version + 1,
    };
    expect(await find(automation)).toEqual(stopped);
    await stop(automation);
    expect(await find(automation)).toEqual(stopped);
  });

  it.each<[string, Posts]>([
    ['of another post', { kind: 'post', platformPostId: 'another' }],
    ['attached to another post', { kind: 'herald post', postId: newId(startMs + 1) }],
    ['of the next post, which is not known yet', { kind: 'next post' }],
    ['of the next post, which was another', { kind: 'next post', platformPostId: 'another' }],
    ['of every post', { kind: 'every post' }],
  ])('leaves one %s alone', async (_name, posts) => {
    const automation = await storeFor(posts);
    await stop(automation);
    expect(await find(automation)).toEqual(automation);
  });

  it('is switched off although it gets its post at that moment', async () => {
    const automation = await storeFor({ kind: 'herald post', postId });
    let isStarted = false;
    const client = clientOf(async (command) => {
      if (!isStarted && command.constructor.name === 'UpdateCommand') {
        isStarted = true;
        await startAutomation(table, automation, platformPostId, startMs);
      }
      return (await table.client.send(command as never)) as Item;
    });
    await stop(automation, { ...table, client });
    expect(isStarted).toBe(true);
    expect(await find(automation)).toMatchObject({ platformPostId, isActive: false });
  });
});
