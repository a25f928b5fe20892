import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from '../../lib/api-contract/context.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { keyDigestKey } from '../../lib/table/keys.ts';
import { apiKeyDigest, generateApiKey } from '../../lib/workspaces/api-key.ts';
import type { Caller } from '../../lib/workspaces/schemas.ts';
import { startMs } from './builders.ts';

/**
 * Stores an API key that may use only some accounts of a workspace.
 *
 * @param of the context of a request in that workspace
 * @returns the key, and the context of a request with it
 */
export async function storeLimitedKey<C extends Context>(
  of: C,
  accountIds: readonly string[],
): Promise<{ apiKey: string; context: C }> {
  const { table, workspaceId, cursorSecret } = of;
  const apiKey = generateApiKey();
  const keyId = newId(startMs);
  const caller: Caller = { workspaceId, keyId, cursorSecret, accountIds: [...accountIds] };
  const Item = { ...keyDigestKey(apiKeyDigest(apiKey)), kind: 'key', ...caller };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  return { apiKey, context: { ...of, actor: { kind: 'key', id: keyId, accountIds } } };
}
