import { describe, expect, it } from 'vitest';
import { generations } from '../contract/clients/agents.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { until } from './support/client.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

const accountOf = (platform: string) => cloud.demo.accounts.find((each) => each.platform === platform)?.id;

describe.each(generations)('$name, under the deployed policies', ({ connect }) => {
  it.each(['/mcp', '/api/mcp'])('lists, calls and gets errors at %s', async (path) => {
    const agent = await connect({ url: `${cloud.apiUrl}${path}`, apiKey: cloud.demo.apiKey });
    expect(await agent.tools()).toHaveLength(16);
    const { value } = await agent.call('list_accounts');
    expect((value['accounts'] as { id: string }[]).map(({ id }) => id).sort()).toEqual(
      cloud.demo.accounts.map(({ id }) => id).sort(),
    );
    expect(await agent.call('describe_account', { accountId: cloud.other.accounts[0]?.id })).toMatchObject({
      isError: true,
      value: { code: 'not_found' },
    });
    await agent.close();
  });
});

it('an agent learns what each account accepts, also from its platform', async () => {
  const [generation] = generations;
  const agent = await generation?.connect({ url: `${cloud.apiUrl}/mcp`, apiKey: cloud.demo.apiKey });
  for (const { id, platform } of cloud.demo.accounts) {
    const described = await agent?.call('describe_account', { accountId: id });
    expect(described).toMatchObject({ isError: false, value: { platform, status: 'ok' } });
    expect(described?.value).not.toHaveProperty('missing');
  }
});

it('an agent publishes a post once, and reads its link', async () => {
  const agent = await generations[1]?.connect({ url: `${cloud.apiUrl}/mcp`, apiKey: cloud.demo.apiKey });
  const post = {
    content: 'Hello from an agent',
    destinations: [{ accountId: accountOf('threads') }],
    when: 'now',
    idempotencyKey: 'agents.test',
  };
  const created = await Promise.all([1, 2, 3].map(() => agent?.call('create_post', post)));
  const [postId, ...others] = [...new Set(created.map((each) => each?.value['id']))];
  expect(others).toEqual([]);
  const live = await until(
    async () => (await agent?.call('get_post', { postId, timeline: true }))?.value,
    (value) => value?.['status'] === 'published',
  );
  expect(live).toMatchObject({
    destinations: [{ status: 'published', link: expect.stringContaining('http') }],
    timeline: expect.arrayContaining([expect.objectContaining({ event: 'published' })]),
  });
});

it('other methods are refused without a session, and nothing is answered without a key', async () => {
  const url = `${cloud.apiUrl}/mcp`;
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await fetch(url, { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  }
  const answer = await fetch(url, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer .*resource_metadata="http.*\/\.well-known\/oauth-protected-resource\/mcp"$/,
  );
});
