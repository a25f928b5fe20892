import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterAll, describe, expect, inject, it } from 'vitest';
import type { AwsAccess } from '../../lib/aws/client-options.ts';
import { sha256 } from '../../lib/kernel/ids.ts';
import { batchPut } from '../../lib/table/batch-write.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import { putItem, updateItem } from '../../lib/table/items.ts';
import { keyDigestKey } from '../../lib/table/keys.ts';
import { openTable } from '../../lib/table/table.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';
import { clientOf, until } from './support/client.ts';
import { clicksOf, makeLink } from './support/links.ts';
import { type Right, weakenAssembly } from './support/weakened-assembly.ts';

/** A right, and a journey that needs it. */
interface Row extends Right {
  /** Resolves to the problem, or `undefined` on success. */
  readonly journey: (cloud: TestCloud) => Promise<string | undefined>;
}

const request =
  (expected: number, method: string, path: string, body?: unknown): Row['journey'] =>
  async (cloud) => {
    const answer = await clientOf(cloud, cloud.demo).request(method, path, body);
    return answer.status === expected ? undefined : answer.text;
  };

const createPost = async (cloud: TestCloud, changes: object) => {
  const client = clientOf(cloud, cloud.demo);
  return client.createPost({
    content: 'a post',
    mediaItems: [{ type: 'image', url: await client.upload('image.jpg') }],
    platforms: [{ accountId: client.accountId('instagram') }],
    ...changes,
  });
};

/** Changes a new post. */
const changePost =
  (method: string, body?: unknown): Row['journey'] =>
  async (cloud) => {
    const { id } = await createPost(cloud, { isDraft: true });
    return request(200, method, `/v1/posts/${id}`, body)(cloud);
  };

/** Waits until a function has done its work or logged an error. @returns the error's log line */
async function workedOrFailed(
  cloud: TestCloud,
  functionName: string,
  isDone: () => Promise<boolean>,
): Promise<string | undefined> {
  const error = () =>
    cloud.functionLines.find(
      (line) => line.startsWith(`${functionName}: `) && line.includes('"level":"ERROR"'),
    );
  await until(
    async () => error() !== undefined || (await isDone()),
    (isOver) => isOver,
  );
  return error();
}

/** Follows a link on both routes with GET and HEAD. Only the two GETs count as clicks. */
async function followLink(cloud: TestCloud): Promise<string | undefined> {
  const target = 'https://example.com/shop?a=b#c';
  const code = await makeLink(cloud, target);
  for (const path of [`/r/${code}`, `/api/r/${code}`]) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(cloud.apiUrl + path, { method, redirect: 'manual' });
      if (status !== 302 || headers.get('location') !== target) return `${method} ${path}: ${status}`;
    }
  }
  const clicks = await clicksOf(cloud, code);
  return clicks === 2 ? undefined : `${clicks} clicks`;
}

async function hasSchedule(cloud: TestCloud): Promise<boolean> {
  const { awsEndpoint: endpoint, administrator: credentials, model } = cloud;
  const scheduler = new SchedulerClient({ region: model.region, endpoint, credentials });
  const { Schedules = [] } = await scheduler.send(
    new ListSchedulesCommand({ GroupName: model.scheduleGroups[0]?.name }),
  );
  scheduler.destroy();
  return Schedules.length > 0;
}

