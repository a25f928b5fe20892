import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAnnounced } from '../../../bin/verify/announced-http.ts';
import { exitCodeOf } from '../../../bin/verify/run.ts';
import { verifications } from '../../../bin/verify.ts';
import { rowOf, rows } from '../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import { claimsWith, type Ran, runChecks, shown } from './support.ts';

let fixtures: FixtureServer;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

const titleOf = ({ platform, as }: (typeof rows)[number]) =>
  as === undefined ? platform : `${platform} (${as})`;

/** The requests that the announcement does not cover. */
function unannounced({ plan, requests, outcome }: Ran, platform: keyof typeof verifications): string[] {
  const things = outcome.removed.length + outcome.left.length;
  const removal = verifications[platform].removal.requests.map((entry) => ({
    ...entry,
    atMost: entry.atMost * things,
  }));
  const steps = plan.filter(({ skipped }) => skipped === undefined).flatMap(({ step }) => step.requests);
  const left = [...steps, ...removal].map((entry) => ({ entry, count: entry.atMost }));
  return requests.flatMap((request) => {
    const free = left.find(
      ({ entry, count }) => count > 0 && isAnnounced(entry, { ...request, method: request.method as 'GET' }),
    );
    if (free === undefined) return [`${request.method} ${request.url}`];
    free.count -= 1;
    return [];
  });
}

describe.each(rows.map((row) => [titleOf(row), row] as const))('the checks of %s', (_title, row) => {
  const { platform } = row;
  const { byHand, removal } = verifications[platform];
  let ran: Ran;
  beforeAll(async () => {
    ran = await runChecks(row, fixtures);
  });
  afterAll(() => ran.fixture.close());

  it('confirm every claim that the command can check, and remove what they made', async () => {
    const { outcome, fixture, plan } = ran;
    expect(ran.reported).toEqual([]);
    expect(outcome.failures).toEqual([]);
    const unfit = plan.flatMap(({ step, skipped }) => (skipped === undefined ? [] : step.claims));
    const unchecked = [...unfit, ...byHand].map(({ id }) => id);
    expect(
      claimsWith(ran, 'refuted').map((id) => outcome.results.find(({ claim }) => claim.id === id)),
    ).toEqual([]);
    expect(claimsWith(ran, 'not checked').sort()).toEqual(unchecked.sort());
    expect(exitCodeOf(outcome)).toBe(0);
    expect(outcome.removed.length + outcome.left.length).toBeGreaterThan(0);
    if (removal.remove) {
      expect(outcome.left).toEqual([]);
      expect(await fixture.posts()).toEqual([]);
    } else {
      const posts = await fixture.posts();
      expect(outcome.left.map(({ kind }) => kind)).toEqual(posts.map(() => 'post'));
    }
  });

  it('show no token', () => {
    for (const secret of ran.secrets) expect(shown(ran)).not.toContain(secret);
  });

  it('send only what was announced', () => {
    expect(ran.requests.length).toBeGreaterThan(0);
    expect(unannounced(ran, platform)).toEqual([]);
    for (const { step } of ran.plan) expect(ran.announced.join('\n')).toContain(step.title);
  });

  it('make nothing that everyone can see without --allow-public', async () => {
    const cautious = await runChecks(row, fixtures, { allowPublic: false });
    try {
      const { outcome, plan } = cautious;
      expect(unannounced(cautious, platform)).toEqual([]);
      for (const { step, skipped } of plan) {
        const audience = step.audience({ account: cautious.fixture.account, isSandbox: false });
        if (audience === 'everyone') expect(skipped).toBeDefined();
      }
      const published = (await cautious.fixture.posts()).map(({ details }) => JSON.stringify(details));
      for (const details of published)
        expect(details).toMatch(/private|SELF_ONLY|CONNECTIONS|"is_published":false/);
      expect(outcome.failures).toEqual([]);
    } finally {
      await cautious.fixture.close();
    }
  });
});

const variants = [
  ['facebook', 'facebook-same-text-refused', { duplicateCheck: false }],
  ['facebook', 'facebook-same-photos-refused', { duplicateCheck: false }],
  ['facebook', 'facebook-comments-need-permission', { pagePublicContentAccess: true }],
  ['instagram', 'instagram-second-publish-refused', { publishesAgain: true }],
  ['instagram', 'instagram-post-listed', { listLagSeconds: 'forever' }],
  ['instagram', 'instagram-hashtags-accepted', { hashtags: 5 }],
  ['instagram', 'instagram-location-accepted', { takesLocations: false }],
  ['threads', 'threads-second-publish-refused', { publishesAgain: true }],
  ['threads', 'threads-debug-token', { inspectsTokens: false }],
  ['threads', 'threads-finished-can-be-published', { settlingSeconds: 30 }],
  ['threads', 'threads-characters-counted', { countsBytes: true }],
  ['threads', 'threads-post-listed', { listLagSeconds: 'forever' }],
  ['youtube', 'youtube-private-video-listed', { listLagSeconds: 'forever' }],
  ['pinterest', 'pinterest-texts-read-back', { changesTexts: true }],
  ['pinterest', 'pinterest-pin-listed', { listLagSeconds: 'forever' }],
] as const;

describe('a platform that behaves in another way than a claim says', () => {
  it.each(variants)('%s: refutes %s', async (platform, claim, settings) => {
    const ran = await runChecks(rowOf(platform), fixtures, { settings });
    try {
      expect(claimsWith(ran, 'refuted')).toContain(claim);
      expect(exitCodeOf(ran.outcome)).toBe(1);
      expect(ran.report).toContain(`| **refuted** | \`${claim}\``);
      if (verifications[platform].removal.remove) expect(await ran.fixture.posts()).toEqual([]);
    } finally {
      await ran.fixture.close();
    }
  });

  it.each([
    ['member', 'linkedin-same-text-refused', { duplicateCheck: false }],
    ['member', 'linkedin-same-image-refused', { namesMissingDuplicates: true }],
    ['organization', 'linkedin-urls-shortened', { shortensUrls: false }],
    ['organization', 'linkedin-organization-post-listed', { listLagSeconds: 'forever' }],
  ] as const)('linkedin (%s): refutes %s', async (as, claim, settings) => {
    const ran = await runChecks(rowOf('linkedin', as), fixtures, { settings });
    try {
      expect(claimsWith(ran, 'refuted')).toContain(claim);
      expect(await ran.fixture.posts()).toEqual([]);
    } finally {
      await ran.fixture.close();
    }
  });
});
