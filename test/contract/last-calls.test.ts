import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PlatformHttp, PlatformRequest } from '../../lib/platforms/contract/http.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { publisherOf } from '../support/publisher.ts';
import { type Fixture, type JobChanges, openFixture } from './fixture.ts';
import { type PlatformRow, rowOf, rows } from './rows.ts';

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

const story = { contentType: 'story' };

describe('the last call', () => {
  it.each<[string, PlatformRow, JobChanges]>([
    ...rows.map((row): [string, PlatformRow, JobChanges] => [
      row.as ? `${row.platform} as ${row.as}` : row.platform,
      row,
      {},
    ]),
    ['facebook, a text', rowOf('facebook'), { media: [], options: {} }],
    ['facebook, a video', rowOf('facebook'), { media: ['video.mp4'], options: {} }],
    ['facebook, a reel', rowOf('facebook'), { media: ['video.mp4'], options: { type: 'reel' } }],
    ['facebook, a draft', rowOf('facebook'), { media: ['video.mp4'], options: { draft: true } }],
    ['facebook, a photo story', rowOf('facebook'), { media: ['image.jpg'], options: story }],
    ['facebook, a video story', rowOf('facebook'), { media: ['video.mp4'], options: story }],
    ['tiktok, photos', rowOf('tiktok'), { media: ['image.jpg'] }],
  ])('is one request, to the URL that was named before: %s', async (_title, row, changes) => {
    fixture = await openFixture(row, fixtures);
    const { tools, lastCalls } = recordingLastCalls(fixture);
    const { job } = await fixture.publisher(changes);
    const publisher = publisherOf(fixture.adapter, job, tools, fixture.clock, fixture.idle);
    const { host } = new URL(fixture.adapter.lastCallUrl(job, tools));

    await publisher.prepare();
    expect(lastCalls).toEqual([]);
    const url = fixture.adapter.lastCallUrl(publisher.job, tools);
    await publisher.goLive().catch(() => {});
    expect(lastCalls).toEqual([url]);
    expect(url).not.toContain('?');
    // Before the preparation only the host is known.
    expect(new URL(url).host).toBe(host);
  });
});

function recordingLastCalls({ tools }: Fixture) {
  const lastCalls: (string | undefined)[] = [];
  const send: PlatformHttp['send'] = (request: PlatformRequest) => {
    if (request.isLastCall) lastCalls.push(request.url.split('?')[0]);
    return tools.http.send(request);
  };
  return { tools: { ...tools, http: { ...tools.http, send } }, lastCalls };
}
