import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PlatformAdapter, PublishJob } from '../../lib/platforms/contract/adapter.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { publisherOf } from '../support/publisher.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { type PostKind, postKinds } from './kinds.ts';

const mebibyte = 1_048_576;

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

describe('a preparation', () => {
  it.each(postKinds.map((kind): [string, PostKind] => [kind.title, kind]))(
    'sends a file only in steps that it has announced, and sends no more once it is ready: %s',
    async (_title, { row, changes }) => {
      const { job, steps, lastCallBytes } = await published(row, changes);

      expect(steps.filter(({ bytes, isAnnounced }) => bytes > 0 && !isAnnounced)).toEqual([]);
      expect(fixture?.adapter.sendsFile?.(job) ?? false).toBe(false);
      expect(lastCallBytes).toBeLessThan(10 * mebibyte);
    },
  );

  it.each(postKinds.map((kind): [string, PostKind] => [kind.title, kind]))(
    'is planned for the workers that send files if it sends any: %s',
    async (_title, { row, changes }) => {
      const { steps, first } = await published(row, changes);
      const rules = await rulesFor(row.platform);

      const planned = rules?.sendsFile?.({
        content: first.content,
        media: first.media.map(({ type, contentType, sizeBytes }) => ({ type, contentType, sizeBytes })),
        options: first.options,
      });

      expect(planned ?? false).toBe(steps.some(({ isAnnounced }) => isAnnounced));
    },
  );
});

/** Prepares a post and makes it live, and counts the bytes that were read of its files. */
async function published(row: PostKind['row'], changes: PostKind['changes']) {
  fixture = await openFixture(row, fixtures);
  const { job } = await fixture.publisher(changes);
  let bytes = 0;
  const media = job.media.map((file) => ({
    ...file,
    openRange: (start: number, end: number) => {
      bytes += end - start + 1;
      return file.openRange(start, end);
    },
  }));
  const first: PublishJob = { ...job, media };
  const steps: { readonly isAnnounced: boolean; readonly bytes: number }[] = [];
  const { adapter } = fixture;
  const watched: PlatformAdapter = {
    ...adapter,
    prepare: async (now, tools) => {
      const [isAnnounced, before] = [adapter.sendsFile?.(now) ?? false, bytes];
      const step = await adapter.prepare(now, tools);
      steps.push({ isAnnounced, bytes: bytes - before });
      return step;
    },
  };
  const publisher = publisherOf(watched, first, fixture.tools, fixture.clock, fixture.idle);
  await publisher.prepare();
  const prepared = bytes;
  const prepareAgain = publisher.job;
  await publisher.goLive().catch(() => {});
  return { first, job: prepareAgain, steps, lastCallBytes: bytes - prepared };
}
