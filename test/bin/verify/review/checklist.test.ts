import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checklist, type ReviewFacts } from '../../../../bin/verify/review/checklist.ts';
import { readPage } from '../../../../bin/verify/review/command.ts';
import { checklistLines, reviewReport } from '../../../../bin/verify/review/report.ts';
import { isDemonstrated, reviewSteps, stepsFor } from '../../../../bin/verify/review/steps.ts';
import { namesOf } from '../../../../lib/platforms/contract/features.ts';
import { platformNames, platformTitles } from '../../../../lib/platforms/contract/names.ts';
import { featuresFor } from '../../../../lib/platforms/registry/features.ts';

const domain = (name: string) => ({
  name,
  certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/1',
});
const page = (path: string) => ({ url: `https://example.com/${path}` });

/** Everything is as a reviewer wants it. */
const facts = (platform: ReviewFacts['platform'], changes: Partial<ReviewFacts> = {}): ReviewFacts => ({
  platform,
  stage: 'production',
  settings: {
    apiDomain: domain('api.example.com'),
    panelDomain: domain('panel.example.com'),
    mediaDomain: domain('media.example.com'),
    signIn: 'own',
  },
  features: featuresFor(platform),
  chosen: ['publish'],
  pages: { website: page(''), privacy: page('privacy'), terms: page('terms') },
  results: stepsFor(platform, ['publish']).map((step) => ({
    step,
    state: 'shown',
    picture: `${step.id}.png`,
  })),
  ...changes,
});

const missingOf = (given: ReviewFacts) =>
  checklist(given)
    .filter(({ state }) => state === 'missing')
    .map(({ text }) => text);

describe('the checklist', () => {
  it.each(platformNames)('of %s lacks nothing if all is there', (platform) => {
    expect(missingOf(facts(platform))).toEqual([]);
  });

  const cases: readonly [what: string, ReviewFacts['platform'], Partial<ReviewFacts>, RegExp][] = [
    [
      'a domain of the API',
      'tiktok',
      { settings: { mediaDomain: domain('m.example.com') } },
      /^apiDomain is not set/,
    ],
    ['a domain of the API', 'youtube', { settings: {} }, /^apiDomain is not set/],
    [
      'a domain of the files',
      'tiktok',
      { settings: { apiDomain: domain('a.example.com') } },
      /^mediaDomain is not set/,
    ],
    ['a privacy policy', 'threads', { pages: {} }, /^No address of your privacy policy/],
    ['terms', 'tiktok', { pages: { website: page(''), privacy: page('p') } }, /^No address of your terms/],
    [
      'a policy that can be read',
      'facebook',
      { pages: { privacy: { ...page('privacy'), problem: 'answers 404' } } },
      /privacy policy at https:\/\/example\.com\/privacy answers 404/,
    ],
    [
      'a step for a feature',
      'facebook',
      { chosen: ['publish', 'businessPages'] },
      /^businessPages: no step here/,
    ],
    ['a step for a feature', 'tiktok', { chosen: ['publish', 'postSearch'] }, /^postSearch: no step here/],
  ];
  it.each(cases)('names the lack of %s at %s', (_, platform, changes, text) => {
    expect(missingOf(facts(platform, changes))).toEqual([expect.stringMatching(text)]);
  });

  it('names the step that failed, and counts those that were not reached', () => {
    const { results } = facts('threads');
    const failed = results.map((result, index) =>
      index < 3
        ? result
        : index === 3
          ? { ...result, state: 'failed' as const, problem: 'the page does not show “threads_basic”' }
          : { step: result.step, state: 'not reached' as const },
    );
    expect(missingOf(facts('threads', { results: failed }))).toEqual([
      `3 of ${results.length} steps were shown.`,
      '“The platform’s consent page” failed: the page does not show “threads_basic”',
    ]);
  });

  it('asks for no step of a feature that needs no permission more', () => {
    expect(missingOf(facts('pinterest', { chosen: ['publish', 'insights'] }))).toEqual([]);
  });

  it('says which features are off, and where they are switched on', () => {
    const texts = checklist(facts('threads', { chosen: ['publish', 'removal'] })).map(({ text }) => text);
    expect(texts).toContain('removal: request threads_delete.');
    expect(texts.join('\n')).toMatch(/Off in the stage production: comments, insights\..*features\.threads/);
  });

  it.each(['facebook', 'instagram', 'threads'] as const)('names the callbacks of %s', (platform) => {
    const texts = checklist(facts(platform)).map(({ text }) => text);
    for (const path of ['deauthorize', 'data-deletion'])
      expect(texts.join('\n')).toContain(`https://api.example.com/platforms/${platform}/${path}`);
  });

  it('is printed with what is missing first', () => {
    const lines = checklistLines([
      { state: 'ok', text: 'a' },
      { state: 'look', text: 'b' },
      { state: 'missing', text: 'c' },
    ]);
    expect(lines).toEqual(['- [ ] c', '- [ ] by hand: b', '- [x] a']);
  });
});

