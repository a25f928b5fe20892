import type { AuthorizationRequest, Issuer, Renewal, SignedInPerson } from '../../lib/people/issuer.ts';
import { SignInFailure } from '../../lib/people/issuer.ts';

/** An issuer without HTTP, at which everybody signs in as the person who is set. */
export interface FakeIssuer extends Issuer {
  person: Partial<SignedInPerson>;
  /** Reason for its failure; absent if it works. */
  failure?: SignInFailure;
  /** The authorizations that it was asked for. */
  readonly asked: AuthorizationRequest[];
  /** Its answer to a refresh token. */
  renewal: () => Renewal | Promise<Renewal>;
  /** The refresh tokens that it was asked about. */
  readonly renewed: string[];
}

export function fakeIssuer(): FakeIssuer {
  const asked: AuthorizationRequest[] = [];
  const renewed: string[] = [];
  const fake: FakeIssuer = {
    person: {},
    asked,
    renewal: () => ({ kind: 'confirmed' }),
    renewed,
    renew: async (refreshToken) => {
      renewed.push(refreshToken);
      return fake.renewal();
    },
    authorizationUrl: async (request) => {
      if (fake.failure) throw fake.failure;
      asked.push(request);
      return `https://issuer.example.com/authorize?state=${request.state}`;
    },
    redeem: async ({ query, state }) => {
      if (fake.failure) throw fake.failure;
      const answer = new URLSearchParams(query);
      if (answer.get('code') !== 'the-code' || answer.get('state') !== state)
        throw new SignInFailure('sign_in_failed', 'the answer was not accepted');
      return {
        issuer: 'https://issuer.example.com',
        subject: 'ada',
        email: 'ada@example.com',
        isEmailVerified: true,
        name: 'Ada',
        provedAtMs: Date.now(),
        ...fake.person,
      };
    },
    signOutUrl: async (returnTo) => {
      if (fake.failure) throw fake.failure;
      return `https://issuer.example.com/logout?to=${encodeURIComponent(returnTo)}`;
    },
  };
  return fake;
}
