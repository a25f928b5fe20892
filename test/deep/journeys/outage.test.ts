import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminOf } from '../../journeys/support/admin.ts';
import { type Client, clientOf, until } from '../../journeys/support/client.ts';
import { advance } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';
import { platformOf } from '../../journeys/support/platforms.ts';

const directory = mkdtempSync(join(tmpdir(), 'outage-'));
const dataDirectory = join(directory, 'data');
const admin = adminOf(dataDirectory);

let run: DevProcess;
let clients: Client[];
beforeAll(async () => {
  run = await startDev({ dataDirectory });
  clients = run.dev.workspaces.map((workspace) => clientOf(run.dev, workspace));
});
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

async function status() {
  const { stdout, exitCode } = await admin('status', '--json');
  const { problems }: { problems: string[] } = JSON.parse(stdout);
  return { problems, exitCode };
}

/** The incidents that each customer is told of. */
const incidents = () =>
  Promise.all(
    clients.map(async ({ request }) => {
      const answer = (await request('GET', '/v1/workspace')).json();
      return (answer as { workspace: { incidents: { platform: string }[] } }).workspace.incidents;
    }),
  );

/** Steps of the clock with which workers and sweeps keep up. */
const passing = { meanwhile: () => advance(run.dev, 30) };

it('an outage of a platform is named by status, with the workspaces, and customers read it, until posts go live again', async () => {
  const threads = platformOf(run.dev, 'threads');
  await threads.planFault('*', 'error:2', 10_000);
  const posts = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 3 }, (_, number) =>
        client.createPost({
          content: `Post ${number}`,
          publishNow: true,
          platforms: [{ accountId: client.accountId('threads') }],
        }),
      ),
    ),
  );
  const told = await until(incidents, (all) => all.every(({ length }) => length > 0), passing);
  expect(told).toEqual(clients.map(() => [expect.objectContaining({ platform: 'threads' })]));
  const { problems, exitCode } = await status();
  expect(exitCode).toBe(1);
  expect(problems).toEqual([
    expect.stringMatching(/^threads has trouble since .*: 6 destinations are put off/),
  ]);
  for (const { workspace } of clients) expect(problems[0]).toContain(workspace.id);

  await threads.clearFaults();
  await until(incidents, (all) => all.every(({ length }) => length === 0), passing);
  await until(status, (read) => read.exitCode === 0, passing);
  const live = await Promise.all(
    clients.flatMap((client, index) =>
      posts.slice(3 * index, 3 * index + 3).map(({ id }) => client.readPost(id)),
    ),
  );
  expect(live.map((post) => post.status)).toEqual(posts.map(() => 'published'));
});
