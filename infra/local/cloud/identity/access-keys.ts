/** Access keys: one for each function and one for the developer, the same in every run. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { DataDirectory } from '../data-directory.ts';
import { administratorPolicies, type Identities, type Identity } from '../engines/types.ts';
import type { CloudModel, FunctionResource } from '../model.ts';
import type { Credentials } from '../runtime/environment-variables.ts';

const file = 'access-keys.json';
const administrator = 'administrator';

const storedKeys = z.record(
  z.string(),
  z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
);

export interface AccessKeys extends Identities {
  readonly administrator: Credentials;
  /** Registers the administrator and the model's functions, so that `find` knows them. */
  admit(model: CloudModel): void;
  of(resource: FunctionResource): Credentials;
}

/** Opens the keys in the data directory. Missing ones are created when they are first needed. */
export function openAccessKeys(data: DataDirectory): AccessKeys {
  const keys: Record<string, Credentials> = storedKeys.parse(data.read(file) ?? {});
  const identities = new Map<string, Identity>();

  function keyOf(name: string): Credentials {
    const known = keys[name];
    if (known !== undefined) return known;
    const made = {
      accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      sessionToken: randomBytes(48).toString('base64'),
    };
    keys[name] = made;
    data.write(file, keys);
    return made;
  }

  function admit(name: string, identity: Pick<Identity, 'principalArn' | 'policies'>): void {
    const key = keyOf(name);
    identities.set(key.accessKeyId, { ...key, ...identity });
  }

  return {
    administrator: keyOf(administrator),
    find: (accessKeyId) => identities.get(accessKeyId),
    of: ({ name }) => keyOf(functionKey(name)),
    admit({ accountId, functions, roles }) {
      admit(administrator, {
        principalArn: `arn:aws:iam::${accountId}:user/${administrator}`,
        policies: administratorPolicies,
      });
      for (const { name, roleArn } of functions) {
        const roleName = roleArn.split('/').at(-1);
        admit(functionKey(name), {
          principalArn: `arn:aws:sts::${accountId}:assumed-role/${roleName}/${name}`,
          policies: roles.find(({ arn }) => arn === roleArn)?.policies ?? [],
        });
      }
    },
  };
}

function functionKey(functionName: string): string {
  return `function ${functionName}`;
}
