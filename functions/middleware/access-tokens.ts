import { findGrantCaller } from '../../lib/people/grants/find-caller.ts';
import { grantTokenDigest, readToken } from '../../lib/people/grants/tokens.ts';
import type { ReadOther } from './authenticate.ts';

/** Reads the access tokens of clients. Only the resource for which they are issued takes them. */
export const readAccessToken: ReadOther = (text) => {
  const token = readToken('access', text);
  return (
    token && {
      digest: grantTokenDigest(token),
      find: (table, now) => findGrantCaller(table, token, now),
    }
  );
};
