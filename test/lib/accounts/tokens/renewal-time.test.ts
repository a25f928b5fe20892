import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorizationEnd, renewalDueMs } from '../../../../lib/accounts/tokens/renewal-time.ts';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { derivedId } from '../../../../lib/kernel/ids.ts';
import { type Platform, platformNames } from '../../../../lib/platforms/contract/names.ts';
import { authorizationFor } from '../../../../lib/platforms/registry/authorizations.ts';
import { tokenSet } from '../../../support/authorization.ts';

const workspaceId = '0197a0de-0000-7000-8000-000000000000';
const accountIds = fc.string().map((name) => derivedId(workspaceId, name));
const connected = Date.parse('2026-11-20T12:00:00.000Z');
const built = platformNames.flatMap((platform) => {
  const renewal = authorizationFor(platform)?.renewal;
  return renewal ? [{ platform, renewal }] : [];
});
const renewalOf = (platform: Platform) => {
  const found = built.find((candidate) => candidate.platform === platform);
  if (!found) throw new Error(`${platform} is not built`);
  return found.renewal;
};
const lasting = (milliseconds: number) =>
  tokenSet('a', connected, { expiresAt: toTimestamp(connected + milliseconds) });

describe.each(built)('tokens of $platform', ({ renewal }) => {
  const sweepAgeMs = renewal.sweepAgeSeconds * secondMs;

  it('are renewed after at least three quarters of the period and at most all of it', () => {
    fc.assert(
      fc.property(accountIds, (id) => {
        const dueMs = renewalDueMs(id, lasting(10_000 * dayMs), renewal) ?? 0;
        expect(dueMs - connected).toBeGreaterThanOrEqual(0.75 * sweepAgeMs);
        expect(dueMs - connected).toBeLessThanOrEqual(sweepAgeMs);
      }),
    );
  });

  it('are never renewed before the platform’s minimum age', () => {
    fc.assert(
      fc.property(accountIds, fc.integer({ min: 1, max: 100 * dayMs }), (id, lifeMs) => {
        const ageMs = (renewalDueMs(id, lasting(lifeMs), renewal) ?? 0) - connected;
        expect(ageMs).toBeGreaterThanOrEqual(renewal.minimumAgeSeconds * secondMs);
      }),
    );
  });

  it('are always due at the same time for the same account', () => {
    const due = () => renewalDueMs(derivedId(workspaceId, 'a'), lasting(60 * dayMs), renewal);
    expect(due()).toBe(due());
  });
});

it('spreads 500 accounts that were connected within a minute over a quarter of the period', () => {
  const renewal = renewalOf('instagram');
  const dueDays = Array.from({ length: 500 }, (_, index) => {
    const tokens = tokenSet('a', connected + index * 120, {
      expiresAt: toTimestamp(connected + index * 120 + 60 * dayMs),
    });
    return ((renewalDueMs(derivedId(workspaceId, `${index}`), tokens, renewal) ?? 0) - connected) / dayMs;
  });
  const perHour = new Map<number, number>();
  for (const day of dueDays) perHour.set(Math.floor(day * 24), (perHour.get(Math.floor(day * 24)) ?? 0) + 1);
  expect(Math.max(...dueDays) - Math.min(...dueDays)).toBeGreaterThan(7);
  expect(Math.max(...perHour.values())).toBeLessThan(15);
});

it.each([
  ['half of its life', 10 * dayMs, 5 * dayMs],
  ['half of its life, but at least a day old', 30 * hourMs, dayMs],
])('renews a short-lived access token that is its own refresh token at %s', (_what, lifeMs, latestMs) => {
  fc.assert(
    fc.property(accountIds, (id) => {
      const { refreshToken: _, ...tokens } = lasting(lifeMs);
      const dueMs = renewalDueMs(id, tokens, renewalOf('instagram')) ?? 0;
      expect(dueMs - connected).toBeLessThanOrEqual(latestMs);
    }),
  );
});

it('renews tokens that do not expire', () => {
  const { expiresAt: _, refreshToken: __, ...tokens } = lasting(dayMs);
  const dueMs = renewalDueMs(derivedId(workspaceId, 'a'), tokens, renewalOf('facebook')) ?? 0;
  expect(dueMs - connected).toBeLessThanOrEqual(dayMs);
});

it('processes a token that cannot be renewed when it expires, and never if it does not expire', () => {
  const { refreshToken: _, ...tokens } = lasting(60 * dayMs);
  const { expiresAt: __, ...endless } = tokens;
  fc.assert(
    fc.property(accountIds, (id) => {
      expect(renewalDueMs(id, tokens, renewalOf('linkedin'))).toBe(connected + 60 * dayMs);
      expect(renewalDueMs(id, endless, renewalOf('linkedin'))).toBeUndefined();
    }),
  );
});

describe('an authorization', () => {
  const end = toTimestamp(connected + 7 * dayMs);
  const limited = tokenSet('a', connected, { refreshExpiresAt: end });

  it.each<[Platform, string | undefined]>([
    ['youtube', end],
    ['linkedin', end],
    ['pinterest', undefined],
  ])('of %s whose refresh token ends in a week ends at %s', (platform, expected) => {
    expect(authorizationEnd(limited, renewalOf(platform))).toBe(expected);
  });

  it('without a refresh token ends with its access token', () => {
    const { refreshToken: _, ...unrenewable } = limited;
    expect(authorizationEnd(unrenewable, renewalOf('linkedin'))).toBe(limited.expiresAt);
  });

  it('need not end if the platform names no end', () => {
    expect(authorizationEnd(tokenSet('a', connected), renewalOf('youtube'))).toBeUndefined();
  });

  it('that ends before its next renewal is due at its end', () => {
    const id = derivedId(workspaceId, 'a');
    expect(renewalDueMs(id, limited, renewalOf('youtube'))).toBe(connected + 7 * dayMs);
    expect(renewalDueMs(id, limited, renewalOf('pinterest'))).toBeGreaterThan(connected + 7 * dayMs);
  });

  it('that was renewed after its end is due at its usual time', () => {
    const id = derivedId(workspaceId, 'a');
    const later = tokenSet('a', connected + 8 * dayMs, { refreshExpiresAt: end });
    expect(renewalDueMs(id, later, renewalOf('youtube'))).toBeGreaterThan(connected + 9 * dayMs);
  });
});
