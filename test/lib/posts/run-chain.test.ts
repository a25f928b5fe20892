import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountItem } from '../../../lib/accounts/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { ForbiddenMoveError } from '../../../lib/kernel/life-cycle.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { settleStep } from '../../../lib/posts/stored/chain-steps.ts';
import { accountKey, mediaKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createTestTable } from '../../support/table.ts';
import { anotherCrossPost, crossPost, type Fixture, followUp, minuteMs, openChain } from './chain-fixture.ts';
import { mediaItem } from './fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const film = { title: 'A video', privacyStatus: 'public' };

/** A post with a video to Instagram and YouTube. */
const toBoth = ({ instagram, youtube, video }: Fixture) => ({
  platforms: [{ accountId: instagram.id }, { accountId: youtube.id, platformSpecificData: film }],
  mediaItems: [mediaItem(video)],
});

/** The options of a step to YouTube. */
const forYoutube = ({ youtube }: Fixture) => ({ [youtube.id]: film });
const waiting = { kind: 'crossPost', status: 'waiting', postId: null, error: null };

describe('a chain', () => {
  it('waits until a target of its post is live', async () => {
    const { run, view, children } = await openChain(table, (fixture) => [crossPost(fixture)]);
    expect(await run()).toBe('not live yet');
    expect((await view()).chain).toMatchObject([waiting]);
    expect(await children()).toEqual([]);
  });

  it('then becomes posts, linked in both directions and without chains', async () => {
    const { post, goLive, run, view, children } = await openChain(table, (fixture) => [
      followUp(fixture),
      crossPost(fixture),
    ]);
    await goLive();
    expect(await run()).toBe('run');
    const [first, second] = await children();
    expect((await view()).chain).toMatchObject([
      { kind: 'followUp', status: 'fired', postId: first?.id, error: null },
      { kind: 'crossPost', status: 'fired', postId: second?.id, error: null },
    ]);
    for (const child of [first, second]) {
      expect(await view(child?.id)).toMatchObject({
        parentPostId: post.id,
        status: 'scheduled',
        chain: [],
        platforms: [{ status: 'scheduled' }],
      });
    }
  });

  it('becomes no posts once its post was taken down', async () => {
    const { goLive, change, run, view, children } = await openChain(table, (fixture) => [
      followUp(fixture),
      crossPost(fixture),
    ]);
    await goLive();
    await change({ removal: { state: 'requested', by: 'service' } });
    expect(await run()).toBe('skipped');
    const step = { status: 'failed', error: 'the post was taken down before the step became a post' };
    expect((await view()).chain).toMatchObject([step, step]);
    expect(await children()).toEqual([]);
    expect(await run()).toBe('nothing waits');
  });

  it('follows what is left if one of two live targets was taken down', async () => {
    const { goLive, change, run, children } = await openChain(
      table,
      (fixture) => [crossPost(fixture)],
      toBoth,
    );
    await goLive(0);
    await change({ removal: { state: 'removed', by: 'person' } });
    expect(await run()).toBe('not live yet');
    await goLive(1);
    expect(await run()).toBe('run');
    expect(await children()).toHaveLength(1);
  });

  it('passes on the metadata of its post, but not the external id, which names one post', async () => {
    const labels = { metadata: { campaign: 'spring' }, externalId: 'row 7', externalIdUnique: true };
    const { goLive, run, view, children } = await openChain(
      table,
      (fixture) => [followUp(fixture)],
      () => labels,
    );
    await goLive();
    await run();
    const [child] = await children();
    expect(await view(child?.id)).toMatchObject({ metadata: labels.metadata, externalId: null });
    expect(await view()).toMatchObject(labels);
  });

  it('passes on what its destinations do about daily limits', async () => {
    const { goLive, run, view, children } = await openChain(
      table,
      (fixture) => [followUp(fixture), crossPost(fixture)],
      (fixture) => ({ ...toBoth(fixture), onQuota: 'fail' }),
    );
    await goLive();
    expect(await run()).toBe('run');
    for (const { id } of await children()) expect(await view(id)).toMatchObject({ onQuota: 'fail' });
  });

  it('starts with the first target, whatever happens to the others', async () => {
    const { goLive, fail, run, clock, children } = await openChain(
      table,
      (fixture) => [{ ...crossPost(fixture), afterMinutes: 5 }],
      toBoth,
    );
    const liveMs = clock.time;
    await goLive(1);
    expect(await run()).toBe('run');
    clock.time += minuteMs;
    await fail(0);
    expect(await run()).toBe('nothing waits');
    const [child] = await children();
    expect(child?.scheduledFor).toBe(toTimestamp(liveMs + 5 * minuteMs));
  });

  it('counts from the earliest target that is live when it runs', async () => {
    const { goLive, run, clock, children } = await openChain(
      table,
      (fixture) => [{ ...crossPost(fixture), afterMinutes: 60 }],
      toBoth,
    );
    const firstMs = clock.time;
    await goLive(1);
    clock.time += 7 * minuteMs;
    await goLive(0);
    await run();
    expect((await children())[0]?.scheduledFor).toBe(toTimestamp(firstMs + 60 * minuteMs));
  });

  it.each([
    ['immediately by default', undefined, 0, 0],
    ['after its delay', 90, 0, 90],
    ['after at most a day', 1_440, 2, 1_440],
    ['now if its time has passed', 5, 30, 30],
  ])('is due %s', async (_what, afterMinutes, runAfterMinutes, dueAfterMinutes) => {
    const { goLive, run, clock, children, read } = await openChain(table, (fixture) => [
      { ...crossPost(fixture), afterMinutes },
    ]);
    const liveMs = clock.time;
    await goLive();
    clock.time += runAfterMinutes * minuteMs;
    await run();
    const [child] = await children();
    const due = toTimestamp(liveMs + dueAfterMinutes * minuteMs);
    expect(child).toMatchObject({ scheduledFor: due, createdAt: toTimestamp(liveMs) });
    const { targets } = await read(child?.id);
    expect(targets).toMatchObject([{ scheduledFor: due, wakeNumber: 1 }]);
    expect((targets[0]?.wakeAt ?? '') <= due).toBe(true);
  });

  it('gives a crossPost the content, files and cover of the post, and a followUp its own', async () => {
    const { post, goLive, run, children } = await openChain(
      table,
      (fixture) => [crossPost(fixture), followUp(fixture), { ...followUp(fixture), content: undefined }],
      (fixture) => ({ mediaItems: [mediaItem(fixture.video)], coverUrl: mediaItem(fixture.image).url }),
    );
    await goLive();
    await run();
    const [crossPosted, followUpPost, withoutContent] = await children();
    const { content, mediaItems, cover } = post;
    expect(cover).toBeDefined();
    expect(crossPosted).toMatchObject({ content, mediaItems, cover });
    expect(followUpPost).toMatchObject({ content: 'And now this', mediaItems: [{ type: 'image' }] });
    expect(followUpPost).not.toHaveProperty('cover');
    expect(withoutContent?.content).toBe('');
  });

  it('gives each account its options', async () => {
    const options = { title: 'A title', 'a key with spaces': { '': [1e-7, null] } };
    const { goLive, run, read, children } = await openChain(
      table,
      ({ second, youtube }) => [
        { kind: 'crossPost', accountIds: [second.id, youtube.id], options: { [youtube.id]: options } },
      ],
      ({ video }) => ({ mediaItems: [mediaItem(video)], publishNow: false }),
    );
    await goLive();
    await run();
    const [child] = await children();
    const { targets } = await read(child?.id);
    expect(targets.toSorted((a, b) => a.position - b.position).map((target) => target.options)).toEqual([
      {},
      options,
    ]);
  });
});

