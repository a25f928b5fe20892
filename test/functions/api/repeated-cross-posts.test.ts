import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';

let call: Call;
let apiKey: string;
let first: string;
let second: string;
let postId: string;
beforeAll(async () => {
  const api = await openApi();
  call = api.call;
  const { context, apiKey: key } = await openWorkspace(api.table);
  apiKey = key;
  const store = async () => (await storeAccount(api.table, context.workspaceId, { platform: 'linkedin' })).id;
  [first, second] = await Promise.all([store(), store()]);
  const created = await call('createPost', { apiKey, body: body([]) });
  postId = (created.body['post'] as { id: string }).id;
});

const body = (chain: readonly object[]) => ({
  content: 'Hello',
  platforms: [{ accountId: first }],
  chain,
});
const crossPost = (...accountIds: string[]) => ({ kind: 'crossPost', accountIds });

/** The chains, the field that each request must name, and what the message says of it. */
const cases: readonly [what: string, chain: () => object[], field: string, message: string][] = [
  [
    'a destination of the post',
    () => [crossPost(second, first)],
    'chain[0].accountIds[1]',
    'is a destination of the post already',
  ],
  [
    'a destination of the post, named in upper case',
    () => [crossPost(first.toUpperCase())],
    'chain[0].accountIds[0]',
    'is a destination of the post already',
  ],
  [
    'an account of another crossPost',
    () => [crossPost(second), crossPost(second)],
    'chain[1].accountIds[0]',
    'is an account of chain[0] already',
  ],
];

describe.each(cases)('a crossPost to %s', (_what, chain, field, message) => {
  const said = `${field}: ${message}, and would get the same text twice; use a followUp for another text`;

  it.each(['createPost', 'validatePost'])('is refused by %s', async (operationId) => {
    const answer = await call(operationId, { apiKey, body: body(chain()) });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ error: said, code: 'field_duplicate', param: field }),
    ]);
  });

  it('is refused by updatePost', async () => {
    const answer = await call('updatePost', { apiKey, path: { id: postId }, body: { chain: chain() } });
    expect([answer.status, answer.body['error'], answer.body['param']]).toEqual([400, said, field]);
  });

  it.each([false, true])('is refused by createPosts, for its post alone (dryRun: %s)', async (dryRun) => {
    const posts = [body([crossPost(second)]), body(chain())];
    const answer = await call('createPosts', { apiKey, body: { posts, dryRun } });
    expect([answer.status, answer.body['results']]).toEqual([
      200,
      [
        expect.objectContaining({ status: dryRun ? 'valid' : 'created' }),
        expect.objectContaining({
          status: 'invalid',
          postId: null,
          problems: [expect.objectContaining({ field: `posts[1].${field}`, code: 'field_duplicate' })],
        }),
      ],
    ]);
  });
});

it('followUps may go to a destination of the post, and several to one account', async () => {
  const followUp = { kind: 'followUp', accountIds: [first, second], content: 'More' };
  const answer = await call('createPost', {
    apiKey,
    body: body([followUp, crossPost(second), followUp]),
  });
  expect(answer.status, answer.text).toBe(201);
});
