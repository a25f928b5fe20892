import { expect, it } from 'vitest';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { adminOf, writeDevFile } from './support/admin.ts';
import { clientOf, settled } from './support/client.ts';
import { advanceTo, passing, readClock } from './support/clock.ts';
import { expectHeldUntilResumed, type Paused, schedule } from './support/pauses.ts';

let paused: Paused;
visitSharedCloud((cloud) => {
  writeDevFile(cloud.dataDirectory, cloud);
  paused = {
    run: cloud,
    client: clientOf(cloud, cloud.demo),
    admin: adminOf(cloud.dataDirectory),
    passing: (seconds) => passing(cloud, seconds, Infinity),
  };
});

it('nothing goes to a platform that an operator has paused; the post says why, and is live once after the pause', async () => {
  await expectHeldUntilResumed(paused, ['--platform', 'threads'], 'held by a pause of the platform', false);
});

it('a pause of one platform does not touch another', async () => {
  const { run, client, admin, passing: pass } = paused;
  expect(await admin('pause', '--platform', 'youtube', '--reason', 'an incident')).toMatchObject({
    exitCode: 0,
  });
  const dueMs = (await readClock(run)) + 60_000;
  const { id } = await schedule(client, 'threads', 'not held', dueMs);
  await advanceTo(run, dueMs);
  const live = await settled(client, id, pass(5));
  expect(live.status).toBe('published');
  expect(await admin('resume', '--platform', 'youtube')).toMatchObject({ exitCode: 0 });
});
