import * as z from 'zod';
import type { Context } from '../api-contract/context.ts';
import { operation } from '../api-contract/operation.ts';
import { notFound } from '../kernel/errors.ts';
import { findKey } from '../workspaces/store.ts';

const OwnKey = z.object({
  id: z.uuid(),
  name: z.string(),
  lastFour: z.string().nullable(),
  permissions: z.array(z.string()).nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
});

/** Shows a key its own record, never another one. It has no route of its own. */
export const readOwnKeyOperation = operation({
  id: 'getOwnKey',
  handler: 'zernio',
  verb: 'workspace.read',
  method: 'GET',
  path: '/zernio/own-key',
  summary: 'Read the record of the calling key',
  replies: { 200: { description: 'The key, without its value', body: z.object({ key: OwnKey }) } },
  rights: { reads: { GetItem: ['WORKSPACE#'] } },
});

/** @throws HeraldError `not_found` if the key's record is gone */
export async function readOwnKey({ table, workspaceId, actor }: Context): Promise<z.infer<typeof OwnKey>> {
  const key = await findKey(table, workspaceId, actor.id);
  if (!key) throw notFound('key');
  const { id, name, lastFour = null, createdAt, expiresAt = null } = key;
  const permissions = actor.kind === 'key' ? [...(actor.permissions ?? [])] : null;
  return { id, name, lastFour, permissions: permissions?.length ? permissions : null, createdAt, expiresAt };
}
