import type { Call } from '../kit/call.ts';
import type { Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import { type Member, mayPublishAs, personUrn, type State, type Token } from './state.ts';

/** The authenticated caller. */
export interface Caller {
  readonly token: Token;
  readonly member: Member;
}

/** The checks for every call. */
export interface Gate {
  /** Checks the headers of the versioned API and the token, and counts the call. @throws Refusal, as the others */
  checkCall(call: Call): Caller;
  /** Checks only the token, for `/v2` and for uploads. */
  authenticate(call: Call): Caller;
  /** Refuses with 403 unless the caller may write as this author. */
  requireAuthor(caller: Caller, author: string): void;
}

export function openGate({ limit, setting }: Workbench, state: State): Gate {
  const { accessTokens, members, calls } = state;

  function authenticate({ bearer, at }: Call): Caller {
    if (bearer === undefined) refuse('EMPTY_ACCESS_TOKEN');
    const token = accessTokens.get(bearer);
    const member = token && members.get(token.username);
    if (token === undefined || member === undefined) refuse('INVALID_ACCESS_TOKEN');
    if (token.isRevoked) refuse('REVOKED_ACCESS_TOKEN');
    if (token.expiresAt <= at) refuse('EXPIRED_ACCESS_TOKEN');
    return { token, member };
  }

  function requireVersion({ headers }: Call): void {
    const version = headers['linkedin-version'];
    if (typeof version !== 'string' || version === '') refuse('VERSION_MISSING');
    const active = setting('activeVersions');
    if (!Array.isArray(active) || !active.includes(version)) {
      refuse('NONEXISTENT_VERSION', `Requested version ${version}01 is not active`);
    }
    if (headers['x-restli-protocol-version'] !== '2.0.0') {
      refuse('ILLEGAL_ARGUMENT', 'X-RestLi-Protocol-Version must be 2.0.0');
    }
  }

  /** Requires percent-encoded URNs in paths and queries: Rest.li reads bare colons as its own syntax. */
  function requireEncodedUrns({ target }: Call): void {
    if (/urn:li:/.test(target)) refuse('ILLEGAL_ARGUMENT');
  }

  function count({ app, username }: Token, at: number): void {
    const day = new Date(at).toISOString().slice(0, 10);
    const counters = [
      { key: `${day}/${app}`, max: limit(`${app}AppCallsPerDay`), level: 'APPLICATION' },
      { key: `${day}/${app}/${username}`, max: limit(`${app}MemberCallsPerDay`), level: 'MEMBER' },
    ];
    for (const { key, max, level } of counters) {
      const used = calls.get(key) ?? 0;
      if (used >= max) {
        refuse(
          'TOO_MANY_REQUESTS',
          `Resource level throttle ${level} DAY limit for calls to this resource is reached.`,
        );
      }
      calls.put(key, used + 1);
    }
  }

  return {
    authenticate,
    checkCall(call) {
      requireVersion(call);
      requireEncodedUrns(call);
      const caller = authenticate(call);
      count(caller.token, call.at);
      return caller;
    },
    requireAuthor({ token, member }, author) {
      const may = author.startsWith('urn:li:organization:')
        ? token.scopes.includes('w_organization_social') && mayPublishAs(state, member.username, author)
        : token.scopes.includes('w_member_social') && author === personUrn(member, token.app);
      if (!may) refuse('ACCESS_DENIED', `Not enough permissions to write as ${author}`);
    },
  };
}
