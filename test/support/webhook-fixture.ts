import type { Table } from '../../lib/table/table.ts';
import type { Answer, Call } from './api.ts';
import { openWorkspace } from './builders.ts';

/** Calls of the webhook routes with the API key of one workspace. */
export interface Fixture {
  readonly table: Table;
  readonly workspaceId: string;
  readonly create: (body?: object) => Promise<Answer>;
  readonly read: (id: string) => Promise<Answer>;
  readonly edit: (id: string, body: object) => Promise<Answer>;
  readonly remove: (id: string) => Promise<Answer>;
  readonly list: (query?: string) => Promise<Answer>;
  readonly rotate: (id: string) => Promise<Answer>;
}

/** Opens a new workspace. */
export async function openFixture({ table, call }: { table: Table; call: Call }): Promise<Fixture> {
  const { apiKey, context } = await openWorkspace(table);
  return {
    table,
    workspaceId: context.workspaceId,
    create: (body) => call('webhooks-create', { apiKey, body: { ...aBody(), ...body } }),
    read: (id) => call('webhooks-read', { apiKey, path: { id } }),
    edit: (id, body) => call('webhooks-edit', { apiKey, path: { id }, body }),
    remove: (id) => call('webhooks-delete', { apiKey, path: { id } }),
    list: (query) => call('webhooks-list', { apiKey, ...(query && { query }) }),
    rotate: (id) => call('webhooks-rotate-secret', { apiKey, path: { id } }),
  };
}

let count = 0;
/** A new URL with an IP address, which needs no DNS. */
export const aUrl = () => `https://93.184.216.34/hooks/${++count}`;
const aBody = () => ({ url: aUrl(), events: ['post.published', 'post.failed'] });

export type Shown = Record<string, unknown> & { id: string; secret?: string };
export const webhookIn = ({ body }: Answer) => body['webhook'] as Shown;
export const fieldsIn = ({ body }: Answer) =>
  (body['details'] as { fields: Record<string, string[]> }).fields;
