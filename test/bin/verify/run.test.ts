import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announcedHttp, isAnnounced, UnannouncedRequestError } from '../../../bin/verify/announced-http.ts';
import { redacting, reportName } from '../../../bin/verify/report.ts';
import { exitCodeOf } from '../../../bin/verify/run.ts';
import type { PlatformVerification } from '../../../bin/verify/verification.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { PlatformHttp } from '../../../lib/platforms/contract/http.ts';
import { rowOf, rows } from '../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import {
  claimsWith,
  expectRemovedAfterStop,
  removableRows,
  runChecks,
  runQuoting,
  shown,
} from './support.ts';

let fixtures: FixtureServer;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

describe('a run', () => {
  it('looks for a post again if a list is refused once', async () => {
    const ran = await runChecks(rowOf('threads'), fixtures, { faults: [['threads_list', 'error:10']] });
    const { verdict, seen } =
      ran.outcome.results.find(({ claim }) => claim.id === 'threads-post-listed') ?? {};
    expect({ verdict, seen }).toEqual({
      verdict: 'confirmed',
      seen: expect.stringMatching(/^the post after [23] seconds/),
    });
    await ran.fixture.close();
  });

  it.each(['HTTP 500', 'timeout'])(
    'leaves a claim open, and says that a second post may exist, if the second call has no answer (%s)',
    async (fault) => {
      let sent = 0;
      const wrapHttp = (http: PlatformHttp): PlatformHttp => ({
        ...http,
        async send(request) {
          const isFeed = request.method === 'POST' && request.url.endsWith('/feed');
          if (isFeed) sent += 1;
          // The first is a draft.
          if (!isFeed || sent !== 3) return http.send(request);
          if (fault === 'timeout') throw new PlatformError('unknown', 'no response');
          throw new PlatformError('unknown', 'a failure', { status: 500 });
        },
      });
      const ran = await runChecks(rowOf('facebook'), fixtures, { wrapHttp });
      expect(claimsWith(ran, 'not checked')).toContain('facebook-same-text-refused');
      expect(claimsWith(ran, 'refuted')).toEqual([]);
      expect(ran.outcome.left.map(({ title }) => title)).toEqual([expect.stringMatching(/^a second post /)]);
      expect(await ran.fixture.posts()).toEqual([]);
      await ran.fixture.close();
    },
  );

  it('goes on with the next step after a failed one, ends with exit code 2, and quotes the platform', async () => {
    const ran = await runChecks(rowOf('linkedin', 'member'), fixtures, {
      faults: [['userinfo', 'error:ACCESS_DENIED']],
    });
    expect(ran.outcome.failures).toEqual([
      { step: 'Read the member.', message: expect.stringContaining('ACCESS_DENIED') },
    ]);
    expect(claimsWith(ran, 'confirmed')).toContain('linkedin-same-text-refused');
    expect(exitCodeOf(ran.outcome)).toBe(2);
    expect(ran.report).toContain('## Steps that failed');
    await ran.fixture.close();
  });

  it.each([
    ['facebook', 'videos.finish'],
    ['threads', 'threads_publish'],
    ['youtube', 'videos.insert'],
    ['pinterest', 'pins.create'],
  ] as const)('%s: finds and removes a post whose response was lost', async (platform, match) => {
    const ran = await runChecks(rowOf(platform), fixtures, { faults: [[match, 'drop-reply']] });
    expect(ran.outcome.left).toEqual([]);
    expect(await ran.fixture.posts()).toEqual([]);
    await ran.fixture.close();
  });

  it('lists a post first that may exist, if its response was lost and no app can look it up', async () => {
    const ran = await runChecks(rowOf('linkedin', 'member'), fixtures, {
      faults: [['posts.create', 'drop-reply']],
    });
    expect(ran.fixture.clock.time).toBeLessThan(Date.UTC(2026, 10, 20, 20, 2));
    expect(ran.outcome.left.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^It may exist: /)]);
    const [, second = ''] = ran.report.split('\n## ');
    expect(second).toMatch(/^Still to be deleted by hand\n\n- the post “Herald check m4rk/);
    await ran.fixture.close();
  });

  it.each(['threads', 'youtube'] as const)(
    '%s: says first what to delete by hand if the token may not delete',
    async (platform) => {
      const ran = await runChecks(rowOf(platform), fixtures, { mayDelete: false });
      // Nobody else sees private videos.
      const list = platform === 'youtube' ? 'videos' : 'posts';
      const made = (await ran.fixture.control(list)) as unknown as { id: string }[];
      expect(ran.outcome.left.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
      expect(ran.report.split('\n## ')[1]).toMatch(/^Still to be deleted by hand/);
      expect(exitCodeOf(ran.outcome)).toBe(0);
      await ran.fixture.close();
    },
  );

  it('tries a removal again if the platform fails for a moment', async () => {
    const ran = await runChecks(rowOf('facebook'), fixtures, { faults: [['object_delete', 'error:500']] });
    expect(ran.outcome.left).toEqual([]);
    await ran.fixture.close();
  });

  it.each(removableRows)(
    '$platform ($as): removes what it made and makes nothing new if a person stops it in the middle',
    async (row) => {
      const whole = await runChecks(row, fixtures);
      await whole.fixture.close();
      await expectRemovedAfterStop(row, fixtures, Math.floor(whole.lines.length / 2));
    },
  );

  it('leaves every claim open that needs a file that was not given, and says which option to add', async () => {
    const ran = await runChecks(rowOf('youtube'), fixtures, { video: null });
    expect(claimsWith(ran, 'confirmed')).toEqual(['youtube-own-channel']);
    expect(ran.announced.join('\n')).toContain('it needs a file: add --video <URL>');
    expect(ran.requests).toHaveLength(1);
    await ran.fixture.close();
  });
});

