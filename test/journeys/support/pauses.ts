import type { Addresses } from '@herald/local-cloud/types.ts';
import { expect } from 'vitest';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import type { Admin } from './admin.ts';
import { type Client, type Patience, settled, targetOf, until } from './client.ts';
import { advance, advanceTo, readClock } from './clock.ts';
import { platformOf } from './platforms.ts';

/** A running service, one of its workspaces, and its operator. */
export interface Paused {
  readonly run: Pick<Addresses, 'awsEndpoint' | 'platforms'>;
  readonly client: Client;
  readonly admin: Admin;
  /** An option for `until`: moves the clock between two checks. */
  passing(seconds: number): Patience;
}

const reason = 'Threads loses posts';

export const schedule = (
  client: Client,
  platform: string,
  content: string,
  dueMs: number,
): Promise<PostView> =>
  client.createPost({
    content,
    platforms: [{ accountId: client.accountId(platform) }],
    scheduledFor: new Date(dueMs).toISOString(),
  });

/**
 * Pauses what the options of `pause` select while a post for Threads waits, and lets the clock pass its due time, then the end
 * of the pause.
 *
 * @param isAlone true if nothing but this post uses Threads: then not a single request may go there, and nothing else is held
 */
export async function expectHeldUntilResumed(
  { run, client, admin, passing }: Paused,
  selector: readonly string[],
  content: string,
  isAlone: boolean,
): Promise<void> {
  const threads = platformOf(run, 'threads');
  const dueMs = (await readClock(run)) + 5 * 60_000;
  const { id } = await schedule(client, 'threads', content, dueMs);

  const paused = await admin('pause', ...selector, '--reason', reason);
  expect(paused).toMatchObject({ stderr: '', exitCode: 0, stdout: expect.stringContaining(reason) });
  expect((await admin('pause', 'list')).stdout).toContain(reason);
  expect(await admin('pause', ...selector, '--reason', 'again')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is paused'),
  });
  const requests = (await threads.requests()).length;
  await advanceTo(run, dueMs + 1_000);
  const waiting = await until(
    () => client.readPost(id),
    (post) => targetOf(post, 'threads').error !== null,
    passing(20),
  );
  expect(waiting.status).toBe('scheduled');
  expect(targetOf(waiting, 'threads').error).toMatch(
    /^publishing to (Threads|this account) is paused: Threads loses posts$/,
  );
  await advance(run, 30 * 60);
  expect(await threads.postsSaying(content)).toEqual([]);
  if (isAlone) expect(await threads.requests()).toHaveLength(requests);
  expect(await client.timeline(id)).toContainEqual(
    expect.objectContaining({ event: 'paused', reason, nextAt: null }),
  );

  const resumed = await admin('resume', ...selector);
  expect(resumed).toMatchObject({ stderr: '', exitCode: 0 });
  // Posts of other journeys may have become due while the platform was paused.
  expect(resumed.stdout).toMatch(isAlone ? /released: 1\.$/m : /released: [1-9]\d*\.$/m);
  expect((await admin('pause', 'list')).stderr).toBe('none\n');
  const live = await settled(client, id, passing(5));
  expect(live.status).toBe('published');
  expect(targetOf(live, 'threads').error).toBeNull();
  expect((await client.timeline(id)).map(({ event }) => event)).toContain('resumed');
  await advance(run, 30 * 60);
  expect(await threads.postsSaying(content)).toHaveLength(1);
}
