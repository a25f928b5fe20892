import { describe, expect, it } from 'vitest';
import { findListed } from '../../../../lib/platforms/shared/find-listed.ts';

interface Post {
  readonly id: string;
  readonly at?: number;
}

const sinceMs = Date.UTC(2026, 10, 20, 20);
const secondsLater = (id: string, seconds: number): Post => ({ id, at: sinceMs + seconds * 1_000 });

async function find(pages: readonly (readonly Post[])[], taken: readonly string[] = []) {
  let pagesRead = 0;
  async function* read() {
    for (const page of pages) {
      pagesRead += 1;
      yield page;
    }
  }
  const isTaken = async (id: string) => taken.includes(id);
  const recognition = {
    idOf: ({ id }: Post) => id,
    createdMs: ({ at }: Post) => at,
    likeness: ({ id }: Post) => (id === 'media' ? 'media' : id === 'other' ? undefined : 'text'),
  } as const;
  const found = await findListed(read(), { sinceMs, isTaken }, recognition);
  return { id: found?.id, pagesRead };
}

describe('the post of a call', () => {
  it.each<[string, Post[], string | undefined]>([
    ['is the first one after it', [secondsLater('copy', 60), secondsLater('ours', 1)], 'ours'],
    ['is not one that was made just before', [secondsLater('ours', 1), secondsLater('copy', -20)], 'ours'],
    [
      'may have a time that is rounded to the second',
      [secondsLater('copy', 60), secondsLater('ours', -1)],
      'ours',
    ],
    [
      'may have a time of a clock that is slow',
      [secondsLater('ours', -20), secondsLater('copy', -25)],
      'ours',
    ],
    ['is not older than the tolerance', [secondsLater('copy', -31)], undefined],
    [
      'has the call’s media, whatever else has its text',
      [secondsLater('media', 9), secondsLater('copy', 1)],
      'media',
    ],
    ['has a time', [{ id: 'copy' }, { id: 'copy', at: Number.NaN }], undefined],
  ])('%s', async (_name, page, id) => {
    expect((await find([page])).id).toBe(id);
  });

  it('is not one that another target has claimed', async () => {
    const page = [secondsLater('ours', 3), secondsLater('claimed', 1)];
    expect((await find([page], ['claimed'])).id).toBe('ours');
  });

  it('is found if pages repeat entries, and one page is empty', async () => {
    const pages = [[secondsLater('other', 5)], [], [secondsLater('other', 5), secondsLater('ours', 1)]];
    expect((await find(pages)).id).toBe('ours');
  });

  it('is searched no further than the first page that is older than the call', async () => {
    const pages = [[secondsLater('other', 5)], [secondsLater('other', -99)], [secondsLater('ours', 1)]];
    expect(await find(pages)).toEqual({ id: undefined, pagesRead: 2 });
  });
});
