import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lastCallOf } from '../../lib/at-most-once/call-records.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { type PostKind, postKinds } from './kinds.ts';

let fixtures: FixtureServer;
let fixture: Fixture | undefined;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});
afterAll(() => fixtures.close());

const cases = postKinds.map((kind) => [kind.title, kind] as const);
const reads = ({ row, title }: PostKind) =>
  ['facebook', 'instagram', 'threads'].includes(row.platform) && !/^facebook: .* story$/.test(title);

describe('a post whose adapter says that finishing only reads', () => {
  it.each(cases.filter(([, kind]) => reads(kind)))(
    'is finished without a change: %s',
    async (_title, { row, changes: job }) => {
      fixture = await openFixture(row, fixtures);
      const { adapter, exchanges, tools } = fixture;
      const publisher = await fixture.publisher(job);
      expect(adapter.finishesByReading?.(publisher.job)).toBe(true);
      await publisher.prepare();
      const live = await publisher.goLive().catch(async () => {
        const ended = await publisher.resume();
        if (ended.state !== 'live') throw new Error('the post is not live');
        return ended.post;
      });
      const before = exchanges.length;
      const note = () => Promise.reject(new Error('noted'));
      const call = lastCallOf(publisher.calls, async () => false);
      await adapter.finish({ ...publisher.job, call, live, note }, tools);
      const changes = exchanges.slice(before).filter(({ method }) => method !== 'GET');
      expect(changes).toEqual([]);
    },
  );

  it.each(['facebook', 'instagram', 'threads'])('has no first comment: %s', async (platform) => {
    const [, kind] = cases.find(([, { row }]) => row.platform === platform) ?? [];
    if (!kind) throw new Error(`no kind of ${platform}`);
    fixture = await openFixture(kind.row, fixtures);
    const options = { ...kind.changes.options, firstComment: 'First!' };
    const { job } = await fixture.publisher({ ...kind.changes, options });
    expect(fixture.adapter.finishesByReading?.(job)).toBe(false);
  });
});

it.each(cases.filter(([, kind]) => !reads(kind)))(
  'an adapter says nothing of a post that it may change, or has to wait for: %s',
  async (_title, { row, changes }) => {
    fixture = await openFixture(row, fixtures);
    const { job } = await fixture.publisher(changes);
    expect(fixture.adapter.finishesByReading?.(job) ?? false).toBe(false);
  },
);