describe('a chain is run once', () => {
  const steps = (fixture: Fixture) => [
    crossPost(fixture),
    followUp(fixture),
    anotherCrossPost(fixture),
    followUp(fixture),
  ];

  it('if twenty workers run it concurrently', async () => {
    const { goLive, run, children, view, read } = await openChain(table, steps);
    await goLive();
    await Promise.all(Array.from({ length: 20 }, () => run()));
    // Exactly one write of the post for each step.
    expect((await read()).post.version).toBe(1 + 4);
    expect(await children()).toHaveLength(4);
    expect((await view()).chain.map(({ status }) => status)).toEqual(['fired', 'fired', 'fired', 'fired']);
    expect(await run()).toBe('nothing waits');
  });

  it('if targets change and roll-ups write the same item at the same time', async () => {
    const { goLive, fail, run, post, children, read } = await openChain(table, steps, toBoth);
    await goLive(0);
    const rollUp = () => rollUpPost(table, post.workspaceId, post.id, Date.parse(post.createdAt));
    await Promise.all([run(), rollUp(), fail(1).then(rollUp), run(), rollUp()]);
    expect(await children()).toHaveLength(4);
    const stored = await read();
    expect(stored.post.status).toBe('partial');
    expect(stored.post.chain?.every(({ status }) => status === 'fired')).toBe(true);
  });

  it('if a worker crashes at any call, before the call or after it', async () => {
    // One call reads the post, one reads what its steps refer to, and one writes each step.
    const calls = 6;
    for (const when of ['before', 'after'] as const) {
      for (let call = 1; call <= calls; call += 1) {
        const chain = await openChain(table, steps);
        await chain.goLive();
        let made = 0;
        const dying = interrupted(table, () => {
          made += 1;
          return made === call ? when : made > call ? 'before' : 'nothing';
        });
        await expect(chain.run({ ...chain.ports, table: dying })).rejects.toThrow('died');
        expect(made).toBeGreaterThanOrEqual(call);
        await chain.run();
        expect(await chain.children()).toHaveLength(4);
        expect((await chain.view()).chain.every(({ status }) => status === 'fired')).toBe(true);
      }
    }
  });

  it('even if the post of a step has been deleted since', async () => {
    const { goLive, run, context, view, children } = await openChain(table, (fixture) => [
      crossPost(fixture),
    ]);
    await goLive();
    await run();
    const [child] = await children();
    await removePost(context(), child?.id ?? '');
    expect(await run()).toBe('nothing waits');
    expect((await view()).chain).toMatchObject([{ status: 'fired', postId: child?.id }]);
    expect(await children()).toEqual([]);
  });
});

