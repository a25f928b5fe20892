import { randomUUID } from 'node:crypto';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { clientOf, until } from './client.ts';
import { clicksOf, makeLink } from './links.ts';
import type { Right } from './weakened-assembly.ts';

/** A right, and a journey that needs it. */
export interface Row extends Right {
  /** Resolves to the problem, or `undefined` on success. */
  readonly journey: (cloud: CloudVisit) => Promise<string | undefined>;
}

const request =
  (expected: number, method: string, path: string, body?: unknown): Row['journey'] =>
  async (cloud) => {
    const answer = await clientOf(cloud, cloud.demo).request(method, path, body);
    return answer.status === expected ? undefined : answer.text;
  };

const createPost = async (cloud: CloudVisit, changes: object) => {
  const client = clientOf(cloud, cloud.demo);
  return client.createPost({
    content: 'a post',
    mediaItems: [{ type: 'image', url: await client.upload('image.jpg') }],
    platforms: [{ accountId: client.accountId('instagram') }],
    ...changes,
  });
};

/** A post without files, for a cloud in which `complete-upload` lacks a right. */
const createText = (cloud: CloudVisit, changes: object) =>
  createPost(cloud, {
    mediaItems: [],
    platforms: [{ accountId: clientOf(cloud, cloud.demo).accountId('threads') }],
    ...changes,
  });

/** Changes a new post. */
const changePost =
  (method: string, body?: unknown): Row['journey'] =>
  async (cloud) => {
    const { id } = await createPost(cloud, { isDraft: true });
    return request(200, method, `/v1/posts/${id}`, body)(cloud);
  };

/** Waits until a function has done its work or logged an error. @returns the error's log line */
async function workedOrFailed(
  cloud: CloudVisit,
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
async function followLink(cloud: CloudVisit): Promise<string | undefined> {
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

async function hasSchedule(cloud: CloudVisit, postId: string): Promise<boolean> {
  const { awsEndpoint: endpoint, administrator: credentials, model } = cloud;
  const scheduler = new SchedulerClient({ region: model.region, endpoint, credentials });
  const { Schedules = [] } = await scheduler.send(
    new ListSchedulesCommand({
      GroupName: model.scheduleGroups[0]?.name,
      NamePrefix: postId.replaceAll('-', ''),
    }),
  );
  scheduler.destroy();
  return Schedules.length > 0;
}

/** Each list is tested on one local cloud that lacks all of its rights, so no row may depend on another row's right. */
export const variants: readonly (readonly Row[])[] = [
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
        const { id } = await createText(cloud, { publishNow: true });
        const read = () => clientOf(cloud, cloud.demo).readPost(id);
        return workedOrFailed(cloud, 'publish-target', async () => (await read()).status === 'published');
      },
    },
    {
      function: 'complete-upload',
      action: 'dynamodb:UpdateItem',
      journey: async (cloud) => {
        // The id is the last folder of the address.
        const mediaId = (await clientOf(cloud, cloud.demo).upload('image.jpg')).split('/').at(-2) ?? '';
        const isNoted = async () =>
          cloud.functionLines.some((line) => line.includes('"outcome":"ready"') && line.includes(mediaId));
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
      function: 'keep-schedules',
      action: 'iam:PassRole',
      journey: async (cloud) => {
        const scheduledFor = new Date(cloud.clock.now() + 600_000).toISOString();
        const { id } = await createText(cloud, { scheduledFor });
        return workedOrFailed(cloud, 'keep-schedules', () => hasSchedule(cloud, id));
      },
    },
  ],
];