describe('the report', () => {
  it('has a picture and the advice of each step, and the permissions', () => {
    const given = facts('tiktok');
    const report = reviewReport(given, checklist(given), ['video.publish'], Date.UTC(2026, 10, 27, 9));
    expect(report).toContain('Walked on 2026-11-27 09:00 UTC');
    expect(report).toContain('`video.publish`');
    for (const { step, picture } of given.results) {
      expect(report).toContain(step.record);
      expect(report).toContain(`](${picture})`);
    }
  });
});

describe.each(platformNames)('the steps of %s', (platform) => {
  const steps = reviewSteps[platform];

  it('connect, publish and disconnect, in this order, each with a name of its own', () => {
    const ids = steps.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const order = ['sign-in', 'consent', 'connected', 'compose', 'published', 'disconnected'];
    expect(ids.filter((id) => order.includes(id))).toEqual(order);
  });

  it('need no feature that the platform does not have', () => {
    const all = ['member', 'organization'].flatMap((as) => namesOf(featuresFor(platform, as as 'member')));
    const own = steps.flatMap(({ feature }) => feature ?? []);
    expect(own.filter((feature) => !all.includes(feature))).toEqual([]);
  });

  it('are left out if their feature is not requested', () => {
    expect(stepsFor(platform, ['publish']).every(({ feature }) => feature === undefined)).toBe(true);
  });

  it('have a page in the documents with a text for each permission', () => {
    const text = readFileSync(join('docs/platforms', `${platform}-review.md`), 'utf8');
    expect(text).toContain(`npm run verify -- review ${platform}`);
    expect(text).toContain(platformTitles[platform]);
    const kinds = [
      featuresFor(platform, 'member'),
      featuresFor(platform, 'organization'),
      featuresFor(platform, 'member', ['r_basicprofile']),
    ];
    const scopes = kinds
      .flatMap((each) => Object.values(each.scopes).flat())
      .map((scope) => scope.replace('https://www.googleapis.com/auth/', ''))
      // The app for members is not reviewed.
      .filter((scope) => !['openid', 'profile'].includes(scope));
    expect(scopes.filter((scope) => !text.includes(`\`${scope}\``))).toEqual([]);
  });
});

it('shows the use of most features', () => {
  const undemonstrated = platformNames.flatMap((platform) =>
    namesOf(featuresFor(platform))
      .filter((feature) => !isDemonstrated(platform, feature))
      .map((feature) => `${platform} ${feature}`),
  );
  expect(undemonstrated).toEqual([
    'facebook businessPages',
    'pinterest secretBoards',
    'pinterest insights',
    'tiktok postSearch',
  ]);
});

describe('a page that the form asks for', () => {
  const answering = (status: number, type: string) => async () =>
    new Response('page', { status, headers: { 'content-type': type } });
  it.each([
    ['is read', 'https://example.com', answering(200, 'text/html'), undefined],
    ['must not be missing', 'https://example.com', answering(404, 'text/html'), 'answers 404'],
    [
      'is no data',
      'https://example.com',
      answering(200, 'application/json'),
      'is application/json, not a page',
    ],
    ['begins with https', 'http://example.com', answering(200, 'text/html'), 'does not begin with https://'],
    ['is an address', 'example', answering(200, 'text/html'), 'is not an address'],
    [
      'is reached',
      'https://example.com',
      () => Promise.reject(new Error('no route')),
      'cannot be read (no route)',
    ],
  ] as const)('%s', async (_, url, fetchPage, problem) => {
    expect((await readPage(url, fetchPage as typeof fetch)).problem).toBe(problem);
  });
});