describe('a post that failed', () => {
  it('skips its chain, which waits again after a retry and starts when that succeeds', async () => {
    const { post, fail, goLive, run, context, view, children } = await openChain(table, (fixture) => [
      crossPost(fixture),
    ]);
    await fail();
    expect((await view()).chain).toMatchObject([{ ...waiting, status: 'skipped' }]);
    expect(await run()).toBe('skipped');
    await retryPost(context(), post.id);
    expect((await view()).chain).toMatchObject([waiting]);
    await goLive();
    await run();
    expect(await children()).toHaveLength(1);
  });

  it('on one destination only has already started its chain if another one is live', async () => {
    const { fail, goLive, run, view } = await openChain(table, (fixture) => [crossPost(fixture)], toBoth);
    await goLive(0);
    await fail(1);
    await run();
    expect((await view()).chain).toMatchObject([{ status: 'fired' }]);
  });

  it('is deleted together with its chain', async () => {
    const { fail, run, context, post } = await openChain(table, (fixture) => [crossPost(fixture)]);
    await fail();
    await removePost(context(), post.id);
    expect(await run()).toBe('nothing waits');
  });
});

describe('a step', () => {
  it('whose account was disconnected still becomes a post, which fails at its time', async () => {
    const { fixture, goLive, run, read, children } = await openChain(table, (given) => [crossPost(given)]);
    const gone = { ...fixture.second, disconnectedAt: toTimestamp(0) };
    await table.client.send(new PutCommand({ TableName: table.name, Item: accountItem(gone) }));
    await goLive();
    await run();
    const [child] = await children();
    expect((await read(child?.id)).targets).toMatchObject([{ status: 'scheduled', platform: 'instagram' }]);
  });

  it('whose file was deleted still becomes a post', async () => {
    const { fixture, goLive, run, children } = await openChain(table, (given) => [followUp(given)]);
    await remove(mediaKey(fixture.context.workspaceId, fixture.image.id));
    await goLive();
    await run();
    expect(await children()).toHaveLength(1);
  });

  it('cannot be settled twice', async () => {
    const { goLive, run, read } = await openChain(table, (fixture) => [crossPost(fixture)]);
    await goLive();
    await run();
    const { post } = await read();
    const result = { status: 'failed', error: 'no' } as const;
    expect(() => settleStep(table, post, 0, result, { isLast: true, now: 0 })).toThrow(
      new ForbiddenMoveError('a chain step must not go from fired to failed'),
    );
  });

  it('that cannot become a post fails with the reason, and does not stop the others', async () => {
    const { fixture, goLive, run, view, children } = await openChain(
      table,
      (given) => [
        { ...crossPost(given), accountIds: [given.second.id, given.youtube.id], options: forYoutube(given) },
        anotherCrossPost(given),
      ],
      ({ video }) => ({ mediaItems: [mediaItem(video)] }),
    );
    await remove(accountKey(fixture.context.workspaceId, fixture.youtube.id));
    await goLive();
    await run();
    expect((await view()).chain).toMatchObject([
      { status: 'failed', postId: null, error: 'accountIds[1]: no such account' },
      { status: 'fired' },
    ]);
    expect(await children()).toHaveLength(1);
    expect(await run()).toBe('nothing waits');
  });

  it('is run as the last edit left it', async () => {
    const { fixture, post, goLive, run, context, children } = await openChain(
      table,
      (given) => [crossPost(given), anotherCrossPost(given)],
      () => ({ publishNow: false, scheduledFor: '2026-03-01T13:00:00Z' }),
    );
    const chain = [{ ...followUp(fixture), kind: 'followUp' as const, content: 'Changed' }];
    await editPost({ ...fixture.context, ...context() }, post.id, {
      chain: chain.map((step) => ({ ...step, mediaItems: [mediaItem(fixture.image)] })),
    });
    await goLive();
    await run();
    expect((await children()).map(({ content }) => content)).toEqual(['Changed']);
  });
});

