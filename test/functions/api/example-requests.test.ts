import { beforeAll, describe, expect, it } from 'vitest';
import { examples } from '../../../lib/api-contract/openapi/examples/posts.ts';
import { ids } from '../../../lib/api-contract/openapi/examples/things.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';

let call: Call;
let apiKey: string;
/** The workspace of the examples' story, as far as these requests need it. */
beforeAll(async () => {
  const api = await openApi();
  ({ call } = api);
  const opened = await openWorkspace(api.table);
  ({ apiKey } = opened);
  await storeAccount(api.table, opened.context.workspaceId, { id: ids.instagram });
});

const { validatePost, createPost } = examples;

describe('the service answers an example of the document as the document says:', () => {
  const others: Readonly<Record<string, object>> = validatePost.otherResponses[200];

  it.each<[string, object, object | undefined]>([
    ['the prefilled request', validatePost.request, validatePost.responses[200]],
    ...Object.entries(validatePost.otherRequests).map(
      ([title, body]): [string, object, object | undefined] => [title, body, others[title]],
    ),
  ])('validatePost, %s', async (_title, body, response) => {
    expect(await call('validatePost', { apiKey, body })).toMatchObject({ status: 200, body: response });
  });

  it('createPost, the prefilled request', async () => {
    const { post, ...rest } = createPost.responses[201];
    const own = { _id: expect.any(String), id: expect.any(String) };
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const answer = await call('createPost', { apiKey, body: createPost.request });
    expect([answer.status, answer.body]).toEqual([201, { ...rest, post: { ...post, ...own, ...times } }]);
  });
});
