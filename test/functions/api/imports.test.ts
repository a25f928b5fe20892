import { beforeAll, describe, expect, it } from 'vitest';
import { maxOpenImports } from '../../../lib/media/imports/open-import.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';
import { openImportsOf, setOpenImports } from '../../support/open-imports.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

/** A workspace with a draft, in which so many more imports may begin. */
async function openWithFree(free: number) {
  const { apiKey, context } = await openWorkspace(table);
  const { workspaceId } = context;
  const { id: accountId } = await storeAccount(table, workspaceId);
  const draft = await call('createPost', { apiKey, body: { platforms: [{ accountId }] } });
  const { id } = draft.body['post'] as { id: string };
  await setOpenImports(table, workspaceId, maxOpenImports - free);
  return { apiKey, workspaceId, accountId, id };
}
type Opened = Awaited<ReturnType<typeof openWithFree>>;

const mediaItems = [{ url: 'https://files.example.com/a.jpg' }];
const requests: readonly [
  operationId: string,
  status: number,
  parts: (opened: Opened) => object,
  param: string,
][] = [
  ['importMedia', 202, () => ({ body: mediaItems[0] }), 'url'],
  [
    'createPost',
    201,
    ({ accountId }) => ({ body: { platforms: [{ accountId }], mediaItems } }),
    'mediaItems[0].url',
  ],
  ['updatePost', 200, ({ id }) => ({ path: { id }, body: { mediaItems } }), 'mediaItems[0].url'],
];

describe.each(requests)('%s', (operationId, status, parts, param) => {
  const ask = (opened: Opened) => call(operationId, { apiKey: opened.apiKey, ...parts(opened) });

  it('opens an import of the file that it names', async () => {
    const opened = await openWithFree(1);
    expect((await ask(opened)).status).toBe(status);
    expect(await openImportsOf(table, opened.workspaceId)).toBe(maxOpenImports);
  });

  it('is refused if as many are open as may be, and says when to try again', async () => {
    const opened = await openWithFree(0);
    const answer = await ask(opened);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
    expect(answer.body).toEqual({
      error: `${param}: the workspace has 500 open imports, and may have 500; this request needs 1. Wait until some have ended, then send it again`,
      code: 'too_many_imports',
      param,
      docUrl: 'https://api.example.com/docs/errors/too_many_imports',
    });
    expect(await openImportsOf(table, opened.workspaceId)).toBe(maxOpenImports);
  });
});