describe('a chain of which a step failed for a reason of ours', () => {
  it('is still checked by the sweep, although its last step became a post', async () => {
    const { goLive, run, ports, read, children, clock } = await openChain(table, (fixture) => [
      crossPost(fixture),
      anotherCrossPost(fixture),
    ]);
    await goLive();
    let isFirst = true;
    const rulesFor: typeof ports.rulesFor = (platform) => {
      if (isFirst) {
        isFirst = false;
        throw new Error('the rules cannot be loaded');
      }
      return ports.rulesFor(platform);
    };
    await expect(run({ ...ports, rulesFor })).rejects.toThrow('the rules cannot be loaded');
    const { post } = await read();
    expect(post.chain).toMatchObject([{ status: 'waiting' }, { status: 'fired' }]);
    expect(post.chainWakeAt).toBeDefined();
    clock.time = Date.parse(post.chainWakeAt ?? '');
    expect(await run()).toBe('run');
    expect(await children()).toHaveLength(2);
    expect((await read()).post.chainWakeAt).toBeUndefined();
  });
});

/** A table whose calls may fail before they are made, or afterwards, so that the reply is lost. */
function interrupted(given: Table, nextFailure: () => 'before' | 'after' | 'nothing'): Table {
  const send = async (command: Parameters<Table['client']['send']>[0]) => {
    const when = nextFailure();
    if (when === 'before') throw new Error('died before the call');
    const answer = await given.client.send(command);
    if (when === 'after') throw new Error('died after the call');
    return answer;
  };
  return { ...given, client: { send } as unknown as Table['client'] };
}

async function remove(Key: { pk: string; sk: string }): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
}
