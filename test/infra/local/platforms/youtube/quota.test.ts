import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, connect, control, hour, openBench, readBody } from './support.ts';
import { metadata, startUpload, uploadVideo } from './upload-client.ts';

let bench: Bench;
let token: string;
beforeEach(async () => {
  bench = await openBench();
  token = (await connect(bench)).access_token;
});
afterEach(() => bench.close());

describe('the quota', () => {
  it('has 100 starts of a session a day, counted with bad metadata too, until midnight in California', async () => {
    for (let started = 0; started < 50; started += 1) {
      expect((await startUpload(bench, token)).status).toBe(200);
      expect((await startUpload(bench, token, { body: {} })).status).toBe(400);
    }
    const refused = await startUpload(bench, token);
    expect(await readBody(refused)).toMatchObject({
      error: { code: 403, errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] },
    });
    bench.clock.time += 12 * hour - 1;
    token = (await connect(bench)).access_token;
    expect((await startUpload(bench, token)).status).toBe(403);
    bench.clock.time += 1;
    expect((await startUpload(bench, token)).status).toBe(200);
  });

  it('can be raised, and outlives a restart', async () => {
    await control(bench, 'PUT', 'limits', { 'videos.insert': 1 });
    expect((await startUpload(bench, token)).status).toBe(200);
    await bench.restart();
    expect((await startUpload(bench, token)).status).toBe(403);
    await control(bench, 'PUT', 'limits', { 'videos.insert': 2 });
    expect((await startUpload(bench, token)).status).toBe(200);
  });

  it('is not drawn on by chunks', async () => {
    await control(bench, 'PUT', 'limits', { 'videos.insert': 1, queries: 0 });
    expect(await uploadVideo(bench, token, { body: metadata })).toHaveProperty('id');
  });
});
