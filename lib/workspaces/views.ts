import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';

/** A workspace as the API shows it. */
export const WorkspaceView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    createdAt: Timestamp,
    storage: z.object({
      usedBytes: z.int().meta({
        description:
          'What uploads hold: the declared size from the grant on, the real one once the file is there. Where a file turned out larger than declared it may exceed the quota',
      }),
      quotaBytes: z.int(),
    }),
    counts: z.object({
      accounts: z.int().meta({ description: 'Connected accounts, expired ones included' }),
      webhooks: z.int().meta({ description: 'Registered endpoints, disabled ones included' }),
      keys: z.int().meta({ description: 'API keys that are not revoked' }),
    }),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceView = z.infer<typeof WorkspaceView>;
