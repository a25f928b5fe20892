import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Caller, Gate } from './gate.ts';
import { organizationUrn, personUrn, type State } from './state.ts';

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
      roleAssignee: personUrn(caller.member),
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

  return [
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
