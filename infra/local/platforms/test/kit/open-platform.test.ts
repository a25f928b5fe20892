import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { facebook } from '../../facebook/facebook.ts';
import { instagram } from '../../instagram/instagram.ts';
import type { LivePost } from '../../kit/live-post.ts';
import type { OpenPlatformOptions } from '../../kit/open-platform.ts';
import { linkedin } from '../../linkedin/linkedin.ts';
import { pinterest } from '../../pinterest/pinterest.ts';
import { threads } from '../../threads/threads.ts';
import { tiktok } from '../../tiktok/tiktok.ts';
import { youtube } from '../../youtube/youtube.ts';
import {
  app,
  loginToThreads,
  type Opened,
  openInMemory,
  seededBytes,
  type TestClock,
  testClock,
  users,
} from './open-platform-support.ts';

const simulators = [
  facebook({ app, users }),
  instagram({ app, users }),
  linkedin({ app, organizationApp: { ...app, id: '990011225566' }, users }),
  pinterest({ app, users }),
  threads({ app, users }),
  tiktok({ app, users }),
  youtube({ app, users }),
];

let clock: TestClock;
let platform: Opened;
let token: string;
let live: { readonly post: LivePost; readonly atMs: number }[];

async function open(options: Partial<OpenPlatformOptions> = {}): Promise<void> {
  live = [];
  platform = openInMemory(threads({ app, users }), {
    clock,
    onLive: (post, atMs) => live.push({ post, atMs }),
    ...options,
  });
  token = await loginToThreads(platform);
}

beforeEach(async () => {
  clock = testClock();
  await open();
});
afterEach(() => platform.stop());

const root = '/graph.threads.net/v1.0';

async function create(text: string): Promise<string> {
  const form = { access_token: token, media_type: 'TEXT', text };
  return (await platform.call('POST', `${root}/me/threads`, { form })).body.id;
}

const publish = (creation_id: string) =>
  platform.send('POST', `${root}/me/threads_publish`, { form: { access_token: token, creation_id } });

/** Creates a container whose processing has ended. */
async function ready(text: string): Promise<string> {
  const id = await create(text);
  clock.time += 1000;
  return id;
}

const statusOf = async (id: string) =>
  (await platform.call('GET', `${root}/${id}?fields=status&access_token=${token}`)).body['status'];

const texts = (posts: readonly LivePost[]) => posts.map(({ content }) => content);

const planFault = (fault: string) => platform.control('POST', 'faults', { match: 'threads_publish', fault });

describe('a platform without a server', () => {
  it('publishes a post and shows it, without a control call', async () => {
    const answer = await publish(await ready('one'));
    expect(answer).toMatchObject({ kind: 'answer', answer: { status: 200 } });
    expect(platform.posts()).toMatchObject([{ content: 'one', publishedAt: clock.time }]);
    expect(platform.requests().at(-1)).toMatchObject({ operation: 'threads_publish', status: 200 });
  });

  it('serves the control address', async () => {
    await platform.control('PUT', 'settings', { processingSeconds: 60 });
    const id = await ready('one');
    expect(await statusOf(id)).toBe('IN_PROGRESS');
    clock.time += 59_000;
    expect(await statusOf(id)).toBe('FINISHED');
    expect((await platform.call('GET', '/_control/nothing')).status).toBe(404);
  });

  it('accepts a body in pieces', async () => {
    const form = String(new URLSearchParams({ access_token: token, media_type: 'TEXT', text: 'one' }));
    async function* pieces() {
      yield Buffer.from(form.slice(0, 30));
      yield Buffer.from(form.slice(30));
    }
    const served = await platform.serve({
      method: 'POST',
      target: `${root}/me/threads`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: pieces(),
    });
    expect(served).toMatchObject({ kind: 'answer', answer: { status: 200 } });
  });

  it('refuses unknown paths and wrong tokens as over HTTP', async () => {
    expect((await platform.call('GET', `${root}/1/2/3/4`)).body['error']).toMatchObject({ code: 2500 });
    const wrong = await platform.call('GET', `${root}/me?access_token=wrong`);
    expect([wrong.status, wrong.body['error']]).toMatchObject([400, { code: 190 }]);
  });

  it.each(simulators)('opens $name and stops it, and leaves nothing open', async (simulator) => {
    const before = process.getActiveResourcesInfo().length;
    const opened = openInMemory(simulator, { clock });
    await opened.idle();
    expect(opened.nextChangeMs()).toBeUndefined();
    await opened.stop();
    expect(process.getActiveResourcesInfo()).toHaveLength(before);
  });
});

