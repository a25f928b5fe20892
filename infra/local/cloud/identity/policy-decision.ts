/**
 * Decides whether a caller may do something, from the policies of its identity and of the resource. Implements the part
 * of AWS's policy evaluation within one account that the template uses. Pure; knows no service.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */

import type { PolicyDocument, PolicyStatement } from '../model.ts';
import { type ConditionContext, conditionsHold } from './policy-conditions.ts';
import { arrayOf, matchesGlob } from './policy-patterns.ts';

export type Principal =
  /** A role session, role or user, by its ARN. */
  | { readonly kind: 'identity'; readonly arn: string }
  /** An AWS service acting for itself, such as `cloudfront.amazonaws.com`. */
  | { readonly kind: 'service'; readonly service: string }
  | { readonly kind: 'anonymous' };

export interface Caller {
  readonly principal: Principal;
  /** The identity's policies; empty for services and anonymous callers. */
  readonly policies: readonly PolicyDocument[];
}

export interface AccessRequest {
  /** Such as `sqs:SendMessage`. */
  readonly action: string;
  /** The ARN acted on; `*` for actions without one. */
  readonly resource: string;
  /** A queue's or bucket's policy, or a role's trust policy. */
  readonly resourcePolicy?: PolicyDocument | undefined;
  /** Condition keys and their values, such as `aws:SourceArn`. Names are case-insensitive. */
  readonly context?: ConditionContext;
}

/** `reason` continues the sentence "... is not authorized to perform: <action> on resource: <arn> ...". */
export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/**
 * Decides one request. An explicit deny in any policy wins. Otherwise one allow suffices, in the identity's policies or
 * the resource's. With a condition that cannot be evaluated, an allow does not apply and a deny does.
 */
export function decide(caller: Caller, request: AccessRequest): Decision {
  const byIdentity = effectOf(caller.policies, request, () => true);
  const byResource = effectOf(request.resourcePolicy ? [request.resourcePolicy] : [], request, (statement) =>
    namesPrincipal(statement, caller.principal),
  );
  if (byIdentity === 'Deny') {
    return { allowed: false, reason: 'with an explicit deny in an identity-based policy' };
  }
  if (byResource === 'Deny') {
    return { allowed: false, reason: 'with an explicit deny in a resource-based policy' };
  }
  if (byIdentity === 'Allow' || byResource === 'Allow') {
    return { allowed: true };
  }
  const policyKind = caller.principal.kind === 'identity' ? 'identity-based' : 'resource-based';
  return { allowed: false, reason: `because no ${policyKind} policy allows the ${request.action} action` };
}

/** Returns AWS's message for a refusal. */
export function refusalText(caller: Caller, request: AccessRequest, reason: string): string {
  return (
    `User: ${principalName(caller.principal)} is not authorized to perform: ${request.action} ` +
    `on resource: ${request.resource} ${reason}`
  );
}

function principalName(principal: Principal): string {
  switch (principal.kind) {
    case 'identity':
      return principal.arn;
    case 'service':
      return principal.service;
    case 'anonymous':
      return 'anonymous';
  }
}

function effectOf(
  policies: readonly PolicyDocument[],
  request: AccessRequest,
  appliesTo: (statement: PolicyStatement) => boolean,
): 'Allow' | 'Deny' | undefined {
  let effect: 'Allow' | undefined;
  for (const policy of policies) {
    for (const statement of policy.Statement) {
      if (!appliesTo(statement) || !coversAction(statement, request.action)) continue;
      if (!coversResource(statement, request.resource)) continue;
      const uncertain = statement.Effect === 'Deny';
      if (!conditionsHold(statement.Condition, request.context ?? {}, uncertain)) continue;
      if (statement.Effect === 'Deny') return 'Deny';
      effect = 'Allow';
    }
  }
  return effect;
}

function coversAction(statement: PolicyStatement, action: string): boolean {
  const matches = (pattern: string) => matchesGlob(pattern, action, { ignoreCase: true });
  if (statement.Action !== undefined) return arrayOf(statement.Action).some(matches);
  return statement.NotAction !== undefined && !arrayOf(statement.NotAction).some(matches);
}

/**
 * Returns true if the statement covers the resource. A statement of a trust policy has none, because the policy belongs to the
 * role itself.
 */
function coversResource(statement: PolicyStatement, resource: string): boolean {
  const matches = (pattern: string) => matchesGlob(pattern, resource);
  if (statement.Resource !== undefined) return arrayOf(statement.Resource).some(matches);
  if (statement.NotResource !== undefined) return !arrayOf(statement.NotResource).some(matches);
  return statement.Principal !== undefined;
}

/**
 * Returns true if the statement names the principal. An allow for the whole account (`...:root`, or the account's id) leaves the
 * decision to the identity's own policies, so it does not match here. A deny for the account denies everybody in it. ARNs of
 * principals are compared exactly: IAM supports no wildcards in them.
 */
function namesPrincipal(statement: PolicyStatement, principal: Principal): boolean {
  const named = statement.Principal;
  if (named === undefined) return false;
  if (named === '*') return true;
  const identities = arrayOf(named['AWS'] ?? []);
  if (identities.includes('*')) return true;
  switch (principal.kind) {
    case 'service':
      return arrayOf(named['Service'] ?? []).includes(principal.service);
    case 'identity':
      if (statement.Effect === 'Deny' && identities.some((named) => isAccountOf(named, principal.arn)))
        return true;
      return identities.includes(principal.arn) || identities.includes(roleOfSession(principal.arn));
    case 'anonymous':
      return false;
  }
}

function isAccountOf(named: string, principalArn: string): boolean {
  const account = principalArn.split(':')[4];
  return named === account || new RegExp(`^arn:[^:]+:iam::${account}:root$`).test(named);
}

/** `arn:aws:sts::1:assumed-role/name/session` is a session of the role `arn:aws:iam::1:role/name`. */
function roleOfSession(arn: string): string {
  return arn.replace(/^(arn:[^:]+):sts::(\d+):assumed-role\/([^/]+)\/.*$/, '$1:iam::$2:role/$3');
}
