import { afterAll, describe, expect, it } from 'vitest';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { accountRows } from './document/account-rows.ts';
import { eventCauses } from './document/event-causes.ts';
import { type Fixture, openFixture } from './document/fixture.ts';
import { postRows } from './document/post-rows.ts';
import { publicRows } from './document/public-rows.ts';

const rows = { ...accountRows, ...postRows, ...publicRows };

let fixture: Fixture;
visitSharedCloud(async (cloud) => {
  fixture = await openFixture(cloud);
});
afterAll(() => fixture.stop());

it('the rows cover exactly the operations of the document', () => {
  expect(Object.keys(rows).sort()).toEqual([...fixture.document.operationIds].sort());
});

it('the causes cover exactly the events of the document', () => {
  expect(Object.keys(eventCauses).sort()).toEqual([...fixture.document.eventTypes].sort());
});

describe('a response is found to differ from the document', () => {
  const body = (change: object) => async () => {
    const { status, headers, text } = await fixture.asking('getWorkspace')(200);
    const { workspace } = JSON.parse(text) as { workspace: object };
    return { status, headers, text: JSON.stringify({ workspace: { ...workspace, ...change } }) };
  };
  const headers = (change: (headers: Headers) => void) => async () => {
    const answer = await fixture.asking('getWorkspace')(200);
    const changed = new Headers(answer.headers);
    change(changed);
    return { ...answer, headers: changed };
  };
  it.each([
    ['with an undocumented field', body({ secret: 'x' })],
    ['without a required field', body({ name: undefined })],
    ['with a field of another type', body({ storage: { usedBytes: '1', quotaBytes: 2 } })],
    ['with an invalid id', body({ id: 'x' })],
    ['without a header', headers((given) => given.delete('x-ratelimit-reset'))],
    ['as text', headers((given) => given.set('content-type', 'text/plain'))],
    [
      'with an undocumented status',
      async () => ({ ...(await fixture.asking('getWorkspace')(200)), status: 418 }),
    ],
  ])('%s', async (_what, answer) => {
    expect(fixture.document.problemsOfAnswer('getWorkspace', await answer())).toHaveLength(1);
  });
});

describe('requests and responses match the document', () => {
  it.each(Object.entries(rows))('%s', async (operationId, row) => {
    await row(fixture.asking(operationId), fixture);
  });
});