describe('what becomes of a faulty call', () => {
  it.each([
    { fault: 'drop-reply', kind: 'closed', posts: ['one'] },
    { fault: 'drop-request', kind: 'closed', posts: [] },
    { fault: 'timeout', kind: 'silent', posts: [] },
    { fault: 'timeout-after', kind: 'silent', posts: ['one'] },
    { fault: 'huge-body', kind: 'endless', posts: [] },
    { fault: 'error:190', kind: 'answer', posts: [] },
  ])('$fault: $kind', async ({ fault, kind, posts }) => {
    const id = await ready('one');
    await planFault(fault);
    expect((await publish(id)).kind).toBe(kind);
    expect(texts(platform.posts())).toEqual(posts);
  });

  it('a held call is carried out at its time, at the latest by the next settle', async () => {
    const id = await ready('one');
    const sentMs = clock.time;
    await planFault('hold:20');
    expect((await publish(id)).kind).toBe('closed');
    expect(platform.nextChangeMs()).toBe(sentMs + 20_000);
    clock.time = sentMs + 60_000;
    await platform.settle();
    expect(live).toMatchObject([{ post: { publishedAt: sentMs + 20_000 }, atMs: sentMs + 20_000 }]);
    expect(platform.nextChangeMs()).toBeUndefined();
  });

  it('a slow call is answered once its time has come', async () => {
    const id = await ready('one');
    await planFault('slow:20');
    const answer = publish(id);
    // The call has arrived once everything that was queued has run.
    await new Promise(setImmediate);
    clock.time += 20_000;
    await platform.settle();
    expect(await answer).toMatchObject({ kind: 'answer', answer: { status: 200 } });
  });
});

describe('onLive', () => {
  it('is called once per post, when the post can be read', async () => {
    await platform.stop();
    const seen: string[][] = [];
    await open({ onLive: () => seen.push(texts(platform.posts())) });
    await publish(await ready('one'));
    await publish(await ready('two'));
    expect(seen).toEqual([['one'], ['one', 'two']]);
  });

  it('is not called for a refused call', async () => {
    await publish('24000000000000000');
    expect(live).toEqual([]);
  });
});

describe('random ids and secrets', () => {
  async function answers(seed: string): Promise<string> {
    await platform.stop();
    clock = testClock();
    await open({ randomBytes: seededBytes(seed) });
    const refused = await platform.call('GET', `${root}/1/2/3/4`);
    const published = await publish(await ready('one'));
    return JSON.stringify([token, refused.body, published, platform.posts()]);
  }

  it('depend only on the random bytes', async () => {
    const first = await answers('1');
    expect(await answers('1')).toBe(first);
    expect(await answers('2')).not.toBe(first);
  });
});

describe('the lag of reads', () => {
  it('is drawn for each read, and changes no answer of a write', async () => {
    await platform.stop();
    const lags = [5_000, 0, 2_000, 5_000];
    await open({ lagMs: { state: () => 0, list: () => lags.shift() ?? 0 } });
    await publish(await ready('one'));
    clock.time += 3_000;
    const list = async () =>
      (await platform.call('GET', `${root}/me/threads?access_token=${token}`)).body['data'];
    expect([await list(), await list(), await list(), await list()]).toMatchObject([[], [{}], [{}], []]);
    expect(texts(platform.posts())).toEqual(['one']);
  });

  it('of one object does not apply to lists', async () => {
    await platform.stop();
    await open({ lagMs: { state: () => 5_000, list: () => 0 } });
    const id = await ready('one');
    clock.time += 1000;
    await publish(id);
    clock.time += 4_500;
    expect(await statusOf(id)).toBe('FINISHED');
    clock.time += 500;
    expect(await statusOf(id)).toBe('PUBLISHED');
  });
});
