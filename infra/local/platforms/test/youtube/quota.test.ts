import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, control, type Fixture, hour, openFixture, readBody } from './support.ts';
import { metadata, startUpload, uploadVideo } from './upload-client.ts';

let fixture: Fixture;
let token: string;
beforeEach(async () => {
  fixture = await openFixture();
  token = (await connect(fixture)).access_token;
});
afterEach(() => fixture.close());

describe('the quota', () => {
  it('allows 100 session starts per day, including those with bad metadata, until midnight in California', async () => {
    for (let started = 0; started < 50; started += 1) {
      expect((await startUpload(fixture, token)).status).toBe(200);
      expect((await startUpload(fixture, token, { body: {} })).status).toBe(400);
    }
    const refused = await startUpload(fixture, token);
    expect(await readBody(refused)).toMatchObject({
      error: {
        code: 429,
        message: expect.stringContaining("limit 'Video Uploads per day'"),
        errors: [{ domain: 'global', reason: 'rateLimitExceeded' }],
      },
    });
    fixture.clock.time += 12 * hour - 1;
    token = (await connect(fixture)).access_token;
    expect((await startUpload(fixture, token)).status).toBe(429);
    fixture.clock.time += 1;
    expect((await startUpload(fixture, token)).status).toBe(200);
  });

  it('can be raised, and survives a restart', async () => {
    await control(fixture, 'PUT', 'limits', { 'videos.insert': 1 });
    expect((await startUpload(fixture, token)).status).toBe(200);
    await fixture.restart();
    expect((await startUpload(fixture, token)).status).toBe(429);
    await control(fixture, 'PUT', 'limits', { 'videos.insert': 2 });
    expect((await startUpload(fixture, token)).status).toBe(200);
  });

  it('is not charged for chunks', async () => {
    await control(fixture, 'PUT', 'limits', { 'videos.insert': 1, queries: 0 });
    expect(await uploadVideo(fixture, token, { body: metadata })).toHaveProperty('id');
  });
});
