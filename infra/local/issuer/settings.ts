/** The settings with which tests make the issuer misbehave. */

/** The faults that each id token can have. */
const idTokens = [
  'valid',
  'wrong-nonce',
  'no-nonce',
  'wrong-audience',
  'expired',
  'wrong-signature',
  'unsigned',
  'wrong-issuer',
  /** The sign-in was an hour ago, regardless of `prompt` and `max_age`. */
  'old-sign-in',
] as const;

/** The behaviours of an endpoint: it works, answers with 503, does not answer, or sends a body that never ends. */
const answers = ['works', 'unavailable', 'silent', 'endless'] as const;

export type EndpointMood = (typeof answers)[number];

const values = {
  idToken: idTokens,
  /** `absent`: neither the id token nor the user info has the claim. */
  emailVerified: [true, false, 'absent'],
  discovery: answers,
  jwks: answers,
  token: answers,
  /** `rotate`: each use of a refresh token replaces it, and a second use revokes it. */
  refreshTokens: ['keep', 'rotate'],
} as const;

export type Settings = { readonly [Name in keyof typeof values]: (typeof values)[Name][number] };

export const usualSettings: Settings = {
  idToken: 'valid',
  emailVerified: true,
  discovery: 'works',
  jwks: 'works',
  token: 'works',
  refreshTokens: 'rotate',
};

/** Returns the problem with a change of the settings; undefined if it is valid. */
export function settingsProblem(changes: unknown): string | undefined {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes))
    return 'the body must be a JSON object';
  for (const [name, value] of Object.entries(changes)) {
    if (!isSetting(name)) return `unknown setting ${name}; use one of ${Object.keys(values).join(', ')}`;
    const allowed: readonly unknown[] = values[name];
    if (!allowed.includes(value)) return `${name} must be one of ${allowed.map(String).join(', ')}`;
  }
  return undefined;
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(values, name);
