import { describe, expect, it } from 'vitest';
import {
  challengeOf,
  grantTokenDigest,
  newHalf,
  readToken,
  successorsOf,
  type TokenKind,
  tokenOf,
} from '../../../../lib/people/grants/tokens.ts';
import { generateApiKey, isApiKey } from '../../../../lib/workspaces/api-key.ts';

const kinds: readonly TokenKind[] = ['code', 'access', 'refresh'];
const aToken = (kind: TokenKind) => ({ kind, family: newHalf(), secret: newHalf() });

describe('a code or token of a grant', () => {
  it.each(kinds)('is read as what it is, and as nothing else: %s', (kind) => {
    const token = aToken(kind);
    const text = tokenOf(token);
    for (const each of kinds) expect(readToken(each, text)).toEqual(each === kind ? token : undefined);
  });

  it('is no API key, and an API key is none', () => {
    for (const kind of kinds) {
      expect(isApiKey(tokenOf(aToken(kind)))).toBe(false);
      expect(readToken(kind, generateApiKey())).toBeUndefined();
    }
  });

  it('is refused by its form if a character is wrong, missing or too many', () => {
    const text = tokenOf(aToken('refresh'));
    const other = text.at(20) === 'a' ? 'b' : 'a';
    for (const wrong of [
      `${text.slice(0, 20)}${other}${text.slice(21)}`,
      text.slice(0, -1),
      `${text}0`,
      ` ${text}`,
    ])
      expect(readToken('refresh', wrong)).toBeUndefined();
  });

  it('has another digest than another kind with the same halves', () => {
    const { family, secret } = aToken('access');
    const digests = kinds.map((kind) => grantTokenDigest({ kind, family, secret }));
    expect(new Set(digests).size).toBe(kinds.length);
  });
});

describe('the successors of a refresh token', () => {
  it('are the same each time, and fit a token', () => {
    const token = aToken('refresh');
    const halves = successorsOf(token, 'salt');
    expect(successorsOf(token, 'salt')).toEqual(halves);
    const next = { kind: 'refresh', family: token.family, secret: halves.refresh } as const;
    expect(readToken('refresh', tokenOf(next))).toEqual(next);
  });

  it('depend on the token and on the salt', () => {
    const token = aToken('refresh');
    const all = [
      successorsOf(token, 'one'),
      successorsOf(token, 'other'),
      successorsOf(aToken('refresh'), 'one'),
    ];
    expect(new Set(all.flatMap(({ access, refresh }) => [access, refresh])).size).toBe(6);
  });
});

it('computes the challenge of the example in RFC 7636, appendix B', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});
