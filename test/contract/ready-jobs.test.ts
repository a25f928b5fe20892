import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

describe('a job that its adapter calls ready', () => {
  it.each<[string, Parameters<typeof rowOf>[0], JobChanges, 'at once' | 'after its preparation' | 'never']>([
    ['a text on Facebook', 'facebook', text, 'at once'],
    ['a photo on Facebook', 'facebook', photo, 'after its preparation'],
    ['a video on Facebook', 'facebook', video, 'after its preparation'],
    ['a reel on Facebook', 'facebook', { ...video, options: { type: 'reel' } }, 'never'],
    ['a text on LinkedIn', 'linkedin', text, 'at once'],
    ['an image on LinkedIn', 'linkedin', photo, 'after its preparation'],
    ['a text on Threads', 'threads', text, 'after its preparation'],
    ['an image on Instagram', 'instagram', photo, 'after its preparation'],
    ['photos on TikTok', 'tiktok', { media: ['image.jpg'] }, 'after its preparation'],
    ['a video on TikTok', 'tiktok', { media: ['video.mp4'] }, 'never'],
    ['a video on YouTube', 'youtube', { media: ['video.mp4'] }, 'never'],
  ])('needs no preparation: %s', async (_title, platform, changes, expected) => {
    fixture = await openFixture(rowOf(platform), fixtures);
    const { adapter, tools, clock } = fixture;
    const { job } = await fixture.publisher(changes);
    expect(adapter.isReady(job, clock.now())).toBe(expected === 'at once');
    const publisher = publisherOf(adapter, job, tools, clock, fixture.idle);
    await publisher.prepare();
    const prepared = publisher.job;
    expect(adapter.isReady(prepared, clock.now())).toBe(expected !== 'never');
    const step = await adapter.prepare(prepared, tools);
    expect(step.state).toBe('ready');
    expect(adapter.tokenOf({ ...prepared, preparation: step.preparation })).toEqual(
      adapter.tokenOf(prepared),
    );
  });

  it.each(['threads', 'instagram'] as const)(
    'is ready for ten minutes, and not if a container was lost before: %s',
    async (platform) => {
      fixture = await openFixture(rowOf(platform), fixtures);
      const { adapter, tools, clock } = fixture;
      const { job } = await fixture.publisher(photo);
      const publisher = publisherOf(adapter, job, tools, clock, fixture.idle);
      await publisher.prepare();
      const { job: prepared } = publisher;
      expect(adapter.isReady(prepared, clock.now() + 11 * 60_000)).toBe(false);
      const renewed = { ...prepared, preparation: { ...prepared.preparation, renewals: 1 } };
      expect(adapter.isReady(renewed, clock.now())).toBe(false);
    },
  );
});
