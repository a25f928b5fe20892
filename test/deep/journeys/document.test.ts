import { afterAll, describe, expect, it } from 'vitest';
import { deployedOperations } from '../../../lib/operations.ts';
import { eventCauses, typesReceived } from '../../journeys/document/event-causes.ts';
import { type Fixture, openFixture } from '../../journeys/document/fixture.ts';
import { unknownId } from '../../journeys/document/rows.ts';
import { until } from '../../journeys/support/client.ts';
import { bodiesById } from '../../support/by-id.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let fixture: Fixture;
visitSharedCloud(async (cloud) => {
  fixture = await openFixture(cloud);
});
afterAll(() => fixture.stop());

const unknownPath = {
  id: unknownId,
  deliveryId: unknownId,
  accountId: unknownId,
  boardId: '1',
  platformPostId: '1',
  name: 'unknown',
  state: 'unknown',
  platform: 'threads',
};

describe('refusals match the document', () => {
  const withKey = deployedOperations.filter(({ access }) => access === 'key');
  it.each(withKey.map(({ id }) => id))('%s without a key', async (id) => {
    await fixture.asking(id)(401, { apiKey: '', path: unknownPath });
  });

  const byId = withKey.filter(({ path }) => path.includes('{id}'));
  it.each(byId.map(({ id, method }) => [id, method] as const))(
    '%s with an unknown id',
    async (id, method) => {
      const body = bodiesById[id] ?? {};
      await fixture.asking(id)(404, { path: unknownPath, ...(/P(OST|UT|ATCH)/.test(method) && { body }) });
    },
  );

  it.each(withKey.map(({ id }) => id))('%s with a parameter twice', async (id) => {
    await fixture.asking(id)(400, { path: unknownPath, query: 'x=1&x=2' });
  });
});

describe('webhook events match the document', () => {
  it.each(Object.entries(eventCauses))('%s', async (type, cause) => {
    await cause(fixture);
    await until(
      () => typesReceived(fixture),
      (types) => types.includes(type),
    );
    for (const { headers, body } of fixture.receiver.received) {
      if (JSON.parse(body.toString()).type !== type) continue;
      expect(fixture.document.problemsOfEvent({ headers, body: body.toString() }), body.toString()).toEqual(
        [],
      );
    }
  });
});
