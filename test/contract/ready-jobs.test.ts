import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PublishJob } from '../../lib/platforms/contract/adapter.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { publisherOf } from '../support/publisher.ts';
import { type Fixture, type JobChanges, openFixture } from './fixture.ts';
import { rowOf } from './rows.ts';

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

const text: JobChanges = { media: [], options: {} };
const photo: JobChanges = { media: ['image.jpg'], options: {} };
const video: JobChanges = { media: ['video.mp4'], options: {} };

describe('preparing a job once more', () => {
  it.each<[string, Parameters<typeof rowOf>[0], JobChanges]>([
    ['a text on Facebook', 'facebook', text],
    ['a photo on Facebook', 'facebook', photo],
    ['a video on Facebook', 'facebook', video],
    ['a text on LinkedIn', 'linkedin', text],
    ['an image on LinkedIn', 'linkedin', photo],
    ['a text on Threads', 'threads', text],
    ['an image on Instagram', 'instagram', photo],
    ['photos on TikTok', 'tiktok', { media: ['image.jpg'] }],
    ['an image on Pinterest', 'pinterest', photo],
  ])('asks nothing and changes nothing: %s', async (_title, platform, changes) => {
    fixture = await openFixture(rowOf(platform), fixtures);
    const { adapter, tools, clock } = fixture;
    const { job } = await fixture.publisher(changes);
    const publisher = publisherOf(adapter, job, tools, clock, fixture.idle);
    await publisher.prepare();
    const { job: prepared } = publisher;
    const send = () => Promise.reject(new Error('the platform was asked'));
    const step = await adapter.prepare(prepared, { ...tools, http: { ...tools.http, send } });
    expect(step.state).toBe('ready');
    expect(adapter.tokenOf({ ...prepared, preparation: step.preparation })).toEqual(
      adapter.tokenOf(prepared),
    );
  });

  it.each<[string, (prepared: PublishJob) => PublishJob, number]>([
    ['more than ten minutes have passed', (prepared) => prepared, 11 * 60_000],
    [
      'a container was lost before',
      (prepared) => ({ ...prepared, preparation: { ...prepared.preparation, renewals: 1 } }),
      0,
    ],
    ['a call was made before', (prepared) => ({ ...prepared, hasEarlierCall: true }), 0],
  ])('asks for the state of its container if %s', async (_title, changed, laterMs) => {
    for (const platform of ['threads', 'instagram'] as const) {
      fixture = await openFixture(rowOf(platform), fixtures);
      const { adapter, tools, clock } = fixture;
      const { job } = await fixture.publisher(photo);
      const publisher = publisherOf(adapter, job, tools, clock, fixture.idle);
      await publisher.prepare();
      let asked = 0;
      const send: typeof tools.http.send = async (request) => {
        asked += 1;
        return tools.http.send(request);
      };
      const now = () => clock.now() + laterMs;
      await adapter.prepare(changed(publisher.job), { ...tools, now, http: { ...tools.http, send } });
      expect(asked).toBe(1);
      await fixture.close();
      fixture = undefined;
    }
  });
});
