import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Json } from '../../../../../lib/kernel/json.ts';
import type { Parameters } from '../../../../../lib/platforms/contract/http.ts';
import { graphPages } from '../../../../../lib/platforms/shared/meta/pages.ts';

async function read(pages: readonly Json[]) {
  const asked: Parameters[] = [];
  const items: unknown[] = [];
  const respond = async (page: Parameters) => {
    const json = pages[asked.length] ?? { data: [] };
    asked.push(page);
    return { status: 200, headers: {}, text: '{}', json, call: 'GET x' };
  };
  for await (const page of graphPages(z.object({ id: z.string() }), respond)) {
    items.push(page.map(({ id }) => id));
  }
  return { asked, items };
}
const next = (query: string) => ({ next: `https://graph.example/v1.0/1/media?${query}` });

it.each<[string, readonly Json[], Parameters[], string[][]]>([
  ['a list of one page', [{ data: [{ id: 'a' }] }], [{}], [['a']]],
  [
    'a list with cursors, without repeating the token',
    [
      { data: [{ id: 'a' }], paging: { cursors: { after: 'x' }, ...next('access_token=t&after=x&limit=1') } },
      { data: [{ id: 'b' }], paging: { cursors: { after: 'y' } } },
    ],
    [{}, { after: 'x', limit: '1' }],
    [['a'], ['b']],
  ],
  [
    'a list that is paged by time',
    [{ data: [{ id: 'a' }], paging: next('until=7') }, { data: [{ id: 'b' }] }],
    [{}, { until: '7' }],
    [['a'], ['b']],
  ],
  [
    'an empty page in the middle',
    [{ data: [], paging: next('after=x') }, { data: [{ id: 'b' }] }],
    [{}, { after: 'x' }],
    [[], ['b']],
  ],
  ['a link that cannot be followed', [{ data: [{ id: 'a' }], paging: { next: 'x' } }], [{}], [['a']]],
])('reads %s', async (_name, pages, asked, items) => {
  expect(await read(pages)).toEqual({ asked, items });
});

it('fails with an unknown outcome if a page is not as documented', async () => {
  await expect(read([{ items: [] }])).rejects.toMatchObject({ remedy: 'unknown' });
});