describe('what a run shows', () => {
  it.each(rows)('$platform ($as): has no token, even if the platform quotes it in an error', async (row) => {
    const ran = await runQuoting(row, fixtures, 1);
    for (const secret of ran.secrets) expect(shown(ran)).not.toContain(secret);
    await ran.fixture.close();
  });

  it('has no secret, wherever and however encoded it stands', () => {
    const secret = fc
      .string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' })
      .filter((text) => text.trim().length >= 8);
    const encode = fc.constantFrom<(text: string) => string>(
      (text) => text,
      encodeURIComponent,
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => Buffer.from(text).toString('base64'),
      (text) => Buffer.from(text).toString('base64url'),
    );
    fc.assert(
      fc.property(secret, encode, fc.string(), fc.string(), (token, encoded, before, after) => {
        const text = redacting([token])(`${before} ${encoded(token)} ${after}`);
        expect(
          text.replaceAll('[secret]', '').includes(encoded(token)) &&
            !`${before}${after}`.includes(encoded(token)),
        ).toBe(false);
      }),
    );
  });

  it('has no upload address that authorizes an upload', () => {
    const redact = redacting([]);
    const url = 'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=AbC-123';
    expect(redact(`PUT ${url} failed`)).not.toContain('AbC-123');
  });

  it('names the report after the platform and the day', () => {
    expect(reportName('youtube', Date.UTC(2026, 10, 22, 23, 59))).toBe('verify-youtube-2026-11-22.md');
  });
});

describe('an announced request', () => {
  const sent: string[] = [];
  const http: PlatformHttp = {
    addressOf: (url) => url,
    connectAhead: async () => {},
    async send({ method, url }) {
      sent.push(`${method} ${url}`);
      return { status: 200, headers: {}, text: '', json: undefined, call: '' };
    },
  };
  const ports = { now: () => 0, sleep: async () => {} };

  it('is sent as often as it was announced, and no more often', async () => {
    const guarded = announcedHttp(
      http,
      [{ method: 'POST', url: 'https://a.example/{v}/posts', atMost: 2 }],
      ports,
    );
    const post = () => guarded.send({ method: 'POST', url: 'https://a.example/v1/posts?x=1' });
    await post();
    await post();
    await expect(post()).rejects.toThrow(UnannouncedRequestError);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['GET', 'https://a.example/v1/posts', false],
    ['POST', 'https://a.example/v1/posts/7', false],
    ['POST', 'https://a.example.evil/v1/posts', false],
    ['POST', 'https://a.example/v1/other/posts', false],
    ['POST', 'https://a.example/v1/posts#x', true],
  ] as const)('%s %s: %s', (method, url, isSent) => {
    expect(isAnnounced({ method: 'POST', url: 'https://a.example/{v}/posts' }, { method, url })).toBe(isSent);
  });
});

describe('a fault in a check', () => {
  it('does not send a request that was not announced, and is reported', async () => {
    const { runVerification } = await import('../../../bin/verify/run.ts');
    const { openFixture } = await import('../../contract/fixture.ts');
    const fixture = await openFixture(rowOf('threads'), fixtures);
    const faulty: PlatformVerification = {
      steps: [
        {
          title: 'Read the account.',
          audience: () => 'nobody',
          requests: [{ method: 'GET', url: 'https://graph.threads.net/{version}/me', atMost: 1 }],
          act: (bench) => bench.publish({ content: 'A post', media: [], options: {} }),
          claims: [],
        },
      ],
      byHand: [],
      removal: { requests: [], byHand: 'Delete it.' },
    };
    const reported: unknown[] = [];
    const { account } = fixture;
    const subject = { account, isSandbox: false };
    const outcome = await runVerification(
      faulty,
      subject,
      faulty.steps.map((step) => ({ step, skipped: undefined })),
      {
        adapter: fixture.adapter,
        accessToken: account.tokens.accessToken,
        tools: fixture.tools,
        media: {},
        mark: 'm',
        sleep: async () => {},
        signal: new AbortController().signal,
        say: () => {},
        report: (error) => reported.push(error),
      },
    );
    expect(reported).toEqual([expect.any(UnannouncedRequestError)]);
    expect(exitCodeOf(outcome)).toBe(2);
    expect(await fixture.posts()).toEqual([]);
    await fixture.close();
  });
});
