import { performance } from 'node:perf_hooks';
import { readStackOutput } from '../../lib/aws/stage-stacks.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { openTable } from '../../lib/table/table.ts';
import { createWorkspace } from '../../lib/workspaces/manage.ts';
import { createKey, revokeKeyById } from '../../lib/workspaces/manage-keys.ts';
import { deleteWorkspace } from '../../lib/workspaces/suspension.ts';
import { operatorAct } from '../admin/command.ts';
import { localApiUrl, localTime, pointAtLocalCloud } from '../local-cloud.ts';
import { tableName } from '../table-name.ts';

/** The smoke test's access to a stage. */
export interface Access {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The time of the stage in epoch milliseconds. */
  readonly now: number;
  /** Removes the key and the workspace that were made for the test. */
  readonly leave: () => Promise<void>;
}

export interface AccessOptions {
  /** The stage. Absent: the local run. */
  readonly stage: string | undefined;
  /** The workspace to use. Absent: one that is made for the test, and deleted. */
  readonly workspaceId: string | undefined;
  /** A key of the operator's own. Nothing is made then. */
  readonly apiKey: string | undefined;
  /** Replaces the address of the stage. */
  readonly apiUrl: string | undefined;
}

/** The lifetime of the test's key, in case the test is killed: longer than the test can take. */
const keyLifeMs = 60 * 60_000;

/**
 * Opens a stage for the smoke test. Without a key it uses the table, with the AWS credentials of the shell.
 *
 * @throws HeraldError `not_found` if the stage or the workspace does not exist; AWS's errors for missing credentials or rights
 */
export async function openAccess({ stage, workspaceId, apiKey, apiUrl }: AccessOptions): Promise<Access> {
  if (apiKey !== undefined && apiUrl !== undefined)
    return { apiUrl: trimmed(apiUrl), apiKey, now: systemClock(), leave: async () => {} };
  const isLocal = stage === undefined;
  const stageName = stage ?? (await pointAtLocalCloud());
  const url = trimmed(apiUrl ?? (isLocal ? await localApiUrl() : await deployedUrl(stageName)));
  const now = isLocal ? await localTime() : systemClock();
  if (apiKey !== undefined) return { apiUrl: url, apiKey, now, leave: async () => {} };

  const table = openTable(await tableName(stageName));
  const startedMs = performance.now();
  const operator = (verb: Parameters<typeof operatorAct>[0]) => ({
    ...operatorAct(verb),
    table,
    now: Math.round(now + performance.now() - startedMs),
  });
  const made =
    workspaceId === undefined
      ? await createWorkspace(operator('workspace.create'), { name: 'Smoke test' })
      : undefined;
  const id = made?.id ?? workspaceId ?? '';
  const removeWorkspace = async () => {
    if (made) await deleteWorkspace(operator('workspace.delete'), made.id, 'The smoke test has ended.');
  };
  try {
    const issued = await createKey(operator('key.create'), {
      workspaceId: id,
      name: 'Smoke test',
      permissions: undefined,
      accountIds: undefined,
      expiresAt: new Date(now + keyLifeMs).toISOString(),
      ratePerMinute: undefined,
    });
    const leave = async () => {
      await revokeKeyById(operator('key.revoke'), { workspaceId: id, keyId: issued.key.id });
      await removeWorkspace();
    };
    return { apiUrl: url, apiKey: issued.apiKey, now, leave };
  } catch (error) {
    await removeWorkspace();
    throw error;
  }
}

async function deployedUrl(stage: string): Promise<string> {
  const stack = `herald-${stage}-api`;
  const url = await readStackOutput(stack, 'ApiUrl');
  if (url === undefined)
    throw new HeraldError(
      'not_found',
      `stage ${stage} is not deployed in this account and region: no stack ${stack} with an output ApiUrl`,
    );
  return url;
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');
