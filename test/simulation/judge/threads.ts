import { isTakenDown } from '../../../lib/targets/removal.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { hasPartsLeft, isThread, livePartsOf } from '../../../lib/targets/thread.ts';
import type { Committed } from '../cloud/committed.ts';
import type { Platforms } from '../platforms/platforms.ts';
import type { World } from '../world/world.ts';
import { callsOf, readTarget } from './calls.ts';

/** A reply as the simulator of Threads lists it. */
interface Reply {
  readonly id: string;
  readonly userId: string;
  readonly text: string;
  readonly replyToId: string;
  readonly publishedAt: number;
}

/**
 * Checks at the end that each part of a thread went live once, as a reply to the part before it and after it, and that the service
 * knows all of them.
 */
export async function checkThreads(world: World, committed: Committed, platforms: Platforms): Promise<void> {
  if (!platforms.names.includes('threads')) return;
  const replies = (await platforms.control('threads', 'GET', 'replies')) as readonly Reply[];
  const targets = committed.ofKind('target').filter((item) => isThread(readTarget(item)));
  const known = new Set<string>();
  for (const item of targets) {
    const target = readTarget(item);
    const name = `the thread of ${target.postId} on ${target.accountId}`;
    const isThere = !isTakenDown(target);
    if (isThere && target.status === 'published' && hasPartsLeft(target))
      world.violate(`${name} is published, but has ${livePartsOf(target).length} live parts`);
    if (isThere) checkParts(world, name, target, replies);
    for (const id of livePartsOf(target).flatMap(({ platformPostId }) => platformPostId ?? [])) {
      if (known.has(id)) world.violate(`two parts claim the post ${id}`);
      known.add(id);
    }
  }
  // A call of unknown outcome may have made a part, and a person may have had it made again.
  const inDoubt = targets.filter((item) =>
    callsOf(item).some(({ outcome }) => outcome === 'unknown' || outcome === 'dismissed'),
  );
  const isExplained = ({ text }: Reply) =>
    inDoubt.some((item) => readTarget(item).thread?.some(({ content }) => content === text));
  const stray = replies.find(
    (reply) => !known.has(reply.id) && isPart(targets.map(readTarget), reply) && !isExplained(reply),
  );
  if (stray) world.violate(`"${stray.text}" is live on threads as ${stray.id}, but no thread knows it`);
}

const isPart = (targets: readonly Target[], { text }: Reply): boolean =>
  targets.some(({ thread = [] }) => thread.some(({ content }) => content === text));

function checkParts(world: World, name: string, target: Target, replies: readonly Reply[]): void {
  const [first, ...others] = livePartsOf(target);
  let parentId = first?.platformPostId;
  let earlierMs = 0;
  for (const [index, { platformPostId }] of others.entries()) {
    const reply = replies.find(({ id }) => id === platformPostId);
    const at = `part ${index + 2} of ${name}`;
    if (!reply) {
      world.violate(`${at} has the id ${platformPostId}, but no such reply is live`);
      return;
    }
    if (reply.text !== target.thread?.[index]?.content) world.violate(`${at} is live as "${reply.text}"`);
    if (reply.replyToId !== parentId)
      world.violate(`${at} replies to ${reply.replyToId}, not to ${parentId}`);
    if (reply.publishedAt < earlierMs) world.violate(`${at} went live before the part before it`);
    parentId = reply.id;
    earlierMs = reply.publishedAt;
  }
}
