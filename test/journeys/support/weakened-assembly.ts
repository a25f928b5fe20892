import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';

/** One IAM action that one function has. */
export interface Right {
  readonly function: string;
  readonly action: string;
}

const Statement = z.looseObject({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.union([z.string(), z.array(z.string())]),
});
const Role = z.looseObject({
  Metadata: z.looseObject({ 'aws:cdk:path': z.string() }),
  Properties: z.looseObject({
    Policies: z.array(z.looseObject({ PolicyDocument: z.looseObject({ Statement: z.array(Statement) }) })),
  }),
});
const Template = z.looseObject({ Resources: z.record(z.string(), z.looseObject({ Type: z.string() })) });

/**
 * Copies a synthesized assembly and removes rights from its roles. Nothing else changes.
 *
 * @throws Error if a function does not have the right
 */
export function weakenAssembly(source: string, target: string, rights: readonly Right[]): void {
  cpSync(source, target, { recursive: true });
  const missing = new Set(rights);
  for (const file of globSync('*.template.json', { cwd: target })) {
    const template = Template.parse(JSON.parse(readFileSync(join(target, file), 'utf8')));
    for (const [id, resource] of Object.entries(template.Resources)) {
      if (resource.Type !== 'AWS::IAM::Role') continue;
      const role = Role.safeParse(resource);
      if (!role.success) continue;
      for (const right of rights.filter((candidate) => isRoleOf(role.data, candidate.function))) {
        if (removeAction(role.data, right.action)) missing.delete(right);
      }
      template.Resources[id] = { ...role.data, Type: resource.Type };
    }
    writeFileSync(join(target, file), JSON.stringify(template));
  }
  for (const right of missing) throw new Error(`${right.function} has no right to ${right.action}`);
}

/** The role's construct path contains the function's name: `<stack>/<function>-role/Resource`. */
function isRoleOf({ Metadata }: z.infer<typeof Role>, functionName: string): boolean {
  return basename(Metadata['aws:cdk:path'].replace(/\/Resource$/, '')) === `${functionName}-role`;
}

function removeAction({ Properties }: z.infer<typeof Role>, action: string): boolean {
  let isFound = false;
  for (const { PolicyDocument } of Properties.Policies) {
    PolicyDocument.Statement = PolicyDocument.Statement.flatMap((statement) => {
      if (statement.Effect === 'Deny') return [statement];
      const actions = [statement.Action].flat();
      const left = actions.filter((candidate) => candidate !== action);
      isFound ||= left.length < actions.length;
      return left.length === 0 ? [] : [{ ...statement, Action: left }];
    });
  }
  return isFound;
}
