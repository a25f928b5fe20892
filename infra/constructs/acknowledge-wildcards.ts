import { Stack, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Right } from './rights.ts';

/**
 * Acknowledges each wildcard that cdk-nag finds in a role (`AwsSolutions-IAM5`) with the reason that the right states. A
 * wildcard without a reason remains a finding and fails the tests.
 */
export function acknowledgeWildcards(role: Role, rights: readonly Right[]): void {
  for (const { resources, wildcardBecause } of rights) {
    if (wildcardBecause === undefined) continue;
    for (const resource of resources) {
      const finding = `Resource::${flatten(Stack.of(role).resolve(resource))}`;
      Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason: wildcardBecause });
    }
  }
}

/** Writes a resolved value as cdk-nag does: `<LogicalId.Attribute>`, and the export's name for an import. */
function flatten(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [call = '', argument] = Object.entries(value)[0] ?? [];
  switch (call) {
    case 'Ref':
      return `<${argument}>`;
    case 'Fn::GetAtt':
      return `<${argument.join('.')}>`;
    case 'Fn::Join':
      return argument[1].map(flatten).join(argument[0]);
    case 'Fn::ImportValue':
      return flatten(argument);
    default:
      return JSON.stringify(value);
  }
}