/** Each list is tested on one local cloud that lacks all of its rights, so no row may depend on another row's right. */
const variants: readonly (readonly Row[])[] = [
  [
    {
      function: 'posts-create',
      action: 'dynamodb:PutItem',
      journey: request(201, 'POST', '/v1/posts', { content: 'a draft', isDraft: true }),
    },
    {
      function: 'posts-read',
      action: 'dynamodb:Query',
      journey: request(404, 'GET', `/v1/posts/${randomUUID()}`),
    },
    { function: 'posts-list', action: 'dynamodb:Query', journey: request(200, 'GET', '/v1/posts') },
    {
      function: 'posts-validate',
      action: 'dynamodb:BatchGetItem',
      journey: request(200, 'POST', '/v1/posts/validate', { platforms: [{ accountId: randomUUID() }] }),
    },
    {
      function: 'media-presign',
      action: 's3:PutObject',
      journey: (cloud) =>
        clientOf(cloud, cloud.demo)
          .upload('image.jpg')
          .then(
            () => undefined,
            ({ message }: Error) => message,
          ),
    },
    {
      function: 'webhooks-create',
      action: 'kms:GenerateDataKey',
      journey: request(201, 'POST', '/v1/webhooks', {
        url: 'http://127.0.0.1:9/hook',
        events: ['webhook.test'],
      }),
    },
    {
      function: 'oauth-callback',
      action: 'kms:GenerateDataKey',
      journey: async ({ demo, logged }) => (demo.accounts.length > 0 ? undefined : logged[0]),
    },
    {
      function: 'redirect',
      action: 'dynamodb:GetItem',
      journey: request(404, 'GET', '/r/abcdefghij12'),
    },
    {
      function: 'sweep',
      action: 'dynamodb:Query',
      journey: async (cloud) => {
        const outcome = await cloud.invoke('sweep', {});
        return outcome.ok ? undefined : outcome.error.errorMessage;
      },
    },
    {
      function: 'refresh-tokens',
      action: 'dynamodb:Query',
      journey: async (cloud) => {
        const outcome = await cloud.invoke('refresh-tokens', {});
        return outcome.ok ? undefined : outcome.error.errorMessage;
      },
    },
  ],
  [
    {
      function: 'publish-target',
      action: 'kms:Decrypt',
      journey: async (cloud) => {
        // A post without files, because `complete-upload` lacks a right in this cloud.
        const platforms = [{ accountId: clientOf(cloud, cloud.demo).accountId('threads') }];
        const { id } = await createPost(cloud, { publishNow: true, mediaItems: [], platforms });
        const read = () => clientOf(cloud, cloud.demo).readPost(id);
        return workedOrFailed(cloud, 'publish-target', async () => (await read()).status === 'published');
      },
    },
    {
      function: 'complete-upload',
      action: 'dynamodb:UpdateItem',
      journey: async (cloud) => {
        await clientOf(cloud, cloud.demo).upload('image.jpg');
        const isNoted = async () => cloud.functionLines.some((line) => line.includes('"outcome":"ready"'));
        return workedOrFailed(cloud, 'complete-upload', isNoted);
      },
    },
    {
      function: 'posts-edit',
      action: 'dynamodb:PutItem',
      journey: changePost('PATCH', { content: 'another' }),
    },
    { function: 'posts-delete', action: 'dynamodb:DeleteItem', journey: changePost('DELETE') },
    { function: 'redirect', action: 'dynamodb:UpdateItem', journey: followLink },
    {
      function: 'comment-automations-create',
      action: 'kms:Decrypt',
      // Herald has not published this post, so the function asks the platform about it.
      journey: async (cloud) =>
        request(404, 'POST', '/v1/comment-automations', {
          accountId: clientOf(cloud, cloud.demo).accountId('instagram'),
          platformPostId: '17890000000000000',
          commentReply: 'Thanks',
        })(cloud),
    },
    {
      function: 'relay',
      action: 'iam:PassRole',
      journey: async (cloud) => {
        await createPost(cloud, {
          scheduledFor: new Date(cloud.clock.now() + 600_000).toISOString(),
        });
        return workedOrFailed(cloud, 'relay', () => hasSchedule(cloud));
      },
    },
  ],
];

const directory = mkdtempSync(join(tmpdir(), 'weakened-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('every journey works with the deployed policies', async () => {
  const cloud = await startTestCloud();
  try {
    for (const row of variants.flat()) {
      expect({ of: row.function, problem: await row.journey(cloud) }).toEqual({ of: row.function });
    }
  } finally {
    await cloud.stop();
  }
});

/** Functions of the panel that put API keys, for owners who have just signed in. */
const keyIssuers = ['panel-create-key', 'panel-rotate-key'];

it('whoever has the credentials of another function can make no API key with them', async () => {
  const cloud = await startTestCloud();
  try {
    const stored = readFileSync(join(cloud.dataDirectory, 'access-keys.json'), 'utf8');
    const keys = JSON.parse(stored) as Record<string, AwsAccess['credentials']>;
    const { region, tables, functions } = cloud.model;
    const [tableName = ''] = tables.map(({ name }) => name);
    expect(functions.filter(({ name }) => keyIssuers.includes(name))).toHaveLength(keyIssuers.length);
    for (const { name } of functions.filter((each) => !keyIssuers.includes(each.name))) {
      const credentials = keys[`function ${name}`];
      const access = { endpoint: cloud.awsEndpoint, region, ...(credentials && { credentials }) };
      const table = openTable(tableName, access);
      const forged = { ...keyDigestKey(sha256('a key of the attacker')), kind: 'key' };
      const attempts = {
        put: () => putItem(table, forged, unconditionally),
        update: () => updateItem(table, forged, { set: { kind: 'key' }, if: unconditionally }),
        batch: () => batchPut(table, [forged]),
      };
      for (const [attempt, make] of Object.entries(attempts)) {
        await expect(make(), `${attempt} of ${name}`).rejects.toMatchObject({
          name: 'AccessDeniedException',
        });
      }
    }
  } finally {
    await cloud.stop();
  }
});

describe.each(variants.map((rows, index) => ({ rows, index })))('without a right', ({ rows, index }) => {
  it(`each journey that needs it fails: ${rows.map(({ action, function: name }) => `${action} of ${name}`).join(', ')}`, async () => {
    const assemblyDirectory = join(directory, String(index));
    weakenAssembly(inject('assemblyDirectory'), assemblyDirectory, rows);
    const cloud = await startTestCloud({ assemblyDirectory });
    try {
      for (const { function: name, action, journey } of rows) {
        const problem = await journey(cloud);
        expect({ name, problem }).toEqual({ name, problem: expect.any(String) });
        // A presigned upload is refused at the bucket; every other denial is in the function's log.
        const told = [problem, ...cloud.functionLines.filter((line) => line.startsWith(`${name}: `))];
        const denials = told.filter((line) => line?.includes('AccessDenied') && line.includes(action));
        expect(denials, `${name}: ${told.join('\n')}`).not.toEqual([]);
      }
    } finally {
      await cloud.stop();
    }
  });
});

it('removing a right that a function does not have fails', () => {
  const right = { function: 'posts-read', action: 'dynamodb:Scan' };
  expect(() => weakenAssembly(inject('assemblyDirectory'), join(directory, 'none'), [right])).toThrow(
    'posts-read has no right to dynamodb:Scan',
  );
});
