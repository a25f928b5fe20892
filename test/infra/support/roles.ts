import { decide } from '@herald/local-cloud/identity/policy-decision.ts';
import type { PolicyStatement } from '@herald/local-cloud/model.ts';
import { constructName, referenced, type Templates } from './synthesize.ts';

/** A statement of a role's policy. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  /** Resources as text, with references in brackets, such as `<Table.Arn>/index/overdue`. */
  readonly resources: readonly string[];
  readonly condition: PolicyStatement['Condition'];
}

/** The statements of each function's role, by the function's name. */
export function statementsByFunction(service: Templates): ReadonlyMap<string, readonly Statement[]> {
  const policies = new Map(
    service.ofType('AWS::IAM::Role').map(({ logicalId, Properties }) => [logicalId, Properties.Policies]),
  );
  return new Map(
    service.ofType('AWS::Lambda::Function').map((handler) => {
      const [policy] = policies.get(referenced(handler.Properties.Role));
      return [constructName(handler), policy.PolicyDocument.Statement.map(readStatement)];
    }),
  );
}

/**
 * Returns true if a role with these statements may do something to an item of the table, as the local cloud decides it.
 *
 * @param action such as `PutItem`
 * @param partitionKeys of the request; `undefined` if the request names none
 */
export function mayUseTable(
  statements: readonly Statement[],
  action: string,
  partitionKeys: readonly string[] | undefined,
): boolean {
  const policy = {
    Version: '2012-10-17',
    Statement: statements.map(({ effect, actions, resources, condition }) => ({
      Effect: effect,
      Action: actions,
      Resource: resources,
      ...(condition && { Condition: condition }),
    })),
  };
  const caller = {
    principal: { kind: 'identity', arn: 'arn:aws:iam::1:role/any' },
    policies: [policy],
  } as const;
  const context = { 'dynamodb:LeadingKeys': partitionKeys };
  return decide(caller, { action: `dynamodb:${action}`, resource: '<Table.Arn>', context }).allowed;
}

function readStatement(statement: {
  Effect: Statement['effect'];
  Action: string | string[];
  Resource: unknown;
  Condition?: PolicyStatement['Condition'];
}): Statement {
  return {
    effect: statement.Effect,
    actions: [statement.Action].flat(),
    resources: [statement.Resource].flat().map(asText),
    condition: statement.Condition,
  };
}

/** Writes a reference as text without the hash of the logical id, and an import as what it imports. */
function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [call = '', argument] = Object.entries(value)[0] ?? [];
  const bare = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '');
  switch (call) {
    case 'Ref':
      return `<${bare(argument)}>`;
    case 'Fn::GetAtt':
      return `<${bare(argument[0])}.${argument[1]}>`;
    case 'Fn::Join':
      return argument[1].map(asText).join(argument[0]);
    case 'Fn::ImportValue':
      return bare(argument.split(':')[1]).replace(
        /^ExportsOutputFnGetAtt(.+?)(?:[0-9A-F]{8})?(Arn|StreamArn)$/,
        '<$1.$2>',
      );
    default:
      return JSON.stringify(value);
  }
}
