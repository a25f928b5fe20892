import { expect, it } from 'vitest';
import built from '../../functions/api/openapi.built.ts';
import { serversAt } from '../../lib/api-contract/openapi/servers.ts';

type Document = Record<string, unknown>;

const document: Document = { ...built, servers: serversAt('https://api.herald.dev') };

/** Says what is wrong with a document: errors and warnings, with the linter's default rules. */
export type Lint = (document: Document) => Promise<string[]>;

/** Declares the tests of the document with one linter. */
export function testWithLinter(lint: Lint): void {
  it('finds nothing in the document', async () => {
    expect(await lint(document)).toEqual([]);
  });

  it('finds what is missing in a document without descriptions of its tags and operations', async () => {
    const read = { operationId: 'getPost', responses: {} };
    const bare = {
      ...document,
      tags: [{ name: 'Posts' }],
      paths: { '/v1/posts': { get: read } },
      webhooks: {},
    };
    expect((await lint(bare)).length).toBeGreaterThan(1);
  });
}
