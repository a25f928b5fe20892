import type { AccountCheck } from '../contract/account-check.ts';
import { rolesPage } from './authorization.ts';
import { requireSuccess } from './errors.ts';
import { isOfMemberApp } from './features.ts';

/**
 * For an organization, reads the member's roles ("Organization access control by role"). Of a member with 100 roles or more, nothing is
 * said about a role that is not among the first. For a member, reads the profile, which only proves that the token is valid: LinkedIn
 * has no call that tells whether a member may post.
 */
export const linkedinAccountCheck: AccountCheck = {
  async ask({ platformAccountId, meta, scopes = [] }, bearer, tools) {
    if (meta['as'] === 'organization') {
      const { publishable, isLast } = await rolesPage(bearer, tools);
      return { mayPublish: publishable.includes(platformAccountId) || (isLast ? false : null) };
    }
    const profile = isOfMemberApp(scopes) ? 'userinfo' : 'me';
    const url = `https://api.linkedin.com/v2/${profile}`;
    requireSuccess(await tools.http.send({ method: 'GET', url, bearer }), tools.now());
    return {};
  },

  judge: ({ mayPublish }) =>
    mayPublish === false
      ? [
          {
            code: 'permission_missing',
            message:
              'LinkedIn: the person who connected the account no longer has a role with which it may post for the organization: give it back, or have somebody with such a role connect the account',
          },
        ]
      : [],
};
