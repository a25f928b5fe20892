import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { queryPosts } from '../../../lib/posts/list/read-page.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { type ChainPorts, runChain } from '../../../lib/posts/run-chain.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { TargetChanges } from '../../../lib/targets/store.ts';
import { changeTarget, startMs } from '../../support/builders.ts';
import { mediaBaseUrl, mediaItem, openFixture } from './fixture.ts';

export const minuteMs = 60_000;

/** A fixture with a post to Instagram that is due now and has this chain, and functions that change it. */
export async function openChain(
  table: Table,
  steps: (fixture: Fixture) => object[],
  changes: (fixture: Fixture) => object = () => ({}),
) {
  const fixture = await openFixture(table);
  const clock = { time: startMs };
  const { post } = await fixture.create({ publishNow: true, chain: steps(fixture), ...changes(fixture) });
  const { workspaceId } = post;
  const context = () => ({ ...fixture.context, now: clock.time });
  const ports: ChainPorts = { table, now: () => clock.time, rulesFor };
  const read = (postId = post.id) => readPost(context(), postId);
  const change = async (changed: TargetChanges, position = 0) => {
    const { targets } = await read();
    const target = targets.find((candidate) => candidate.position === position);
    if (!target) throw new Error(`the post has no target ${position}`);
    await changeTarget(table, target, changed, newId(clock.time));
  };
  return {
    fixture,
    clock,
    post,
    ports,
    context,
    read,
    view: async (postId?: string) => {
      const found = await read(postId);
      return toPostView(found.post, mediaBaseUrl, found.targets);
    },
    change,
    goLive: (position?: number) =>
      change({ status: 'published', publishedAt: toTimestamp(clock.time), wakeAt: null }, position),
    fail: (position?: number) =>
      change(
        { status: 'failed', problem: { code: 'platform_rejected', text: 'no' }, wakeAt: null },
        position,
      ),
    run: (given = ports) => runChain(given, { workspaceId, postId: post.id }),
    /** The posts made from steps, in the order of the steps. */
    children: async () => {
      const { posts } = await queryPosts(table, workspaceId, { limit: 100 });
      const ids = (await read()).post.chain?.flatMap(({ postId }) => postId ?? []) ?? [];
      const made = posts.filter(({ parentPostId }) => parentPostId === post.id);
      return made.sort((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id));
    },
  };
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** A step that repeats the post on the second account. */
export const crossPost = ({ second }: Fixture) => ({ kind: 'crossPost', accountIds: [second.id] });

/** A step that repeats the post on the third account. */
export const anotherCrossPost = ({ third }: Fixture) => ({ kind: 'crossPost', accountIds: [third.id] });

export const followUp = ({ instagram, image }: Fixture) => ({
  kind: 'followUp',
  accountIds: [instagram.id],
  content: 'And now this',
  mediaItems: [mediaItem(image)],
});
