import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unknownKeys } from '../../../lib/api-contract/unknown-keys.ts';
import {
  enabledFeatures,
  Feature,
  grantedFeatures,
  namesOf,
  type PlatformFeatures,
  scopesToRequest,
} from '../../../lib/platforms/contract/features.ts';
import { type AccountKind, type Platform, platformNames } from '../../../lib/platforms/contract/names.ts';
import { linkedinPartnerMemberFeatures } from '../../../lib/platforms/linkedin/features.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { featuresFor, readStageFeatures } from '../../../lib/platforms/registry/features.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';

const kinds: readonly (readonly [title: string, platform: Platform, as: AccountKind | undefined])[] = [
  ...platformNames.map((platform) => [platform, platform, undefined] as const),
  ['linkedin as organization', 'linkedin', 'organization'],
];

describe.each(kinds)('the features of %s', (_title, platform, as) => {
  const features = featuresFor(platform, as);

  it('are those of its login', () => {
    expect(authorizationFor(platform, as)?.features).toBe(features);
  });

  it('include those that its options need', async () => {
    const { options } = (await rulesFor(platform)) ?? {};
    for (const [name, feature] of Object.entries(options?.needs ?? {})) {
      expect(namesOf(features)).toContain(feature);
      expect(options && unknownKeys(options.schema, { [name]: 'x' })).toEqual([]);
    }
  });

  it('are granted if all their scopes are, whatever the operator has chosen', () => {
    fc.assert(
      fc.property(fc.subarray([...Feature.options]), (chosen) => {
        const granted = grantedFeatures(features, scopesToRequest(features, chosen));
        expect(granted).toEqual(expect.arrayContaining(enabledFeatures(features, chosen)));
        expect(enabledFeatures(features, chosen)).toContain('publish');
      }),
    );
  });

  it('still include publishing for accounts of earlier releases', () => {
    expect(grantedFeatures(features, features.formerScopes)).toContain('publish');
  });
});

/** The rows of the table in docs/platforms.md: each feature of each kind of account, with its scopes. */
function documentedFeatures(): Map<string, string[]> {
  const [, section = ''] = readFileSync('docs/platforms.md', 'utf8').split('## Features and scopes');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| ([^|]*) ?\| `(\w+)`[^|]* \| ([^|]+) \|/gm) ?? [];
  let kind = '';
  const found = new Map<string, string[]>();
  for (const [, named = '', feature, scopes = ''] of rows) {
    kind = named.trim() || kind;
    found.set(
      `${kind}: ${feature}`,
      [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope = '']) => scope),
    );
  }
  return found;
}

it('the table in docs/platforms.md has every feature with its scopes', () => {
  const titleOf = (platform: Platform, as?: AccountKind) =>
    platform === 'linkedin' ? `linkedin, ${as ?? 'member'}s` : platform;
  const all = [
    ...kinds.map(([, platform, as]) => [titleOf(platform, as), featuresFor(platform, as)] as const),
    [
      'linkedin, members through the app of organizations',
      featuresFor('linkedin', 'member', linkedinPartnerMemberFeatures.scopes.publish),
    ] as const,
  ];
  const expected = all.flatMap(([title, features]) =>
    namesOf(features).map((name): [string, string[]] => [
      `${title}: ${name}`,
      (features.scopes[name] ?? []).map((scope) => scope.replace('https://www.googleapis.com/auth/', '')),
    ]),
  );
  expect(Object.fromEntries(documentedFeatures())).toEqual(Object.fromEntries(expected));
});

const counted = kinds.flatMap(([title, platform, as]) => {
  const features = platform === 'linkedin' && !as ? linkedinPartnerMemberFeatures : featuresFor(platform, as);
  return [[title, features] as const];
});

describe.each(counted)('the numbers of %s', (_title, features) => {
  const others = namesOf(features).filter((name) => name !== 'insights');

  it('are off unless the operator names them, and change nothing else', () => {
    expect(enabledFeatures(features)).toEqual(others);
    expect(enabledFeatures(features, others)).toEqual(others);
    expect(enabledFeatures(features, ['publish', 'insights'])).toContain('insights');
    const scopes = scopesToRequest(features);
    expect(scopesToRequest({ ...features, scopes: { ...features.scopes, insights: ['x'] } })).toEqual(scopes);
  });
});

describe('an operator’s choice', () => {
  it.each<[object, string]>([
    [
      { instagram: ['publish', 'dms'] },
      'features.instagram: unknown feature dms: instagram has publish, comments, messages, insights',
    ],
    [
      { tiktok: ['comments'] },
      'features.tiktok: unknown feature comments: tiktok has publish, drafts, postSearch, profile, insights',
    ],
    [{ myspace: [] }, 'features: unknown platform myspace: use instagram, facebook,'],
  ])('%j is refused by name', (choice, message) => {
    expect(() => readStageFeatures(choice)).toThrow(message);
  });

  it('is kept, and everything is on where there is none', () => {
    expect(readStageFeatures({ instagram: ['comments'] })).toEqual({ instagram: ['comments'] });
    const { instagram } = readStageFeatures({});
    expect(enabledFeatures(featuresFor('instagram'), instagram)).toEqual(['publish', 'comments', 'messages']);
  });
});

it('a feature on request is requested only if the operator names it, and works wherever it was granted', () => {
  const features: PlatformFeatures = {
    scopes: { publish: ['a'], drafts: ['b'], profile: ['c'] },
    onRequest: ['drafts', 'profile'],
    formerScopes: ['a'],
  };
  expect(scopesToRequest(features)).toEqual(['a']);
  expect(scopesToRequest(features, ['drafts'])).toEqual(['a', 'b']);
  expect(enabledFeatures(features)).toEqual(['publish', 'drafts', 'profile']);
});

it('TikTok is asked for nothing that publishing does not need', () => {
  expect(scopesToRequest(featuresFor('tiktok'))).toEqual(['user.info.basic', 'video.publish']);
});

it('a scope that two features share is requested once', () => {
  const features: PlatformFeatures = {
    scopes: { publish: ['a'], comments: ['a', 'b'], playlists: ['b'] },
    formerScopes: ['a'],
  };
  expect(scopesToRequest(features)).toEqual(['a', 'b']);
  expect(scopesToRequest(features, ['playlists'])).toEqual(['a', 'b']);
  expect(scopesToRequest(features, [])).toEqual(['a']);
});
