import type { Call } from '../kit/call.ts';
import type { Records } from '../kit/records.ts';
import type { Platform } from '../kit/types.ts';
import { unknownPath } from './graph-errors.ts';
import { killToken, type MetaToken } from './tokens.ts';
import type { Usage } from './usage.ts';

/** Returns the parts of a `Platform` that all of Meta's platforms share. @param tokenOf returns the token of a call */
export function metaPlatform<Token extends MetaToken>(
  usage: Usage,
  tokens: Records<Token>,
  tokenOf: (call: Call) => string | undefined,
): Pick<Platform, 'rateLimited' | 'expireToken' | 'unknownPath' | 'headers'> {
  return {
    rateLimited: usage.limited,
    expireToken: (call) => killToken(tokens, tokenOf(call), 463),
    unknownPath,
    headers: usage.headers,
  };
}
