import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Caller, Gate } from './gate.ts';
import { mayPublishAs, organizationUrn, personUrn, type State } from './state.ts';

/** Reads the member and the organizations that they have roles in. */
export function readingOperations({ setting }: Workbench, state: State, gate: Gate): Operation[] {
  function userinfo(call: Call): Answer {
    const { token, member } = gate.authenticate(call);
    requireScopes(token.scopes, ['openid', 'profile']);
    const [given = '', ...family] = member.name.split(' ');
    return json({
      sub: member.id,
      name: member.name,
      given_name: given,
      family_name: family.join(' '),
      picture: `https://media.licdn.com/dms/image/${member.id}/profile.jpg`,
      locale: { country: 'US', language: 'en' },
    });
  }

  function organizationAcls(call: Call): Answer {
    const caller = gate.checkCall(call);
    requireScopes(caller.token.scopes, ['rw_organization_admin']);
    const { query } = call;
    if (query.get('q') !== 'roleAssignee') refuse('ILLEGAL_ARGUMENT', 'Unknown finder');
    const found = rolesOf(caller).filter(
      ({ role, state: standing }) =>
        role === (query.get('role') ?? role) && standing === (query.get('state') ?? standing),
    );
    const start = Number(query.get('start') ?? 0);
    const count = Math.min(Number(query.get('count') ?? 10), 100);
    const key = setting('aclKey') === 'organizationTarget' ? 'organizationTarget' : 'organization';
    const elements = found.slice(start, start + count).map((role) => ({
      [key]: organizationUrn(role.organizationId),
      role: role.role,
      state: role.state,
      roleAssignee: personUrn(caller.member, caller.token.app),
    }));
    return json({ elements, paging: { start, count, total: found.length, links: [] } });
  }

  const rolesOf = ({ member }: Caller) => state.roles.list({ owner: member.username });

  function organization(call: Call): Answer {
    const caller = gate.checkCall(call);
    requireScopes(caller.token.scopes, ['rw_organization_admin']);
    const found = state.organizations.get(call.params['id'] ?? '');
    if (found === undefined) refuse('NOT_FOUND');
    const isAdmin = rolesOf(caller).some(({ organizationId }) => organizationId === found.id);
    if (!isAdmin) refuse('ACCESS_DENIED');
    return json({
      id: found.id,
      localizedName: found.name,
      vanityName: found.vanityName,
      logoV2: { original: `urn:li:digitalmediaAsset:logo${found.id}` },
    });
  }

  /** https://learn.microsoft.com/linkedin/shared/integrations/people/profile-api */
  function me(call: Call): Answer {
    const { token, member } = gate.authenticate(call);
    requireScopes(token.scopes, ['r_basicprofile']);
    const [given = '', ...family] = member.name.split(' ');
    return json({
      id: personUrn(member, token.app).split(':').at(-1),
      localizedFirstName: given,
      localizedLastName: family.join(' '),
      vanityName: member.username.replaceAll('.', '-'),
    });
  }

  /**
   * Finds any organization by its exact vanity name. Of one that the member does not administer, only a few fields are shown.
   * https://learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-lookup-api
   */
  function organizationFinder(call: Call): Answer {
    const caller = gate.checkCall(call);
    requireScopes(caller.token.scopes, ['rw_organization_admin']);
    if (call.query.get('q') !== 'vanityName') refuse('ILLEGAL_ARGUMENT', 'Unknown finder');
    const wanted = call.query.get('vanityName')?.toLowerCase();
    const found = state.organizations.list().filter(({ vanityName }) => vanityName.toLowerCase() === wanted);
    const elements = found.map(({ id, name, vanityName }) => ({
      ...{ id, localizedName: name, vanityName },
      name: { localized: { en_US: name }, preferredLocale: { country: 'US', language: 'en' } },
      locations: [],
    }));
    return json({ elements, paging: { start: 0, count: 10, total: elements.length, links: [] } });
  }

  /**
   * Finds up to ten followers of an organization by the beginning of a name: "This permission is granted to select developers only."
   * https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-atmention-search-api
   */
  function peopleTypeahead(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    requireScopes(token.scopes, ['r_organization_followers']);
    const { query } = call;
    if (query.get('q') !== 'organizationFollowers') refuse('ILLEGAL_ARGUMENT', 'Unknown finder');
    const organization = query.get('organization') ?? '';
    if (!mayPublishAs(state, member.username, organization)) refuse('ACCESS_DENIED');
    const beginning = (query.get('keywords') ?? '').toLowerCase();
    if (beginning === '') refuse('MISSING_FIELD', 'keywords');
    const elements = state.followers
      .list({ owner: organization.split(':').at(-1) ?? '' })
      .flatMap(({ username }) => state.members.get(username) ?? [])
      .filter(({ name }) =>
        name
          .toLowerCase()
          .split(' ')
          .some((part) => part.startsWith(beginning)),
      )
      .slice(0, 10)
      .map((follower) => {
        const [firstName = '', ...lastName] = follower.name.split(' ');
        const urn = personUrn(follower, token.app);
        return { member: urn, firstName, lastName: lastName.join(' '), headline: 'Keeper of the lighthouse' };
      });
    return json({ elements, paging: { start: 0, count: 10, total: elements.length, links: [] } });
  }

  return [
    operation('me', 'GET', 'api.linkedin.com/v2/me', me),
    operation('organizations.finder', 'GET', 'api.linkedin.com/rest/organizations', organizationFinder),
    operation('peopleTypeahead', 'GET', 'api.linkedin.com/rest/peopleTypeahead', peopleTypeahead),
    operation('userinfo', 'GET', 'api.linkedin.com/v2/userinfo', userinfo),
    operation('organizationAcls', 'GET', 'api.linkedin.com/rest/organizationAcls', organizationAcls),
    operation('organizations.get', 'GET', 'api.linkedin.com/rest/organizations/:id', organization),
  ];
}

/** @throws Refusal 403 if a required scope was not granted */
export function requireScopes(granted: readonly string[], required: readonly string[]): void {
  const missing = required.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) refuse('ACCESS_DENIED', `Not enough permissions: ${missing.join(', ')}`);
}
